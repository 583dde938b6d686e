// Package mynahtest gives each test a scope of its own in a Mynah, an APNs on localhost:
//
//	func TestNews(t *testing.T) {
//		apns := mynahtest.Open(t)
//		phone := apns.Device("com.example.app")
//		provider := NewProvider(apns.APNsURL(), apns.TLSConfig(), apns.ProviderToken())
//		provider.Send(phone.Token(), news)
//		apns.Expect(mynah.Expectation{Topic: "com.example.app"})
//	}
//
// Its calls are those of package mynah without context and error: an error ends the test, so they are for the test's
// own goroutine. Where an error is expected, the same calls of the embedded types give it: apns.Scope.Expect.
package mynahtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
)

const (
	// scopeCharacters is the longest name of a scope, and uniqueBytes how much of it makes it unique.
	scopeCharacters = 64
	uniqueBytes     = 6
	// removeTimeout is how long the end of a test waits for the removal of its scope.
	removeTimeout = time.Minute
)

// test is a test, and the context of its calls, which ends with it.
type test struct {
	t   testing.TB
	ctx context.Context
}

func (t *test) check(err error) {
	if err != nil {
		t.t.Helper()
		t.t.Fatal(err)
	}
}

// Scope is a scope in a server, for one test.
type Scope struct {
	*mynah.Scope
	test *test
}

// Server is a server, as one test uses it.
type Server struct {
	*mynah.Server
	test *test
}

// Device is a snapshot of a device.
type Device struct {
	*mynah.Device
	test *test
}

// Fault is a snapshot of a fault rule.
type Fault struct {
	*mynah.Fault
	test *test
}

// Clock is a clock of devices.
type Clock struct {
	*mynah.Clock
	test *test
}

var (
	sharing   sync.Once
	shared    *mynah.Server
	sharedErr error
)

// Shared is the server of this process' tests: the one at MYNAH_URL, or one that is started at the first call, and ends
// with the process.
func Shared() (*mynah.Server, error) {
	sharing.Do(func() {
		if os.Getenv("MYNAH_URL") != "" {
			shared, sharedErr = mynah.ConnectFromEnvironment(context.Background())
		} else {
			shared, sharedErr = mynah.Start(context.Background())
		}
	})
	return shared, sharedErr
}

// Open gives the test a scope of its own in the shared server, and removes it at the test's end.
func Open(t testing.TB) *Scope {
	t.Helper()
	server, err := Shared()
	if err != nil {
		t.Fatal(err)
	}
	return OpenAt(t, server)
}

// OpenAt gives the test a scope of its own in this server, and removes it at the test's end.
func OpenAt(t testing.TB, server *mynah.Server) *Scope {
	t.Helper()
	scope := server.Scope(scopeName(t))
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		// The test's own context has ended.
		last, cancel := context.WithTimeout(context.Background(), removeTimeout)
		defer cancel()
		if _, err := scope.Remove(last); err != nil {
			t.Errorf("the scope %s is not removed: %v", scope.Name(), err)
		}
	})
	return &Scope{Scope: scope, test: &test{t: t, ctx: ctx}}
}

// Start starts a server for this test alone, and stops it at the test's end.
func Start(t testing.TB, options ...mynah.StartOptions) *mynah.Server {
	t.Helper()
	server, err := mynah.Start(context.Background(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// scopeName is a readable name that no other test has.
func scopeName(t testing.TB) string {
	t.Helper()
	unique := make([]byte, uniqueBytes)
	if _, err := rand.Read(unique); err != nil {
		t.Fatal(err)
	}
	readable := unusual.ReplaceAllString(t.Name(), "-")
	if most := scopeCharacters - 2*uniqueBytes - 1; len(readable) > most {
		readable = readable[:most]
	}
	return readable + "-" + hex.EncodeToString(unique)
}

func (t *test) device(found *mynah.Device) *Device {
	return &Device{Device: found, test: t}
}

func (t *test) fault(found *mynah.Fault) *Fault {
	return &Fault{Fault: found, test: t}
}

func (t *test) devices(found *mynah.Page[*mynah.Device]) *mynah.Page[*Device] {
	return pageOf(found, t.device)
}

func (t *test) faults(found *mynah.Page[*mynah.Fault]) *mynah.Page[*Fault] {
	return pageOf(found, t.fault)
}

func (t *test) stream(found *mynah.EventStream) *mynah.EventStream {
	t.t.Cleanup(found.Close)
	return found
}

func pageOf[From, To any](page *mynah.Page[From], made func(From) To) *mynah.Page[To] {
	items := make([]To, 0, len(page.Items))
	for _, item := range page.Items {
		items = append(items, made(item))
	}
	return &mynah.Page[To]{
		Items:        items,
		Matched:      page.Matched,
		NextCursor:   page.NextCursor,
		TimedOut:     page.TimedOut,
		Evicted:      page.Evicted,
		LastSequence: page.LastSequence,
	}
}
