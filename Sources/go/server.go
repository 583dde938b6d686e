package mynah

import (
	"context"
	"sync"
)

// Server is a server, for the code under test and its tests; Start and Connect make one.
type Server struct {
	*Endpoint
	control *ControlAPI
	process *process
}

// URL is where the control API is.
func (s *Server) URL() string { return s.control.url }

// Control is the control API, for calls that have no method here.
func (s *Server) Control() *ControlAPI { return s.control }

// Scope is the server as one test sees it.
func (s *Server) Scope(name string) *Scope {
	return &Scope{Endpoint: s.Endpoint, server: s, control: s.control, name: name}
}

// Clock is the server's clock, which all tests share.
func (s *Server) Clock() *Clock { return &Clock{control: s.control} }

// LogLines is the server's log; empty for a server that was not started here.
func (s *Server) LogLines() []string {
	if s.process == nil {
		return nil
	}
	return s.process.log.lines()
}

// Probe is starting, ready or stopping, by a probe: livez, healthz or, by default, readyz, which is a *ControlError
// with status 503 unless the server is ready.
func (s *Server) Probe(ctx context.Context, name ...string) (ProbeStatus, error) {
	if len(name) == 0 {
		name = []string{"readyz"}
	}
	return memberOf[ProbeStatus](ctx, s.control, newRequest("GET", "/{}", name[0]), "status")
}

// ChannelsOptions says which channels Server.Channels lists.
type ChannelsOptions struct {
	// Of this app.
	BundleID Optional[string] `json:"bundleId" in:"query"`

	// In this environment.
	Environment Optional[Environment] `json:"environment" in:"query"`
}

// Channels gives all broadcast channels; those of providers too, in the order of creation.
func (s *Server) Channels(ctx context.Context, options ...ChannelsOptions) ([]*Channel, error) {
	var channels []*Channel
	cursor := Optional[string]{}
	for {
		r := newRequest("GET", "/v1/channels")
		giveOptions(r, options)
		r.give("query", "limit", listMax)
		r.give("query", "cursor", cursor)
		page, err := pageOf[Channel](ctx, s.control, r)
		if err != nil {
			return nil, err
		}
		channels = append(channels, page.Items...)
		if page.NextCursor == nil {
			return channels, nil
		}
		cursor = Set(*page.NextCursor)
	}
}

// StartScenario starts a scenario of the program by its Name, or one of one's own, for the whole server or a Scope.
func (s *Server) StartScenario(ctx context.Context, scenario ScenarioSpecification) (*Scenario, error) {
	r := newRequest("POST", "/v1/scenarios")
	body, err := plain(scenario)
	if err != nil {
		return nil, err
	}
	r.body = body.(map[string]any)
	return recordOf[Scenario](ctx, s.control, r)
}

// Close stops the server if it was started here.
func (s *Server) Close() error {
	if s.process == nil {
		return nil
	}
	return s.process.stop()
}

// Endpoint is what a provider needs to know of a server.
type Endpoint struct {
	host        string
	port        int
	credentials Credentials
	control     *ControlAPI
	lock        sync.Mutex
	issuedAt    int64
	issued      string
}
