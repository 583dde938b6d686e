package mynah

import (
	"fmt"
	"net/url"
	"reflect"
	"sort"
	"strings"
	"time"
)

// listMax is the most items of one list.
const listMax = 1000

// request is a call that is being put together; a wrong argument is its error when it is sent.
type request struct {
	method, path string
	query        map[string]any
	body         map[string]any
	// Members of the body that are objects themselves.
	match, action map[string]any
	scopePlace    string
	timeout       time.Duration
	err           error
}

// newRequest makes a request; values are for the {} in the path.
func newRequest(method, path string, values ...any) *request {
	for _, value := range values {
		path = strings.Replace(path, "{}", segment(value), 1)
	}
	r := &request{method: method, path: path, query: map[string]any{}, timeout: answerTimeout}
	r.match = map[string]any{}
	r.action = map[string]any{}
	if method == "POST" || method == "PUT" || method == "PATCH" {
		r.body = map[string]any{}
	}
	return r
}

// segment is a part of a path.
func segment(value any) string {
	return strings.ReplaceAll(url.QueryEscape(fmt.Sprint(value)), "+", "%20")
}

// give sets a parameter or a member of the body.
func (r *request) give(place, name string, value any) {
	if one, isOptional := value.(optional); isOptional {
		content, isGiven := one.content()
		if !isGiven || content == any(None) && place == "query" {
			return
		}
		value = content
	}
	written, err := plain(value)
	if err != nil {
		r.fail(named(err, name))
		return
	}
	switch place {
	case "query":
		r.query[name] = written
	case "body":
		r.body[name] = written
	case "match":
		r.match[name] = written
	case "action":
		r.action[name] = written
	}
}

func (r *request) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// inScope makes the request one of a scope, unless its options name another one.
func (r *request) inScope(place, name string) {
	r.scopePlace = place
	if name != "" {
		r.give(place, "scope", name)
	}
}

// addApp puts an app in front of those of a new device.
func (r *request) addApp(topic string) {
	others, _ := r.body["registrations"].([]any)
	r.body["registrations"] = append([]any{map[string]any{"topic": topic}}, others...)
}

// giveAction sets what the user does with a notification: an action, by default opening it, and its text.
func (r *request) giveAction(action []string) {
	switch len(action) {
	case 0:
		r.give("body", "action", "default")
	case 1, 2:
		r.give("body", "action", action[0])
		if len(action) == 2 {
			r.give("body", "text", action[1])
		}
	default:
		r.fail(wrongArgument("Act got %q: expected an action and its text", action))
	}
}

// giveOptions sets what options have, each where its tag says: `in:"query"`, or `in:"query,lastEventId"`.
func giveOptions[T any](r *request, options []T) {
	if len(options) > 1 {
		r.fail(wrongArgument("got %d %T: expected one", len(options), options[0]))
	}
	if len(options) != 1 {
		return
	}
	found := reflect.ValueOf(options[0])
	for index := 0; index < found.NumField(); index++ {
		tag := found.Type().Field(index).Tag
		value, isGiven := given(found.Field(index))
		place, name, isOther := strings.Cut(tag.Get("in"), ",")
		if !isOther {
			name = tag.Get("json")
		}
		switch {
		case !isGiven || place == "own":
		case place != "scope":
			r.give(place, name, value)
		case value == any(None):
			delete(r.query, "scope")
			delete(r.body, "scope")
		default:
			r.give(r.scopePlace, "scope", value)
		}
	}
}

// target is the path with the parameters.
func (r *request) target() (string, error) {
	var parts []string
	for _, name := range sortedNames(r.query) {
		pairs, err := parametersOf(name, r.query[name])
		if err != nil {
			return "", err
		}
		for _, one := range pairs {
			parts = append(parts, url.QueryEscape(one.name)+"="+url.QueryEscape(one.value))
		}
	}
	if len(parts) == 0 {
		return r.path, nil
	}
	return r.path + "?" + strings.Join(parts, "&"), nil
}

func sortedNames[T any](values map[string]T) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
