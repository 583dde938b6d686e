package mynah

import "fmt"

// nearShare is how much of a word may differ from the one that was meant.
const nearShare = 0.4

// hintFor says what may have been meant by a word, or else all that is known.
func hintFor(word string, known []string, all string) string {
	best := ""
	least := 0
	for _, one := range known {
		longest := len(word)
		if len(one) > longest {
			longest = len(one)
		}
		far := distance(word, one)
		if float64(far) <= nearShare*float64(longest) && (best == "" || far < least) {
			best = one
			least = far
		}
	}
	if best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "expected " + all
}

// distance is how many letters have to be changed, added, removed or exchanged with their neighbours.
func distance(from, to string) int {
	rows := make([][]int, len(from)+1)
	for row := range rows {
		rows[row] = make([]int, len(to)+1)
		rows[row][0] = row
	}
	for column := range rows[0] {
		rows[0][column] = column
	}
	for row := 1; row <= len(from); row++ {
		for column := 1; column <= len(to); column++ {
			cost := 1
			if from[row-1] == to[column-1] {
				cost = 0
			}
			far := least(rows[row-1][column-1]+cost, rows[row-1][column]+1, rows[row][column-1]+1)
			if row > 1 && column > 1 && from[row-1] == to[column-2] && from[row-2] == to[column-1] {
				far = least(far, rows[row-2][column-2]+1)
			}
			rows[row][column] = far
		}
	}
	return rows[len(from)][len(to)]
}

func least(first int, others ...int) int {
	for _, one := range others {
		if one < first {
			first = one
		}
	}
	return first
}
