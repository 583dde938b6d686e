package mynah

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	// answerTimeout is the longest wait of a list, 60 s, and a minute in which the machine may stand still.
	answerTimeout = 120 * time.Second
	// shownCharacters is how much of an answer that isn't a problem document an error's message shows.
	shownCharacters = 200
)

// ControlAPI is the control API of one server; each call has its own connection, so anyone may make it at any time.
type ControlAPI struct {
	url, token string
	client     *http.Client
}

// NewControlAPI makes the control API at a URL; the token is that of a server with --control-token, or empty.
func NewControlAPI(address, token string) (*ControlAPI, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" || parsed.Hostname() == "" {
		return nil, wrongArgument("wrong control API %q: expected a URL like http://127.0.0.1:8197", address)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	return &ControlAPI{url: strings.TrimRight(address, "/"), token: token, client: client}, nil
}

// URL is where it is.
func (c *ControlAPI) URL() string { return c.url }

// Call makes a call that must succeed, with an optional body, and reads its JSON into the result, unless that is nil.
// The path may have a query.
func (c *ControlAPI) Call(ctx context.Context, method, path string, body, result any) error {
	r := newRequest(method, path)
	content, err := c.ask(ctx, r, path, body)
	if err != nil || result == nil {
		return err
	}
	return c.read(r, content, result)
}

// answerTo is the body of the answer to a request.
func (c *ControlAPI) answerTo(ctx context.Context, r *request) ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	var body any
	if r.body != nil {
		body = r.body
	}
	return c.ask(ctx, r, target, body)
}

func (c *ControlAPI) ask(ctx context.Context, r *request, target string, body any) ([]byte, error) {
	within, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	response, err := c.open(within, r, target, body)
	if err != nil {
		return nil, c.unavailable(ctx, within, r, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, c.unavailable(ctx, within, r, err)
	}
	if response.StatusCode < 200 || response.StatusCode >= 300 {
		return nil, refusal(r, response.StatusCode, content)
	}
	return content, nil
}

func (c *ControlAPI) open(ctx context.Context, r *request, target string, body any) (*http.Response, error) {
	var content bytes.Buffer
	if body != nil {
		written, err := plain(body)
		if err != nil {
			return nil, err
		}
		encoder := json.NewEncoder(&content)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(written); err != nil {
			return nil, wrongArgument("wrong body of %s: %v: expected what can be JSON", r.call(), err)
		}
	}
	made, err := http.NewRequestWithContext(ctx, r.method, c.url+target, &content)
	if err != nil {
		return nil, wrongArgument("wrong path %q: expected one that begins with / and is ASCII without spaces", target)
	}
	if body != nil {
		made.Header.Set("content-type", "application/json")
	}
	if c.token != "" {
		made.Header.Set("authorization", "Bearer "+c.token)
	}
	return c.client.Do(made)
}

// call is what errors name.
func (r *request) call() string {
	return r.method + " " + r.path
}

func (c *ControlAPI) unavailable(ctx, within context.Context, r *request, err error) error {
	var wrong *ArgumentError
	if errors.As(err, &wrong) {
		return wrong
	}
	// Its message repeats the URL.
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var message string
	var failed *net.OpError
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
		message = fmt.Sprintf("%s: no answer from %s: %v", r.call(), c.url, err)
	case within.Err() != nil:
		err = within.Err()
		message = fmt.Sprintf("%s: no answer from %s within %v", r.call(), c.url, r.timeout)
	case errors.As(err, &failed) && failed.Op == "dial":
		message = fmt.Sprintf("no mynah at %s: %v; `mynah serve` starts one", c.url, err)
	default:
		message = fmt.Sprintf("%s: the connection to %s ended before the answer did: %v", r.call(), c.url, err)
	}
	return &UnavailableError{Message: message, Cause: err}
}

func refusal(r *request, status int, content []byte) error {
	problem := &ControlError{Type: "about:blank"}
	if err := json.Unmarshal(content, problem); err != nil {
		shown := []rune(string(content))
		if len(shown) > shownCharacters {
			shown = shown[:shownCharacters]
		}
		problem.Title = "not a problem document"
		problem.Detail = fmt.Sprintf("%q; is this a mynah?", string(shown))
	}
	problem.Call = r.call()
	problem.Status = status
	return problem
}

func (c *ControlAPI) read(r *request, content []byte, result any) error {
	if err := json.Unmarshal(content, result); err != nil {
		message := fmt.Sprintf("%s: the answer of %s is not what this package knows: %v", r.call(), c.url, err)
		return &UnavailableError{Message: message, Cause: err}
	}
	return nil
}
