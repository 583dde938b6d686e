//go:build !unix

package mynah

import (
	"os"
	"syscall"
)

// ownGroup makes nothing of a process where there are no groups; the program runs where there are.
func ownGroup() *syscall.SysProcAttr { return nil }

func killGroup(leader *os.Process) { _ = leader.Kill() }
