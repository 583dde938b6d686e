package mynah

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// Optional is a member that may be left out, as its zero value is; Set gives it a value, and Null clears it.
type Optional[T any] struct {
	value   T
	isGiven bool
	isNull  bool
}

// Set gives an optional member a value.
func Set[T any](value T) Optional[T] {
	return Optional[T]{value: value, isGiven: true}
}

// Null clears an optional member, which leaving it out does not; as a Scope it stands for the whole server.
func Null[T any]() Optional[T] {
	return Optional[T]{isGiven: true, isNull: true}
}

// WholeServer is the Scope of calls that are for all scopes.
var WholeServer = Null[string]()

// None clears a member that may be of several types, such as a device's Focus.
var None none

type none struct{}

// MarshalJSON is null.
func (none) MarshalJSON() ([]byte, error) {
	return []byte("null"), nil
}

// Get is the value, and whether there is one.
func (o Optional[T]) Get() (T, bool) {
	return o.value, o.isGiven && !o.isNull
}

// Or is the value, or another one where there is none.
func (o Optional[T]) Or(other T) T {
	if value, isThere := o.Get(); isThere {
		return value
	}
	return other
}

// optional is any Optional.
type optional interface {
	content() (value any, isGiven bool)
}

func (o Optional[T]) content() (any, bool) {
	if o.isNull {
		return None, true
	}
	return o.value, o.isGiven
}

// MarshalJSON is the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	value, isThere := o.Get()
	if !isThere {
		return []byte("null"), nil
	}
	written, err := plain(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(written)
}

// UnmarshalJSON reads a value, or null.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		*o = Null[T]()
		return nil
	}
	*o = Optional[T]{isGiven: true}
	if duration, isDuration := any(&o.value).(*time.Duration); isDuration {
		return (*Duration)(duration).UnmarshalJSON(text)
	}
	return json.Unmarshal(text, &o.value)
}

// Duration is a time.Duration within a list or an object of the API: Duration(5 * time.Second).
type Duration time.Duration

// String is the duration as the API writes it: 250ms, 5s, 2h.
func (d Duration) String() string {
	switch duration := time.Duration(d); {
	case duration != 0 && duration%time.Hour == 0:
		return fmt.Sprintf("%dh", duration/time.Hour)
	case duration%time.Second == 0:
		return fmt.Sprintf("%ds", duration/time.Second)
	default:
		return fmt.Sprintf("%dms", duration/time.Millisecond)
	}
}

// MarshalJSON is the duration as the API writes it.
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(d.String())
}

var durationParts = regexp.MustCompile(`^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$`)

// UnmarshalJSON reads a duration as the API writes it, which knows days, too.
func (d *Duration) UnmarshalJSON(text []byte) error {
	var written string
	if err := json.Unmarshal(text, &written); err != nil {
		return err
	}
	found := durationParts.FindStringSubmatch(written)
	if found == nil {
		return fmt.Errorf("wrong duration %q: expected one like 250ms, 5s or 1h30m", written)
	}
	units := []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second, time.Millisecond}
	*d = 0
	for number, unit := range units {
		if found[number+1] == "" {
			continue
		}
		count, err := strconv.ParseInt(found[number+1], 10, 64)
		if err != nil {
			return fmt.Errorf("wrong duration %q: %w", written, err)
		}
		*d += Duration(time.Duration(count) * unit)
	}
	return nil
}
