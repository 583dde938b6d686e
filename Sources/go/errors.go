package mynah

import (
	"fmt"
	"strings"
)

// StartError says that a server did not start; the message has its output.
type StartError struct {
	Message string
}

func (e *StartError) Error() string { return e.Message }

// UnavailableError says that no control API answers at the address, or not one that this package knows.
type UnavailableError struct {
	Message string
	// Why, if the system or a context says so.
	Cause error
}

func (e *UnavailableError) Error() string { return e.Message }

// Unwrap is the cause, such as context.DeadlineExceeded.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// ArgumentError says that a call has a wrong argument, and was not sent.
type ArgumentError struct {
	Message string
}

func (e *ArgumentError) Error() string { return e.Message }

// MissingError says that what was asked for is not there, or is not the only one.
type MissingError struct {
	Message string
}

func (e *MissingError) Error() string { return e.Message }

// UnmetError says that what a wait expected did not happen in time.
type UnmetError struct {
	Message string
}

func (e *UnmetError) Error() string { return e.Message }

// ExpectationUnmet says that an expectation is unmet; the message shows the nearest pushes. It is an UnmetError, too.
type ExpectationUnmet struct {
	Result *ExpectationResult
}

func (e *ExpectationUnmet) Error() string { return e.Result.String() }

// Unwrap is the same as an *UnmetError.
func (e *ExpectationUnmet) Unwrap() error { return &UnmetError{Message: e.Error()} }

// ControlError says that the control API refused a call (application/problem+json).
type ControlError struct {
	// The method and the path.
	Call   string `json:"-"`
	Status int    `json:"-"`
	Type   string `json:"type"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	// A parameter's name or a member's JSON pointer, if the fault is there.
	Field string `json:"field"`
	// The valid values, if they can be listed.
	Allowed []string `json:"allowed"`
}

func (e *ControlError) Error() string {
	what := make([]string, 0, 2)
	for _, part := range []string{firstOf(e.Field, e.Title), e.Detail} {
		if part != "" {
			what = append(what, part)
		}
	}
	text := fmt.Sprintf("%s was answered %d: %s", e.Call, e.Status, strings.Join(what, ": "))
	for _, one := range e.Allowed {
		// Most details name them.
		if !strings.Contains(e.Detail, one) {
			return fmt.Sprintf("%s (allowed: %s)", text, strings.Join(e.Allowed, ", "))
		}
	}
	return text
}

func firstOf(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

func wrongArgument(format string, values ...any) error {
	return &ArgumentError{Message: fmt.Sprintf(format, values...)}
}
