package mynah

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"
)

const portMax = 65_535

// ConnectOptions says where a server is, if it is not where its control API says.
type ConnectOptions struct {
	// The bearer token of a server with --control-token.
	Token string

	// The host for pushes, if it differs from the URL's.
	Host string

	// The port for pushes, if it differs from the port that the server binds, as a container's published port does.
	Port int
}

// Connect finds a server that was started elsewhere: by `mynah exec`, in a container, by hand.
func Connect(ctx context.Context, address string, options ...ConnectOptions) (*Server, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	control, err := NewControlAPI(address, wanted.Token)
	if err != nil {
		return nil, err
	}
	status, err := recordOf[Status](ctx, control, newRequest("GET", "/v1/status"))
	if err != nil {
		return nil, err
	}
	if status.Name != StatusNameMynah {
		return nil, &UnavailableError{Message: fmt.Sprintf("the server at %s is not Mynah", control.url)}
	}
	if release(status.Version) != release(Version) {
		hint := fmt.Sprintf("install version %s of the package, or start mynah %s", status.Version, Version)
		message := fmt.Sprintf("the server at %s is mynah %s: expected %s, as this package; %s", control.url,
			status.Version, Version, hint)
		return nil, &UnavailableError{Message: message}
	}
	credentials, err := recordOf[Credentials](ctx, control, newRequest("GET", "/v1/credentials"))
	if err != nil {
		return nil, err
	}
	endpoint := &Endpoint{host: wanted.Host, port: wanted.Port, credentials: *credentials, control: control}
	if endpoint.host == "" {
		parsed, err := url.Parse(control.url)
		if err != nil {
			return nil, err
		}
		endpoint.host = parsed.Hostname()
	}
	if endpoint.port == 0 {
		if len(status.Ports.APNs) == 0 {
			return nil, &UnavailableError{Message: fmt.Sprintf("the server at %s has no port for pushes", control.url)}
		}
		endpoint.port = status.Ports.APNs[0]
	}
	return &Server{Endpoint: endpoint, control: control}, nil
}

// release is the part of a version within which the API stays the same.
func release(version string) string {
	parts := strings.SplitN(version, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// ConnectFromEnvironment finds the server at MYNAH_URL, which `mynah exec` sets.
//
// It also reads MYNAH_CONTROL_TOKEN, MYNAH_APNS_HOST and MYNAH_APNS_PORT.
func ConnectFromEnvironment(ctx context.Context) (*Server, error) {
	address := variable("MYNAH_URL")
	if address == "" {
		return nil, errors.New("MYNAH_URL is not set: expected the URL of a control API, as `mynah exec` sets it")
	}
	options := ConnectOptions{Token: variable("MYNAH_CONTROL_TOKEN"), Host: variable("MYNAH_APNS_HOST")}
	switch port := variable("MYNAH_APNS_PORT"); {
	case strings.Contains(port, "://"):
		log.Printf("ignored MYNAH_APNS_PORT=%s, which Kubernetes or a container link set for a service", port)
	case port != "":
		number, err := strconv.Atoi(port)
		if err != nil || number < 1 || number > portMax {
			return nil, fmt.Errorf("invalid MYNAH_APNS_PORT=%s: expected a port from 1 to %d", port, portMax)
		}
		options.Port = number
	}
	return Connect(ctx, address, options)
}

// variable is a variable of the environment; Docker leaves the CR of a file of variables with Windows' line ends.
func variable(name string) string {
	return strings.TrimSpace(os.Getenv(name))
}

// Start starts a server on free ports, with the flags of `mynah serve`: StartOptions{Devices: "strict"}.
//
// Of the variables MYNAH_… the server gets only those in Variables. It ends with this process, if it isn't closed before.
func Start(ctx context.Context, options ...StartOptions) (*Server, error) {
	wanted, err := single(options)
	if err != nil {
		return nil, err
	}
	program, err := programFor(wanted.Binary)
	if err != nil {
		return nil, err
	}
	folder := wanted.Folder
	if folder == "" {
		folder, err = os.MkdirTemp("", "mynah-go-")
	} else {
		folder, err = filepath.Abs(folder)
	}
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err != nil {
		return nil, &StartError{Message: fmt.Sprintf("no folder for mynah: %v", err)}
	}
	arguments := append([]string{"exec", "--state-dir", filepath.Join(folder, "state")}, wanted.flags()...)
	child := newProcess(program, arguments, folder, wanted.Folder == "")
	// So that it doesn't read the user's mynah.yaml.
	child.setEnvironment(map[string]string{"HOME": folder, "XDG_RUNTIME_DIR": folder}, wanted.Variables)
	ready, err := child.start(ctx)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(ready[2])
	if err != nil {
		child.kill()
		return nil, &StartError{Message: fmt.Sprintf("mynah said that its port is %q: expected a number", ready[2])}
	}
	token := wanted.ControlToken
	if token == "" {
		token = wanted.Variables["MYNAH_CONTROL_TOKEN"]
	}
	server, err := Connect(ctx, ready[0], ConnectOptions{Token: token, Host: ready[1], Port: port})
	if err != nil {
		child.kill()
		return nil, err
	}
	server.process = child
	return server, nil
}

// programFor is the program: a chosen one, MYNAH_BINARY, or mynah on the PATH.
func programFor(chosen string) (string, error) {
	if chosen != "" {
		found, err := exec.LookPath(chosen)
		if err != nil {
			return "", &StartError{Message: fmt.Sprintf("%s cannot be run: %v", chosen, err)}
		}
		return filepath.Abs(found)
	}
	if named := os.Getenv("MYNAH_BINARY"); named != "" {
		found, err := exec.LookPath(named)
		if err != nil {
			message := fmt.Sprintf("MYNAH_BINARY=%s is not executable: expected the program mynah", named)
			return "", &StartError{Message: message}
		}
		return filepath.Abs(found)
	}
	found, err := exec.LookPath("mynah")
	if err != nil {
		message := "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"
		return "", &StartError{Message: message}
	}
	return filepath.Abs(found)
}

// flags are the settings as flags of the program.
func (o StartOptions) flags() []string {
	var flags []string
	found := reflect.ValueOf(o)
	for index := 0; index < found.NumField(); index++ {
		name := found.Type().Field(index).Tag.Get("flag")
		if name == "" {
			continue
		}
		switch value := found.Field(index).Interface().(type) {
		case string:
			if value != "" {
				flags = append(flags, "--"+name, value)
			}
		case bool:
			if value {
				flags = append(flags, "--"+name)
			}
		case []string:
			for _, one := range value {
				flags = append(flags, "--"+name, one)
			}
		case Optional[bool]:
			if isOn, isGiven := value.Get(); isGiven {
				flags = append(flags, "--"+name, map[bool]string{true: "on", false: "off"}[isOn])
			}
		case Optional[int]:
			if number, isGiven := value.Get(); isGiven {
				flags = append(flags, "--"+name, strconv.Itoa(number))
			}
		case Optional[time.Duration]:
			if duration, isGiven := value.Get(); isGiven {
				flags = append(flags, "--"+name, Duration(duration).String())
			}
		}
	}
	return flags
}
