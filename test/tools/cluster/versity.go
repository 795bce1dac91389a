package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// versity is versitygw over a folder: S3 in one process, for the short form.
type versity struct {
	port    int
	process *process
}

func startVersity(ctx context.Context, p *place, binary string) (*versity, error) {
	at, err := port()
	if err != nil {
		return nil, err
	}
	v := &versity{port: at}
	v.process, err = p.start("versitygw", nil, []string{"ROOT_ACCESS_KEY=" + accessKey, "ROOT_SECRET_KEY=" + secretKey},
		binary, "--port", v.endpoint(), "--health", "/healthz", "posix", p.path("versity"))
	if err != nil {
		return nil, err
	}
	return v, v.answers(ctx)
}

func (v *versity) answers(ctx context.Context) error {
	return answers(ctx, "http://"+v.endpoint()+"/healthz", 30*time.Second, 200)
}

func (v *versity) endpoint() string { return fmt.Sprintf("127.0.0.1:%d", v.port) }
func (v *versity) describe() string { return "versitygw over a folder" }
func (v *versity) stop()            { v.process.kill() }

func (v *versity) start(ctx context.Context) error {
	if err := v.process.start(); err != nil {
		return err
	}
	return v.answers(ctx)
}

// full and roomy set how long a file of the gateway may grow: it fails to write as on a
// full disk.
func (v *versity) full(context.Context) error  { return v.limit(0) }
func (v *versity) roomy(context.Context) error { return v.limit(unix.RLIM_INFINITY) }

func (v *versity) limit(bytes uint64) error {
	return unix.Prlimit(v.process.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY},
		nil)
}
