package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
	"time"
)

// haproxy stands before the instances, and before PostgreSQL, where it finds the primary.
type haproxy struct {
	URL     string // of the service
	catalog int    // port of PostgreSQL
}

var haproxyConfig = template.Must(template.New("").Parse(`global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 120s
  timeout server 120s
  retries 2
  option redispatch
frontend web
  mode http
  bind 127.0.0.1:{{.Web}}
  default_backend instances
backend instances
  mode http
  balance roundrobin
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1
{{range $i, $port := .Instances}}  server instance-{{$i}} 127.0.0.1:{{$port}} check
{{end}}listen catalog
  mode tcp
  timeout client 1h
  timeout server 1h
  bind 127.0.0.1:{{.Catalog}}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
{{range .Postgres}}  server {{.Name}} 127.0.0.1:{{.Port}} check port {{.REST}}
{{end}}`))

func startHAProxy(ctx context.Context, p *place, g *postgres, web int, instances []int) (*haproxy, error) {
	catalog, err := port()
	if err != nil {
		return nil, err
	}
	config, err := os.Create(filepath.Join(p.dir, "haproxy.cfg"))
	if err != nil {
		return nil, err
	}
	defer config.Close()
	facts := map[string]any{"Web": web, "Instances": instances, "Catalog": catalog, "Postgres": g.servers}
	if err := haproxyConfig.Execute(config, facts); err != nil {
		return nil, err
	}
	if _, err := p.start("haproxy", nil, nil, "haproxy", "-db", "-f", config.Name()); err != nil {
		return nil, err
	}
	h := &haproxy{URL: fmt.Sprintf("http://127.0.0.1:%d", web), catalog: catalog}
	err = answers(ctx, h.URL, 10*time.Second) // 503 while there is no instance
	pause(ctx, 3*time.Second)                 // until it has asked who is the primary, it takes both for one
	return h, err
}
