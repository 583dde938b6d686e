package mynah

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"
)

// Device is a snapshot of a device; methods that change the device give a new one.
type Device struct {
	DeviceDocument
	control *ControlAPI
}

func (d *Device) bind(control *ControlAPI) { d.control = control }

// Token is the token of its only app; for several, see TokenOf.
func (d *Device) Token() (string, error) {
	topics := map[string]bool{}
	for _, app := range d.Registrations {
		topics[app.Topic] = true
	}
	if len(topics) == 1 {
		return d.TokenOf(d.Registrations[0].Topic)
	}
	names := sortedNames(topics)
	message := fmt.Sprintf("device %s has %d apps: use TokenOf with one of %q", d.ID, len(names), names)
	return "", &MissingError{Message: message}
}

// TokenOf is the present token of an app.
func (d *Device) TokenOf(topic string) (string, error) {
	why := "it has no app " + topic
	for index := len(d.Registrations) - 1; index >= 0; index-- {
		app := d.Registrations[index]
		if app.Topic != topic {
			continue
		}
		if app.Token != nil {
			return *app.Token, nil
		}
		if strings.HasPrefix(why, "it has no app") {
			why = fmt.Sprintf("its app %s is %s", topic, app.State)
		}
	}
	return "", &MissingError{Message: fmt.Sprintf("device %s has no token: %s", d.ID, why)}
}

// DeviceWaitOptions says which arrivals Device.Wait waits for.
type DeviceWaitOptions struct {
	// At least so many; by default one.
	Count Optional[int] `json:"count"`

	// How long they may take, by default 5 s.
	Within Optional[time.Duration] `json:"within"`

	// Only arrivals of this kind.
	Kind Optional[InboxKind] `json:"kind"`
}

// Wait gives the arrivals, once there are as many as wanted, or an *UnmetError if that takes longer than Within.
func (d *Device) Wait(ctx context.Context, options ...DeviceWaitOptions) (*Page[*Arrival], error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	count := wanted.Count.Or(1)
	within := wanted.Within.Or(defaultWithin)
	r := newRequest("GET", "/v1/devices/{}/inbox", d.ID)
	r.give("query", "kind", wanted.Kind)
	r.give("query", "wait", within)
	r.give("query", "count", count)
	page, err := pageOf[Arrival](ctx, d.control, r)
	if err != nil || !page.TimedOut {
		return page, err
	}
	what := "pushes"
	if kind, isGiven := wanted.Kind.Get(); isGiven {
		what = fmt.Sprintf("pushes of kind %s", kind)
	}
	numbers := make([]int, 0, len(page.Items))
	for _, arrival := range page.Items {
		numbers = append(numbers, arrival.Sequence)
	}
	sort.Ints(numbers)
	told := fmt.Sprintf("%d %s arrived on %s within %s", page.Matched, what, d.ID, Duration(within))
	message := fmt.Sprintf("%s, expected %d: %v", told, count, numbers)
	return nil, &UnmetError{Message: message}
}

// ClearOptions says which notifications Device.Clear removes.
type ClearOptions struct {
	// Of this app alone.
	Topic Optional[string] `json:"topic"`

	// Only those with these collapse ids or apns-ids; none if this is empty and not nil.
	Identifiers []string `json:"identifiers"`
}

// Clear removes the notifications of all apps or of one, as that app or the user does, and gives how many.
func (d *Device) Clear(ctx context.Context, options ...ClearOptions) (int, error) {
	chosen, err := single(options)
	if err != nil {
		return 0, err
	}
	if chosen.Identifiers != nil && len(chosen.Identifiers) == 0 {
		return 0, nil
	}
	r := newRequest("DELETE", "/v1/devices/{}/screen", d.ID)
	r.give("query", "topic", chosen.Topic)
	if chosen.Identifiers != nil {
		r.give("query", "identifier", chosen.Identifiers)
	}
	return countOf(ctx, d.control, r, "removed", "notifications")
}

// SetBadge sets the number on an app's icon, as the app does; 0 removes it.
func (d *Device) SetBadge(ctx context.Context, topic string, badge int) error {
	r := newRequest("PATCH", "/v1/devices/{}/screen", d.ID)
	r.give("body", "badges", map[string]int{topic: badge})
	return done(ctx, d.control, r)
}

// single gives the options of a call, of which there is at most one.
func single[T any](options []T) (T, error) {
	var none T
	switch len(options) {
	case 0:
		return none, nil
	case 1:
		return options[0], nil
	}
	return none, wrongArgument("got %d %T: expected one", len(options), none)
}
