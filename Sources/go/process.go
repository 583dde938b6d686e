package mynah

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	// A machine may stand still for a minute; a process that ends is known at once.
	readyTimeout = 120 * time.Second
	stopTimeout  = 120 * time.Second
	// readyWords is what a server says before its addresses.
	readyWords = "mynah ready "
	// tellAndWait tells where the server is, and stays until this process ends or closes its end of the pipe.
	tellAndWait = `echo "mynah ready $MYNAH_URL $MYNAH_APNS_HOST $MYNAH_APNS_PORT"; exec cat`
	// runAndRemove runs a server and removes its folder, so that this is done also after the end of this process.
	runAndRemove = `folder=$1; shift; "$@"; code=$?; [ -z "$folder" ] || rm -rf -- "$folder"; exit $code`
)

// process is a `mynah exec` whose command waits for the end of its input.
type process struct {
	command   *exec.Cmd
	input     io.WriteCloser
	arguments []string
	log       logWriter
	ended     chan struct{}
	err       error
	stopping  sync.Once
	stopError error
}

func newProcess(program string, arguments []string, folder string, isTemporary bool) *process {
	removed := ""
	if isTemporary {
		removed = folder
	}
	whole := append([]string{"-c", runAndRemove, "sh", removed, program}, arguments...)
	command := exec.Command("sh", append(whole, "--", "sh", "-c", tellAndWait)...)
	command.Dir = folder
	command.SysProcAttr = ownGroup()
	return &process{command: command, arguments: arguments, ended: make(chan struct{})}
}

// setEnvironment gives it this process' variables without those of mynah, and others.
func (p *process) setEnvironment(further ...map[string]string) {
	for _, one := range os.Environ() {
		if !strings.HasPrefix(one, "MYNAH_") {
			p.command.Env = append(p.command.Env, one)
		}
	}
	for _, variables := range further {
		for name, value := range variables {
			p.command.Env = append(p.command.Env, name+"="+value)
		}
	}
}

// start starts it, and gives the three words behind `mynah ready`: the URL, and the host and port for pushes.
func (p *process) start(ctx context.Context) ([]string, error) {
	input, err := p.command.StdinPipe()
	if err != nil {
		return nil, &StartError{Message: err.Error()}
	}
	output, err := p.command.StdoutPipe()
	if err != nil {
		return nil, &StartError{Message: err.Error()}
	}
	p.input = input
	p.command.Stderr = &p.log
	if err := p.command.Start(); err != nil {
		return nil, &StartError{Message: fmt.Sprintf("sh cannot be run: %v", err)}
	}
	first := make(chan string, 1)
	go func() {
		reader := bufio.NewReader(output)
		// Without a line it ends, which is noticed below.
		line, _ := reader.ReadString('\n')
		first <- strings.TrimSpace(line)
		io.Copy(io.Discard, reader)
		p.err = p.command.Wait()
		close(p.ended)
	}()
	ready, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	select {
	case line := <-first:
		words := strings.Fields(strings.TrimPrefix(line, readyWords))
		if strings.HasPrefix(line, readyWords) && len(words) == 3 {
			return words, nil
		}
		p.input.Close()
		select {
		case <-p.ended:
			return nil, &StartError{Message: fmt.Sprintf("mynah ended with %s\n%s", p.code(), p.told())}
		case <-ready.Done():
		}
	case <-ready.Done():
	}
	p.kill()
	if ctx.Err() != nil {
		return nil, &StartError{Message: fmt.Sprintf("mynah was not ready: %v\n%s", ctx.Err(), p.told())}
	}
	message := fmt.Sprintf("mynah did not say that it is ready within %v\n%s", readyTimeout, p.told())
	return nil, &StartError{Message: message}
}

// stop ends it; an error if it has ended already, or ends with another code than 0.
func (p *process) stop() error {
	p.stopping.Do(func() {
		p.input.Close()
		select {
		case <-p.ended:
			if p.err != nil {
				p.stopError = fmt.Errorf("mynah ended with %s\n%s", p.code(), p.told())
			}
		case <-time.After(stopTimeout):
			p.kill()
			p.stopError = fmt.Errorf("mynah did not end within %v\n%s", stopTimeout, p.told())
		}
	})
	return p.stopError
}

func (p *process) kill() {
	killGroup(p.command.Process)
}

// code is what it ended with.
func (p *process) code() string {
	var failed *exec.ExitError
	if errors.As(p.err, &failed) && failed.Exited() {
		return fmt.Sprint(failed.ExitCode())
	}
	if p.err == nil {
		return "0"
	}
	return p.err.Error()
}

func (p *process) told() string {
	lines := append([]string{"--- mynah " + strings.Join(p.arguments, " ")}, p.log.lines()...)
	return strings.Join(append(lines, "---"), "\n")
}

// logWriter keeps what it is told.
type logWriter struct {
	lock sync.Mutex
	text bytes.Buffer
}

// Write keeps a part of the log.
func (l *logWriter) Write(part []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(part)
}

func (l *logWriter) lines() []string {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.text.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(l.text.String(), "\n"), "\n")
}
