// Package mynah runs Mynah in a container for tests in Go.
//
//	server, err := mynah.Run(ctx, "mynah")
//	testcontainers.CleanupContainer(t, server.Container)
//	client := apns2.NewTokenClient(token)        // of server.Key, server.KeyID and server.TeamID
//	client.Host = server.APNs
//	client.HTTPClient.Transport = &http2.Transport{TLSClientConfig: &tls.Config{RootCAs: server.Roots}}
package mynah

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	apnsPort    = "2197/tcp"
	controlPort = "8197/tcp"
)

// Server is a Mynah in a container.
type Server struct {
	testcontainers.Container

	// APNs is the URL for pushes, like https://localhost:49153.
	APNs string
	// Control is the control API, like http://localhost:49154.
	Control string
	// Roots trusts the server.
	Roots *x509.CertPool
	// Key signs provider tokens, PKCS #8 in PEM; KeyID and TeamID are their ids.
	Key, KeyID, TeamID string
}

// Run starts a server and waits until it is ready. A container may need cleanup even after an error.
//
// For flags of mynah serve, use testcontainers.WithCmd or, as MYNAH_…, testcontainers.WithEnv.
func Run(ctx context.Context, image string, options ...testcontainers.ContainerCustomizer) (*Server, error) {
	// 503 until the fixtures are loaded.
	ready := wait.ForHTTP("/readyz").WithPort(controlPort).WithStartupTimeout(30 * time.Second)
	options = append([]testcontainers.ContainerCustomizer{
		testcontainers.WithExposedPorts(apnsPort, controlPort),
		testcontainers.WithWaitStrategy(ready),
	}, options...)
	container, err := testcontainers.Run(ctx, image, options...)
	server := &Server{}
	if container != nil {
		server.Container = container
	}
	if err != nil {
		return server, err
	}
	if server.APNs, err = container.PortEndpoint(ctx, apnsPort, "https"); err != nil {
		return server, err
	}
	if server.Control, err = container.PortEndpoint(ctx, controlPort, "http"); err != nil {
		return server, err
	}
	return server, server.readCredentials(ctx)
}

func (s *Server) readCredentials(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Control+"/v1/credentials", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET /v1/credentials: %s", response.Status)
	}
	var credentials struct{ CA, Key, KeyID, TeamID string }
	if err := json.NewDecoder(response.Body).Decode(&credentials); err != nil {
		return err
	}
	s.Roots = x509.NewCertPool()
	if !s.Roots.AppendCertsFromPEM([]byte(credentials.CA)) {
		return fmt.Errorf("GET /v1/credentials: no certificate in %q", credentials.CA)
	}
	s.Key, s.KeyID, s.TeamID = credentials.Key, credentials.KeyID, credentials.TeamID
	return nil
}
