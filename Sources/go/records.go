package mynah

import (
	"context"
	"encoding/json"
)

// Page is a part of a list.
type Page[T any] struct {
	Items []T `json:"items"`
	// The number of matches on all pages.
	Matched int `json:"matched"`
	// The beginning of the next page; nil on the last one.
	NextCursor *string `json:"nextCursor"`
	// Whether a wait ended without enough items.
	TimedOut bool `json:"timedOut"`
	// The number of items that were removed to make room.
	Evicted int `json:"evicted"`
	// As After, it selects later items.
	LastSequence int `json:"lastSequence"`
}

// Header is the first value of a header, by its name in lower case, and whether there is one.
func (n *Notification) Header(name string) (string, bool) {
	for _, pair := range n.Headers {
		if len(pair) == 2 && pair[0] == name {
			return pair[1], true
		}
	}
	return "", false
}

// bound is a record that makes calls itself.
type bound interface {
	bind(control *ControlAPI)
}

func bind(record any, control *ControlAPI) {
	if one, isBound := record.(bound); isBound {
		one.bind(control)
	}
}

func done(ctx context.Context, control *ControlAPI, r *request) error {
	_, err := control.answerTo(ctx, r)
	return err
}

// answerOf reads the answer to a request.
func answerOf[T any](ctx context.Context, control *ControlAPI, r *request) (T, error) {
	var answer T
	content, err := control.answerTo(ctx, r)
	if err != nil {
		return answer, err
	}
	return answer, control.read(r, content, &answer)
}

func recordOf[T any](ctx context.Context, control *ControlAPI, r *request) (*T, error) {
	answer, err := answerOf[T](ctx, control, r)
	if err != nil {
		return nil, err
	}
	bind(&answer, control)
	return &answer, nil
}

func pageOf[T any](ctx context.Context, control *ControlAPI, r *request) (*Page[*T], error) {
	page, err := answerOf[Page[*T]](ctx, control, r)
	if err != nil {
		return nil, err
	}
	for _, item := range page.Items {
		bind(item, control)
	}
	return &page, nil
}

func listOf[T any](ctx context.Context, control *ControlAPI, r *request) ([]*T, error) {
	page, err := pageOf[T](ctx, control, r)
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

func documentOf(ctx context.Context, control *ControlAPI, r *request) (map[string]any, error) {
	return answerOf[map[string]any](ctx, control, r)
}

func textOf(ctx context.Context, control *ControlAPI, r *request) (string, error) {
	content, err := control.answerTo(ctx, r)
	return string(content), err
}

// memberOf reads a member of the answer.
func memberOf[T any](ctx context.Context, control *ControlAPI, r *request, name string) (T, error) {
	var member T
	answer, err := answerOf[map[string]json.RawMessage](ctx, control, r)
	if err != nil {
		return member, err
	}
	return member, control.read(r, answer[name], &member)
}

func countOf(ctx context.Context, control *ControlAPI, r *request, name, kind string) (int, error) {
	counts, err := memberOf[map[string]int](ctx, control, r, name)
	return counts[kind], err
}

// ActivityRef names a Live Activity: the record of one, or an ActivityID.
type ActivityRef interface{ activityID() string }

// ActivityID is the id of a Live Activity.
type ActivityID string

func (a ActivityID) activityID() string { return string(a) }

func (a LiveActivity) activityID() string { return a.ID }

// NotificationRef names a notification on a screen: the record of one, or a Sequence.
type NotificationRef interface{ notificationSequence() int }

// Sequence is the sequence number of a push.
type Sequence int

func (s Sequence) notificationSequence() int { return int(s) }

func (s ScreenNotification) notificationSequence() int { return s.Sequence }

// ConnectionRef names a connection: the record of one, or a ConnectionID.
type ConnectionRef interface{ connectionID() int }

// ConnectionID is the number of a connection.
type ConnectionID int

func (c ConnectionID) connectionID() int { return int(c) }

func (c Connection) connectionID() int { return c.ID }
