package mynahtest

import (
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
)

// Server is the server that the scope is in.
func (s *Scope) Server() *Server {
	return &Server{Server: s.Scope.Server(), test: s.test}
}

// Clock is the clock of this scope's devices.
func (s *Scope) Clock() *Clock {
	return &Clock{Clock: s.Scope.Clock(), test: s.test}
}

// CAFile is a file with the CA, which is removed at the test's end.
func (s *Scope) CAFile() string {
	s.test.t.Helper()
	return value(s.test, func() (string, error) { return s.Scope.CAFile(s.test.t.TempDir()) })
}

// SigningKey is the development key that signs provider tokens, PEM.
func (s *Scope) SigningKey() string {
	s.test.t.Helper()
	return value(s.test, s.Scope.SigningKey)
}

// KeyFile is a file with the development key, an AuthKey_<KEYID>.p8, which is removed at the test's end.
func (s *Scope) KeyFile() string {
	s.test.t.Helper()
	return value(s.test, func() (string, error) { return s.Scope.KeyFile(s.test.t.TempDir()) })
}

// KeyID is the id of the development key.
func (s *Scope) KeyID() string {
	s.test.t.Helper()
	return value(s.test, s.Scope.KeyID)
}

// TeamID is the team of the development key.
func (s *Scope) TeamID() string {
	s.test.t.Helper()
	return value(s.test, s.Scope.TeamID)
}

// ProviderToken is a provider token that the server accepts, for "authorization: bearer …".
func (s *Scope) ProviderToken() string {
	s.test.t.Helper()
	return value(s.test, func() (string, error) { return s.Scope.ProviderToken(s.test.ctx) })
}

// Device makes a device with an app; Registrations has further ones.
func (s *Scope) Device(topic string, options ...mynah.NewDeviceOptions) *Device {
	s.test.t.Helper()
	made, err := s.Scope.Device(s.test.ctx, topic, options...)
	s.test.check(err)
	return s.test.device(made)
}

// Fault adds a fault rule: Fault(mynah.PresetSlow, mynah.FaultOptions{Delay: "5s"}), Fault(mynah.Answer(503)).
func (s *Scope) Fault(action mynah.Action, options ...mynah.FaultOptions) *Fault {
	s.test.t.Helper()
	made, err := s.Scope.Fault(s.test.ctx, action, options...)
	s.test.check(err)
	return s.test.fault(made)
}

// PutFault makes a fault rule with this id, in place of the one that has it; otherwise like Fault.
func (s *Scope) PutFault(id string, action mynah.Action, options ...mynah.FaultOptions) *Fault {
	s.test.t.Helper()
	made, err := s.Scope.PutFault(s.test.ctx, id, action, options...)
	s.test.check(err)
	return s.test.fault(made)
}

// StartScenario starts a scenario for this scope: one that is part of the program by its Name, or one of one's own.
func (s *Scope) StartScenario(scenario mynah.ScenarioSpecification) *mynah.Scenario {
	s.test.t.Helper()
	started, err := s.Scope.StartScenario(s.test.ctx, scenario)
	s.test.check(err)
	return started
}

// LastSequence is the newest sequence number; as After, it selects later pushes.
func (s *Scope) LastSequence() int {
	s.test.t.Helper()
	last, err := s.Scope.LastSequence(s.test.ctx)
	s.test.check(err)
	return last
}

// Check waits for pushes like Expect, but gives the result also if it is unmet.
func (s *Scope) Check(expected ...mynah.Expectation) *mynah.ExpectationResult {
	s.test.t.Helper()
	result, err := s.Scope.Check(s.test.ctx, expected...)
	s.test.check(err)
	return result
}

// Expect waits until pushes match: one, Count or more, Exactly or at most Max of them, Within 5 s. If none do, the test
// ends with the nearest pushes.
func (s *Scope) Expect(expected ...mynah.Expectation) *Result {
	s.test.t.Helper()
	result, err := s.Scope.Expect(s.test.ctx, expected...)
	s.test.check(err)
	return &Result{ExpectationResult: result, test: s.test}
}

// Wait waits for pushes that match; it gives at most 100 of them, oldest first, and ends the test like Expect.
func (s *Scope) Wait(options ...mynah.WaitOptions) []mynah.Notification {
	s.test.t.Helper()
	pushes, err := s.Scope.Wait(s.test.ctx, options...)
	s.test.check(err)
	return pushes
}

// Remove removes everything of this scope, which the test's end does as well; it gives how many of each kind.
func (s *Scope) Remove() map[string]int {
	s.test.t.Helper()
	removed, err := s.Scope.Remove(s.test.ctx)
	s.test.check(err)
	return removed
}

// Result is the result of an expectation that was met.
type Result struct {
	*mynah.ExpectationResult
	test *test
}

// Push is the only push that matched.
func (r *Result) Push() *mynah.Notification {
	r.test.t.Helper()
	push, err := r.ExpectationResult.Push()
	r.test.check(err)
	return push
}

// Clock is the server's clock, which all tests share.
func (s *Server) Clock() *Clock {
	return &Clock{Clock: s.Server.Clock(), test: s.test}
}

// Probe is starting, ready or stopping, by a probe: livez, healthz or, by default, readyz.
func (s *Server) Probe(name ...string) mynah.ProbeStatus {
	s.test.t.Helper()
	status, err := s.Server.Probe(s.test.ctx, name...)
	s.test.check(err)
	return status
}

// Channels gives all broadcast channels; those of providers too, in the order of creation.
func (s *Server) Channels(options ...mynah.ChannelsOptions) []*mynah.Channel {
	s.test.t.Helper()
	channels, err := s.Server.Channels(s.test.ctx, options...)
	s.test.check(err)
	return channels
}

// StartScenario starts a scenario of the program by its Name, or one of one's own, for the whole server or a Scope.
func (s *Server) StartScenario(scenario mynah.ScenarioSpecification) *mynah.Scenario {
	s.test.t.Helper()
	started, err := s.Server.StartScenario(s.test.ctx, scenario)
	s.test.check(err)
	return started
}

// Token is the token of its only app; for several, see TokenOf.
func (d *Device) Token() string {
	d.test.t.Helper()
	return value(d.test, d.Device.Token)
}

// TokenOf is the present token of an app.
func (d *Device) TokenOf(topic string) string {
	d.test.t.Helper()
	return value(d.test, func() (string, error) { return d.Device.TokenOf(topic) })
}

// Wait gives the arrivals, once there are as many as wanted; the test ends if that takes longer than Within.
func (d *Device) Wait(options ...mynah.DeviceWaitOptions) *mynah.Page[*mynah.Arrival] {
	d.test.t.Helper()
	arrivals, err := d.Device.Wait(d.test.ctx, options...)
	d.test.check(err)
	return arrivals
}

// Clear removes the notifications of all apps or of one, as that app or the user does, and gives how many.
func (d *Device) Clear(options ...mynah.ClearOptions) int {
	d.test.t.Helper()
	count, err := d.Device.Clear(d.test.ctx, options...)
	d.test.check(err)
	return count
}

// SetBadge sets the number on an app's icon, as the app does; 0 removes it.
func (d *Device) SetBadge(topic string, badge int) {
	d.test.t.Helper()
	d.test.check(d.Device.SetBadge(d.test.ctx, topic, badge))
}

// Wait gives the rule once it has fired as often as wanted; the test ends if that takes longer than Within.
func (f *Fault) Wait(options ...mynah.FaultWaitOptions) *Fault {
	f.test.t.Helper()
	rule, err := f.Fault.Wait(f.test.ctx, options...)
	f.test.check(err)
	return f.test.fault(rule)
}

// Advance advances by a duration; everything due is in journals and inboxes when this is done.
func (c *Clock) Advance(by time.Duration) *mynah.ClockReport {
	c.test.t.Helper()
	report, err := c.Clock.Advance(c.test.ctx, by)
	c.test.check(err)
	return report
}

// AdvanceTo advances to a time.
func (c *Clock) AdvanceTo(to time.Time) *mynah.ClockReport {
	c.test.t.Helper()
	report, err := c.Clock.AdvanceTo(c.test.ctx, to)
	c.test.check(err)
	return report
}

// AdvanceToNext advances to the next event due.
func (c *Clock) AdvanceToNext() *mynah.ClockReport {
	c.test.t.Helper()
	report, err := c.Clock.AdvanceToNext(c.test.ctx)
	c.test.check(err)
	return report
}

func value(t *test, found func() (string, error)) string {
	t.t.Helper()
	text, err := found()
	t.check(err)
	return text
}
