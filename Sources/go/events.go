package mynah

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is an event of a stream.
type Event struct {
	Name string `json:"event"`
	// As After, it selects later events; nil for an event that has no place among the others.
	ID *int `json:"id"`
	// The event's JSON; Decode reads it into a type.
	Data json.RawMessage `json:"data"`
}

// Decode reads the event's JSON into a value, such as a *Notification.
func (e Event) Decode(into any) error {
	return json.Unmarshal(e.Data, into)
}

// EventStream is what happens, as it happens:
//
//	for stream.Next() {
//		fmt.Println(stream.Event().Name)
//	}
//	return stream.Err()
//
// Close ends it, and so does the end of its context.
type EventStream struct {
	control  *ControlAPI
	request  *request
	ctx      context.Context
	within   context.Context
	cancel   context.CancelFunc
	silence  *time.Timer
	response *http.Response
	reader   *bufio.Reader
	event    Event
	err      error
}

func openStream(ctx context.Context, control *ControlAPI, r *request) (*EventStream, error) {
	if r.err != nil {
		return nil, r.err
	}
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	within, cancel := context.WithCancel(ctx)
	stream := &EventStream{control: control, request: r, ctx: ctx, within: within, cancel: cancel}
	// The server sends comments between events.
	stream.silence = time.AfterFunc(r.timeout, cancel)
	response, err := control.open(within, r, target, nil)
	if err == nil && response.StatusCode != http.StatusOK {
		var content []byte
		content, err = io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil {
			cancel()
			return nil, refusal(r, response.StatusCode, content)
		}
	}
	if err != nil {
		err = control.unavailable(ctx, within, r, err)
		cancel()
		return nil, err
	}
	stream.response = response
	stream.reader = bufio.NewReader(response.Body)
	return stream, nil
}

// Next waits for an event, and says whether there is one; without one, Err says why.
func (s *EventStream) Next() bool {
	fields := map[string]string{}
	for s.err == nil {
		line, err := s.reader.ReadString('\n')
		if err != nil {
			s.end(err)
			return false
		}
		s.silence.Reset(s.request.timeout)
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			name, value, _ := strings.Cut(line, ":")
			fields[name] = strings.TrimPrefix(value, " ")
			continue
		}
		// Without data, it only keeps the connection, or tells the number reached.
		if data, isThere := fields["data"]; isThere {
			s.event = Event{Name: firstOf(fields["event"], "message"), Data: json.RawMessage(data)}
			if id, err := strconv.Atoi(fields["id"]); err == nil {
				s.event.ID = &id
			}
			return true
		}
		fields = map[string]string{}
	}
	return false
}

func (s *EventStream) end(err error) {
	// The end of a server's stream is no error.
	if !errors.Is(err, io.EOF) {
		s.err = s.control.unavailable(s.ctx, s.within, s.request, err)
	}
	s.close()
}

// Event is the event that Next has found.
func (s *EventStream) Event() Event { return s.event }

// Err is why there was no further event; nil after the end of the stream, and after Close.
func (s *EventStream) Err() error {
	if errors.Is(s.err, errClosed) {
		return nil
	}
	return s.err
}

var errClosed = errors.New("the stream is closed")

// Close ends the stream.
func (s *EventStream) Close() {
	if s.err == nil {
		s.err = errClosed
	}
	s.close()
}

func (s *EventStream) close() {
	s.silence.Stop()
	s.cancel()
	s.response.Body.Close()
}
