//go:build unix

package mynah

import (
	"os"
	"syscall"
)

// ownGroup makes a process and its children a group, which can be ended as a whole.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }
