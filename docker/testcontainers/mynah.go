// Package mynahcontainer runs Mynah in a container for tests in Go, with Mynah's package for Go (Sources/go).
//
//	container, server, err := mynahcontainer.Run(ctx, "mynah")
//	testcontainers.CleanupContainer(t, container)
//	apns := mynahtest.OpenAt(t, server)
package mynahcontainer

import (
	"context"
	"net/url"
	"strconv"
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/wait"
)

const (
	apnsPort    = "2197/tcp"
	controlPort = "8197/tcp"
)

// Run starts a server and waits until it is ready. A container may need cleanup even after an error.
//
// For flags of mynah serve, use testcontainers.WithCmd or, as MYNAH_…, testcontainers.WithEnv.
func Run(
	ctx context.Context, image string, options ...testcontainers.ContainerCustomizer,
) (testcontainers.Container, *mynah.Server, error) {
	// 503 until the fixtures are loaded.
	ready := wait.ForHTTP("/readyz").WithPort(controlPort).WithStartupTimeout(30 * time.Second)
	options = append([]testcontainers.ContainerCustomizer{
		testcontainers.WithExposedPorts(apnsPort, controlPort),
		testcontainers.WithWaitStrategy(ready),
	}, options...)
	container, err := testcontainers.Run(ctx, image, options...)
	if container == nil {
		return nil, nil, err
	}
	if err != nil {
		return container, nil, err
	}
	server, err := connect(ctx, container)
	return container, server, err
}

func connect(ctx context.Context, container testcontainers.Container) (*mynah.Server, error) {
	control, err := container.PortEndpoint(ctx, controlPort, "http")
	if err != nil {
		return nil, err
	}
	apns, err := container.PortEndpoint(ctx, apnsPort, "https")
	if err != nil {
		return nil, err
	}
	place, err := url.Parse(apns)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(place.Port())
	if err != nil {
		return nil, err
	}
	return mynah.Connect(ctx, control, mynah.ConnectOptions{Host: place.Hostname(), Port: port})
}
