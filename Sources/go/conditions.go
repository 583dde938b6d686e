package mynah

// Condition is a condition on a value of a push, in place of the value of a filter. Lists of pushes know Not and
// Contains, other lists Not; expectations and faults know all.
type Condition map[string]any

// Not is a condition that all but these values meet.
func Not(values ...any) Condition {
	if len(values) == 1 {
		return Condition{"not": values[0]}
	}
	return Condition{"not": values}
}

// Prefix is a condition that texts with this beginning meet.
func Prefix(text string) Condition {
	return Condition{"prefix": text}
}

// Contains is a condition that texts with this in them meet.
func Contains(text string) Condition {
	return Condition{"contains": text}
}

// Regex is a condition that texts meet in which the expression is found.
func Regex(expression string) Condition {
	return Condition{"regex": expression}
}

// Exists is a condition that pushes with a value meet, or those without one.
func Exists(isThere bool) Condition {
	return Condition{"exists": isThere}
}

// AtLeast is a condition that this value meets, and greater ones.
func AtLeast(value any) Condition {
	return Condition{"gte": value}
}

// AtMost is a condition that this value meets, and smaller ones.
func AtMost(value any) Condition {
	return Condition{"lte": value}
}
