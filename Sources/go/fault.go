package mynah

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// defaultWithin is how long waits wait.
const defaultWithin = 5 * time.Second

// Fault is a snapshot of a fault rule.
type Fault struct {
	FaultDocument
	control *ControlAPI
}

func (f *Fault) bind(control *ControlAPI) { f.control = control }

// FaultWaitOptions says how often a rule has to fire for Fault.Wait.
type FaultWaitOptions struct {
	// How often in all; by default once.
	Hits Optional[int] `json:"hits"`

	// How long that may take, by default 5 s.
	Within Optional[time.Duration] `json:"within"`
}

// Wait gives the rule once it has fired as often as wanted, or an *UnmetError if that takes longer than Within.
func (f *Fault) Wait(ctx context.Context, options ...FaultWaitOptions) (*Fault, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	hits := wanted.Hits.Or(1)
	within := wanted.Within.Or(defaultWithin)
	r := newRequest("GET", "/v1/faults/{}", f.ID)
	r.give("query", "wait", within)
	r.give("query", "hits", hits)
	now, err := recordOf[Fault](ctx, f.control, r)
	if err != nil || !now.TimedOut.Or(false) {
		return now, err
	}
	match, err := json.Marshal(Set(now.Match))
	if err != nil {
		return nil, err
	}
	message := fmt.Sprintf("fault %s fired %d times within %s, expected %d; %d requests matched %s", f.ID, now.Fired,
		Duration(within), hits, now.Matched, match)
	return nil, &UnmetError{Message: message}
}

// Action is what a fault does: an Answer, a Preset, a Reason, a FaultAction, or Actions that take turns.
type Action interface {
	members() (map[string]any, error)
}

// Answer is the status of an answer with its usual reason: Answer(503).
type Answer int

func (a Answer) members() (map[string]any, error) {
	return map[string]any{"type": "respond", "status": int(a)}, nil
}

func (p Preset) members() (map[string]any, error) { return actionNamed(string(p)) }

func (r Reason) members() (map[string]any, error) { return actionNamed(string(r)) }

func (a FaultAction) members() (map[string]any, error) {
	written, err := plain(a)
	if err != nil {
		return nil, err
	}
	return written.(map[string]any), nil
}

// Actions are several actions, one after the other.
type Actions []Action

func (a Actions) members() (map[string]any, error) {
	return nil, wrongArgument("wrong action %v: expected a single one within Actions", a)
}

func actionNamed(name string) (map[string]any, error) {
	if preset, isPreset := presets[name]; isPreset {
		action := make(map[string]any, len(preset))
		for member, value := range preset {
			action[member] = value
		}
		return action, nil
	}
	for _, reason := range reasons {
		if reason == name {
			return map[string]any{"type": "respond", "reason": name}, nil
		}
	}
	names := make([]string, 0, len(presets))
	for _, one := range presetNames {
		names = append(names, string(one))
	}
	all := strings.Join(names, ", ") + ", a reason of APNs, or a FaultAction"
	return nil, wrongArgument("unknown preset or reason %q: %s", name, hintFor(name, append(names, reasons...), all))
}

// giveFault sets the action of a rule, with its own options, and what the rule is for.
func (r *request) giveFault(action Action, further Optional[FaultMatch]) {
	if match, isGiven := further.Get(); isGiven {
		written, err := plain(match)
		if err != nil {
			r.fail(err)
			return
		}
		for name, value := range written.(map[string]any) {
			if _, isThere := r.match[name]; !isThere {
				r.match[name] = value
			}
		}
	}
	r.body["match"] = r.match
	switch one := action.(type) {
	case nil:
		r.fail(wrongArgument("wrong action nil: expected an Answer, a Preset, a Reason, a FaultAction or Actions"))
	case Answer, Preset, Reason:
		members, err := one.members()
		if err != nil {
			r.fail(err)
			return
		}
		_, hasBody := r.action["body"]
		_, hasDebug := r.action["debug"]
		if hasBody || hasDebug {
			// The body and the debug data are in its place.
			delete(members, "reason")
		}
		for name, value := range r.action {
			members[name] = value
		}
		r.body["action"] = members
	case Actions:
		r.refuseOptions()
		list := make([]any, 0, len(one))
		for _, each := range one {
			members, err := each.members()
			if err != nil {
				r.fail(err)
				return
			}
			list = append(list, members)
		}
		r.body["actions"] = list
	default:
		r.refuseOptions()
		members, err := one.members()
		if err != nil {
			r.fail(err)
			return
		}
		r.body["action"] = members
	}
}

func (r *request) refuseOptions() {
	if len(r.action) > 0 {
		names := strings.Join(sortedNames(r.action), ", ")
		r.fail(wrongArgument("%s: expected as a member of the action's object, or with one preset or status alone", names))
	}
}
