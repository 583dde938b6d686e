package mynah

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
)

// Scope is a server, and a scope in it.
//
// Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
// WholeServer extends them. A push belongs to the scope of its device. A scope is for one goroutine at a time.
type Scope struct {
	*Endpoint
	server  *Server
	control *ControlAPI
	name    string
	// The ids of rules outside the scope, which are removed with it.
	sharedFaults []string
}

// Name is the scope's name.
func (s *Scope) Name() string { return s.name }

// Server is the server that the scope is in.
func (s *Scope) Server() *Server { return s.server }

// Clock is the clock of this scope's devices.
func (s *Scope) Clock() *Clock { return &Clock{control: s.control, scope: s.name} }

// Device makes a device with an app; Registrations has further ones.
func (s *Scope) Device(ctx context.Context, topic string, options ...NewDeviceOptions) (*Device, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	r := newRequest("POST", "/v1/devices")
	r.inScope("body", s.name)
	giveOptions(r, options)
	r.addApp(topic)
	made, err := recordOf[Device](ctx, s.control, r)
	if err != nil || wanted.Online.Or(true) {
		return made, err
	}
	return made.Change(ctx, DeviceChanges{Online: Set(false)})
}

// Fault adds a fault rule: Fault(ctx, PresetSlow, FaultOptions{Delay: "5s"}), Fault(ctx, Answer(503)).
//
// Connections have no scope, so a rule with an action on connections or handshakes, like PresetRefuse, needs
// WholeServer; it too is removed with the scope, but until then it also affects other tests on the same server.
func (s *Scope) Fault(ctx context.Context, action Action, options ...FaultOptions) (*Fault, error) {
	return s.rule(ctx, newRequest("POST", "/v1/faults"), action, options)
}

// PutFault makes a fault rule with this id, in place of the one that has it; otherwise like Fault.
func (s *Scope) PutFault(ctx context.Context, id string, action Action, options ...FaultOptions) (*Fault, error) {
	return s.rule(ctx, newRequest("PUT", "/v1/faults/{}", id), action, options)
}

func (s *Scope) rule(ctx context.Context, r *request, action Action, options []FaultOptions) (*Fault, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	r.inScope("body", s.name)
	giveOptions(r, options)
	r.giveFault(action, wanted.Match)
	made, err := recordOf[Fault](ctx, s.control, r)
	if err == nil && (made.Scope == nil || *made.Scope != s.name) {
		s.sharedFaults = append(s.sharedFaults, made.ID)
	}
	var refused *ControlError
	if errors.As(err, &refused) && strings.HasSuffix(refused.Field, "scope") && !wanted.Scope.isGiven {
		// Nobody had asked for one.
		refused.Detail += ": pass Scope: mynah.WholeServer, for a rule of the whole server"
	}
	return made, err
}

// StartScenario starts a scenario for this scope: one that is part of the program by its Name, or one of one's own.
//
// One with rules of connections or handshakes needs a whole server: Server.StartScenario.
func (s *Scope) StartScenario(ctx context.Context, scenario ScenarioSpecification) (*Scenario, error) {
	scenario.Scope = Set(s.name)
	return s.server.StartScenario(ctx, scenario)
}

// LastSequence is the newest sequence number; as After, it selects later pushes.
func (s *Scope) LastSequence(ctx context.Context) (int, error) {
	page, err := s.Notifications(ctx, NotificationsOptions{Scope: WholeServer, Limit: Set(1)})
	if err != nil {
		return 0, err
	}
	return page.LastSequence, nil
}

// Check waits for pushes like Expect, but gives the result also if it is unmet.
func (s *Scope) Check(ctx context.Context, expected ...Expectation) (*ExpectationResult, error) {
	wanted, err := single(expected)
	if err != nil {
		return nil, err
	}
	r := newRequest("POST", "/v1/expectations")
	r.timeout = 2*expectationMax + answerTimeout
	r.inScope("body", s.name)
	giveOptions(r, expected)
	if err := r.giveExpectation(wanted); err != nil {
		return nil, err
	}
	document, err := answerOf[ExpectationResultDocument](ctx, s.control, r)
	if err != nil {
		return nil, err
	}
	return &ExpectationResult{ExpectationResultDocument: document, expected: wanted}, nil
}

func (r *request) giveExpectation(wanted Expectation) error {
	if further, isGiven := wanted.Match.Get(); isGiven {
		written, err := plainMembers(reflect.ValueOf(further))
		if err != nil {
			return err
		}
		for name, value := range written {
			if _, isThere := r.match[name]; !isThere {
				r.match[name] = value
			}
		}
	}
	_, hasCount := wanted.Count.Get()
	_, isExact := wanted.Exactly.Get()
	_, hasMax := wanted.Max.Get()
	switch {
	case wanted.InOrder != nil && (len(r.match) > 0 || hasCount || isExact || hasMax):
		return wrongArgument("inOrder: leave out filters and counts; each step has its own filters")
	case isExact && (hasCount || hasMax):
		return wrongArgument("exactly: leave out count and max")
	case wanted.OtherThan != nil && wanted.InOrder != nil:
		return wrongArgument("otherThan: leave it out, because inOrder lets others come in between")
	case wanted.InOrder != nil:
		return nil
	}
	count := map[string]int{}
	if isExact {
		count["exactly"] = wanted.Exactly.Or(0)
	} else {
		// "At most two" doesn't require one.
		if hasCount || !hasMax {
			count["min"] = wanted.Count.Or(1)
		}
		if hasMax {
			count["max"] = wanted.Max.Or(0)
		}
	}
	r.body["match"] = r.match
	r.body["count"] = count
	return nil
}

// Expect waits until pushes match: one, Count or more, Exactly or at most Max of them, Within 5 s.
//
// Max: Set(0) with OtherThan says that no push comes but those that these filters select. A broadcast is of no scope, so
// an expectation of one is for WholeServer. If it is unmet, the error is an *ExpectationUnmet with the nearest pushes.
func (s *Scope) Expect(ctx context.Context, expected ...Expectation) (*ExpectationResult, error) {
	result, err := s.Check(ctx, expected...)
	if err == nil && !result.Met {
		return nil, &ExpectationUnmet{Result: result}
	}
	return result, err
}

// Wait waits for pushes that match; it gives at most 100 of them, oldest first, and an error like Expect.
func (s *Scope) Wait(ctx context.Context, options ...WaitOptions) ([]Notification, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	result, err := s.Expect(ctx, wanted.expectation())
	if err != nil {
		return nil, err
	}
	return result.Items, nil
}

// expectation is the same as an expectation, of which each option is a member.
func (w WaitOptions) expectation() Expectation {
	var expected Expectation
	from := reflect.ValueOf(w)
	to := reflect.ValueOf(&expected).Elem()
	for index := 0; index < from.NumField(); index++ {
		to.FieldByName(from.Type().Field(index).Name).Set(from.Field(index))
	}
	return expected
}

// Remove removes everything of this scope; it gives how many of each kind.
func (s *Scope) Remove(ctx context.Context) (map[string]int, error) {
	for len(s.sharedFaults) > 0 {
		last := len(s.sharedFaults) - 1
		err := done(ctx, s.control, newRequest("DELETE", "/v1/faults/{}", s.sharedFaults[last]))
		var refused *ControlError
		// The test may have removed it.
		if err != nil && !(errors.As(err, &refused) && refused.Status == http.StatusNotFound) {
			return nil, err
		}
		s.sharedFaults = s.sharedFaults[:last]
	}
	return memberOf[map[string]int](ctx, s.control, newRequest("DELETE", "/v1/scopes/{}", s.name), "removed")
}
