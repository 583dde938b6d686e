package mynah

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

const (
	// expectationMax is the longest Within and the longest Settle that the server accepts.
	expectationMax = time.Hour
	// valueCharacters is how much of a value a message shows.
	valueCharacters = 400
	// deviceCharacters is how much of a device's id a message shows.
	deviceCharacters = 24
)

// ExpectationResult is the result of an expectation; its text is like the output of `mynah expect`.
type ExpectationResult struct {
	ExpectationResultDocument
	expected Expectation
}

// Push is the only push that matched.
func (e *ExpectationResult) Push() (*Notification, error) {
	if e.Matched != 1 {
		return nil, &MissingError{Message: fmt.Sprintf("%d pushes matched: expected one", e.Matched)}
	}
	return &e.Items[0], nil
}

// String is what was found, the nearest pushes, and what the usual causes are.
func (e *ExpectationResult) String() string {
	lines := []string{e.verdict()}
	if !e.Met && e.FailedAt != nil {
		lines = append(lines, fmt.Sprintf("step %d of inOrder has no push", *e.FailedAt))
	}
	for _, near := range e.Nearest {
		lines = append(lines, nearLines(near)...)
	}
	for _, hint := range e.Hints {
		lines = append(lines, "hint: "+printable(hint))
	}
	return strings.Join(lines, "\n")
}

func (e *ExpectationResult) verdict() string {
	pushes := fmt.Sprintf("%d pushes matched", e.Matched)
	if e.Matched == 1 {
		pushes = "1 push matched"
	}
	if len(e.Items) > 0 {
		numbers := make([]string, 0, len(e.Items))
		for _, item := range e.Items {
			numbers = append(numbers, fmt.Sprint(item.Sequence))
		}
		pushes += ": " + strings.Join(numbers, ", ")
		if e.Matched > len(e.Items) {
			pushes += ", …"
		}
	}
	if e.Met {
		return "met: " + pushes
	}
	return fmt.Sprintf("unmet: %s; expected %s", pushes, e.expected.wanted())
}

// wanted is what was expected: at least 1 within 5s.
func (e Expectation) wanted() string {
	within := Duration(e.Within.Or(defaultWithin)).String()
	if len(e.InOrder) > 0 {
		return fmt.Sprintf("%d in order within %s", len(e.InOrder), within)
	}
	quiet := ""
	if settle, isGiven := e.Settle.Get(); isGiven {
		quiet = fmt.Sprintf(", and then %s of quiet", Duration(settle))
	}
	most, hasMost := e.Max.Get()
	least := e.Count.Or(1)
	if _, hasLeast := e.Count.Get(); !hasLeast && hasMost {
		least = 0
	}
	if exactly, isExact := e.Exactly.Get(); isExact {
		least = exactly
		most = exactly
		hasMost = true
	}
	text := countText(least, most, hasMost)
	if least > 0 {
		text += " within " + within
	}
	return text + quiet
}

func countText(least, most int, hasMost bool) string {
	switch {
	case !hasMost:
		return fmt.Sprintf("at least %d", least)
	case most == 0:
		return "none"
	case least == most:
		return fmt.Sprintf("exactly %d", least)
	case least == 0:
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

func nearLines(near ExpectationResultNearest) []string {
	push := near.Push
	answer := fmt.Sprint(push.Outcome)
	if push.Status != nil {
		answer = fmt.Sprintf("%d %s", *push.Status, push.Outcome)
	}
	facts := []string{fmt.Sprintf("push %d", push.Sequence), push.ReceivedAt.UTC().Format("15:04:05.000"), answer}
	if push.Topic != nil {
		facts = append(facts, *push.Topic)
	}
	if push.Device != nil {
		facts = append(facts, firstCharacters(*push.Device, deviceCharacters))
	}
	heading := printable(strings.Join(facts, ", "))
	lines := []string{fmt.Sprintf("near miss: %s (- expected, + actual)", heading)}
	for _, one := range near.Differences {
		field := printable(one.Field)
		lines = append(lines, fmt.Sprintf("  - %s %s", field, valueText(one.Expected)))
		lines = append(lines, fmt.Sprintf("  + %s %s", field, valueText(one.Actual)))
	}
	return lines
}

func valueText(value any) string {
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return printable(fmt.Sprint(value))
	}
	text := strings.TrimSuffix(written.String(), "\n")
	if count := len([]rune(text)); count > valueCharacters {
		return printable(fmt.Sprintf("%s… (%d characters)", firstCharacters(text, valueCharacters), count))
	}
	return printable(text)
}

func firstCharacters(text string, count int) string {
	characters := []rune(text)
	if len(characters) <= count {
		return text
	}
	return string(characters[:count])
}

// printable replaces control characters, and those that change the direction of writing.
func printable(text string) string {
	return strings.Map(func(one rune) rune {
		switch {
		case one < 0x20, one >= 0x7f && one <= 0x9f, one >= 0x2028 && one <= 0x202e, one >= 0x2066 && one <= 0x2069:
			return ' '
		}
		return one
	}, text)
}
