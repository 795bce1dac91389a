# What a newcomer would guess. `make test` needs Go, Node with npm,
# Chromium and PostgreSQL; it installs what it can and says what is missing.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 20s
# gs:// does not use gRPC: without it the binary is a sixth smaller, in memory too.
TAGS         = disable_grpc_modules
STORE       ?= ceph
# The race detector watches what we write. SQLite, translated from C, holds its
# own locks: watched too, it takes two fifths of the time of every test with a database.
# More must not go unwatched: the linker may take what it makes of a generic type of the
# standard library for everybody's. Nobody debugs these binaries. No test asks a cloud: the
# clouds' libraries are compiled the quick way.
CLOUDS       = github.com/aws github.com/Azure github.com/AzureAD cloud.google.com google.golang.org go.opentelemetry.io
WATCHED      = -race -tags=$(TAGS) '-gcflags=all=-dwarf=false' '-gcflags=modernc.org/...=-race=false -d=checkptr=0 -dwarf=false' $(foreach c,$(CLOUDS),'-gcflags=$(c)/...=-dwarf=false -l')
# Watched, a process sleeps for a second before it ends, and tests start hundreds.
export GORACE = atexit_sleep_ms=20

# They begin first, so that nothing waits for them in the end.
SLOWEST      = ./handlers ./catalog ./command ./ingest ./decode ./handlers/instrweb

.PHONY: run build test test-go test-web test-browser test-long test-cluster lint generate generated fuzz bench bench-peers bench-knee load pictures audit release deploy clean

run: ## serve on localhost:8080
	$(GO) run .

build: ## the one binary
	$(GO) build -trimpath -tags=$(TAGS) -o build/proflens .

test: ## everything that must hold before a change lands; minutes
	sh tools/test.sh

test-go: ## the Go tests alone
	$(GO) tool -n pprof >/dev/null  # two packages ask for it, and would both compile it
	$(GO) test -short -p 3 $(WATCHED) -vet=off -ldflags='-s -w' $(SLOWEST) ./...  # vet is part of lint; nobody debugs these binaries

test-web: node_modules ## types, style and unit tests of the browser code
	npm run check
	npm run test:unit

test-browser: node_modules build/watched ## pages in a real Chromium, with axe
	PROFLENS_BIN=$(CURDIR)/build/watched npm run test:browser

.PHONY: build/watched
build/watched: # with the race detector, as the tests are: everything is compiled once
	$(GO) build $(WATCHED) -ldflags='-s -w' -o $@ .

test-long: build ## real compilers, kill rounds, a million functions, hostile uploads, fuzzing
	$(GO) test $(WATCHED) -tags long,$(TAGS) -timeout 60m ./...
	$(GO) run ./bench/load -proflens build/proflens -hostile
	$(MAKE) fuzz

lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above are not formatted"; exit 1; }
	$(GO) vet $(WATCHED) ./...
	GOBIN=$(CURDIR)/build $(GO) install $(STATICCHECK)
	GOGC=200 GOFLAGS="$(WATCHED)" build/staticcheck ./...

generate: node_modules ## *_templ.go from views, bundles from web
	$(GO) tool templ generate -path views
	npm run build

generated: generate ## fails when committed generated files are stale
	git diff --exit-code --stat -- static views ':(glob)**/*_templ.go'

fuzz: ## every fuzz target for FUZZTIME each
	sh tools/fuzz.sh $(FUZZTIME)

bench: ## Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

bench-peers: build ## ours against llvm-profdata and llvm-cov, in one run; fails if an aim is missed by more than a fifth
	$(GO) run ./bench/peers -proflens build/proflens $(BENCHFLAGS)

bench-knee: build ## how time and memory grow with size: the picture and tables of docs/performance.md; 15 GB of disk
	$(GO) run ./bench/peers -knee -runs 3 -proflens build/proflens $(BENCHFLAGS)

load: build ## many users at once, on loopback: latencies and memory; then what hostile uploads cost
	$(GO) run ./bench/load -proflens build/proflens $(LOADFLAGS)
	$(GO) run ./bench/load -proflens build/proflens -hostile

test-cluster: build ## several instances on PostgreSQL and Ceph, while everything breaks; STORE=versitygw is quicker
	sh tools/cluster/install.sh $(STORE)
	$(GO) run ./tools/cluster -proflens build/proflens -store $(STORE) $(CLUSTERFLAGS)

pictures: node_modules build ## docs/pictures: the main screens, of the examples, in Chromium
	node docs/pictures/make.mjs

audit: ## known faults in what the program is built from; says what it could not ask
	sh tools/audit.sh

release: ## build/release: every system, sums, a bill of materials (CycloneDX) for each; VERSION=v1.2.3
	sh tools/release.sh

deploy: ## try deploy/: the unit with systemd-analyze, the image's files in a chroot
	sh deploy/try.sh

node_modules: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch node_modules

clean:
	rm -rf build node_modules
