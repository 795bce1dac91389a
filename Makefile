# What a newcomer would guess. `make test` needs Go, Node with npm,
# Chromium and PostgreSQL; it installs what it can and says what is missing.

GO          ?= go
STATICCHECK ?= honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME    ?= 20s
# The libraries of gs:// and azblob://, without gRPC, which neither uses.
CLOUDS       = clouds,disable_grpc_modules
STORE       ?= ceph
# Everything is compiled once, as `go run .` does it: vet, staticcheck, the tests and the
# server that the browser asks share it. The race detector needs all of it again, so it is
# on where goroutines meet: test/tools/raced says where, and architecture_test.go that no place is
# forgotten. What of SQLite was translated from C holds its own locks. More must not go
# unwatched: the linker may take what it makes of a generic type of the standard library
# for everybody's.
WATCHED      = -race '-gcflags=all=-dwarf=false' '-gcflags=modernc.org/...=-d=checkptr=0 -dwarf=false' '-gcflags=modernc.org/sqlite/lib=-race=false -d=checkptr=0 -dwarf=false' -ldflags='-s -w'
# Watched, a process sleeps for a second before it ends, and tests start hundreds.
export GORACE = atexit_sleep_ms=20
# Compiled without inlining, which takes a third less, for tests that are over in seconds.
WATCHED_ONCE = $(subst -dwarf=false,-dwarf=false -l,$(WATCHED))

# They begin first, so that nothing waits for them in the end.
SLOWEST      = ./command ./catalog ./ingest ./handlers ./decode ./handlers/instrweb
# Ten times what the slowest package takes on a machine that has other work too.
LIMIT        = -timeout 60m

# program builds one of the programs of module test, and runs it.
program = $(GO) build -C test -o $(CURDIR)/build/$(notdir $(1)) ./$(1) && build/$(notdir $(1))

.PHONY: run build test check test-go test-race gofmt test-web test-browser test-long test-cluster lint generate generated fuzz bench bench-peers bench-knee load pictures test-llvm audit release deploy stranger clean

run: ## serve on localhost:8080
	$(GO) run .

build: ## the one binary
	$(GO) build -trimpath -o build/proflens .

test: ## everything that must hold before a change lands; minutes
	sh test/tools/test.sh

check: ## what a developer runs all day: the tests of what changed and of what uses it, without a browser
	$(MAKE) -s gofmt build/lint
	$(GO) vet -vettool=$(CURDIR)/build/lint ./...
	$(GO) test -short $(LIMIT) -vet=off $(SLOWEST) ./...  # what has not changed is not run again

test-go: ## the Go tests alone, but for packages that test-race runs whole
	$(GO) test -short $(LIMIT) -vet=off $(SLOWEST) $$($(GO) list ./... | grep -vxF "$$(sed -n 's|^all *\./|proflens/|p' test/tools/raced)")  # vet is part of lint

test-race: ## those of them where goroutines meet, with the race detector
	$(GO) test -short $(LIMIT) -vet=off $(WATCHED_ONCE) $$(sed -n 's/^all *\([^ ]*\).*/\1/p' test/tools/raced)
	$(GO) test -short $(LIMIT) -vet=off $(WATCHED_ONCE) -run "$$(sed -n 's/^some *[^ ]* *\([^ ]*\).*/\1/p' test/tools/raced | paste -sd'|' -)" $$(sed -n 's/^some *\([^ ]*\).*/\1/p' test/tools/raced)

test-web: node_modules ## types, style and unit tests of the browser code
	npm run check
	npm run test:unit

test-browser: node_modules build/tested ## pages in a real Chromium, with axe
	PROFLENS_BIN=$(CURDIR)/build/tested npm run test:browser

.PHONY: build/tested
build/tested: # the server of the browser tests
	$(GO) build -ldflags='-s -w' -o $@ .

test-long: build ## all of it with the race detector; real compilers, kill rounds, a million functions, hostile uploads, fuzzing
	$(GO) test -count=1 $(WATCHED) -tags long,$(CLOUDS) $(LIMIT) ./...
	GOGC=200 $(GO) run $(STATICCHECK) ./...  # lint knows less of other modules
	$(GO) test -C test -count=1 -tags long $(LIMIT) ./family  # one more family, from the outside
	PROFLENS_LOOKS=all PROFLENS_SLOW_MO=150 $(MAKE) test-browser
	$(call program,bench/load) -proflens build/proflens -hostile
	$(MAKE) fuzz

gofmt:
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt: the files above are not formatted"; exit 1; }

lint: gofmt build/lint ## gofmt, and what go vet and staticcheck find
	$(GO) vet -vettool=$(CURDIR)/build/lint ./...
	$(GO) vet -C test -vettool=$(CURDIR)/build/lint ./...

.PHONY: build/lint
build/lint: # of every commit the same, or vet looks at everything again
	$(GO) build -C test -buildvcs=false -o $(CURDIR)/$@ ./tools/lint

generate: node_modules ## *_templ.go from views, bundles from web
	$(GO) run -C test ./tools/templ ../views
	$(GO) run -C test ./tools/lexers ../handlers/sourceweb/lexers.zip
	npm run build

generated: generate ## fails when committed generated files are stale
	git diff --exit-code --stat -- static views handlers/sourceweb/lexers.zip ':(glob)**/*_templ.go'

fuzz: ## every fuzz target for FUZZTIME each
	sh test/tools/fuzz.sh $(FUZZTIME)

bench: ## Go benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...
	$(GO) test -C test -run '^$$' -bench . -benchmem ./bench/...

bench-peers: build ## ours against llvm-profdata and llvm-cov, in one run; fails if an aim is missed by more than a fifth
	$(call program,bench/peers) -proflens build/proflens $(BENCHFLAGS)

bench-knee: build ## how time and memory grow with size: the pictures and tables of docs/performance.md and docs/scaling.md; 15 GB of disk
	$(call program,bench/peers) -knee -runs 3 -proflens build/proflens $(BENCHFLAGS)
	$(call program,bench/load) -catalog 1000,10000,100000,1000000 -picture docs/pictures/profiles.svg -proflens build/proflens

load: build ## many users at once, on loopback: latencies and memory; then what hostile uploads cost
	$(call program,bench/load) -proflens build/proflens $(LOADFLAGS)
	$(call program,bench/load) -proflens build/proflens -hostile

test-cluster: build ## several instances on PostgreSQL and Ceph, while everything breaks; STORE=versitygw is quicker
	sh test/tools/cluster/install.sh $(STORE)
	$(call program,tools/cluster) -proflens build/proflens -store $(STORE) $(CLUSTERFLAGS)

pictures: node_modules build ## docs/pictures: the main screens, of the examples, in Chromium
	node docs/pictures/make.mjs

test-llvm: build ## LLVM's own tests of llvm-profdata and llvm-cov, with ours in their place; wants Debian
	$(call program,tools/llvm) -proflens build/proflens $(LLVMFLAGS)

audit: ## known faults in what the program is built from; says what it could not ask
	sh test/tools/audit.sh

release: ## build/release: every system, sums, a bill of materials (CycloneDX) for each, manual pages; VERSION=v1.2.3
	sh test/tools/release.sh

deploy: ## try deploy/: the unit with systemd-analyze, the image's files in a chroot
	sh deploy/try.sh

stranger: ## `go run .` with an empty HOME and empty caches, in a root of its own; TRY=test does `make test` there too
	sh test/tools/stranger.sh $(TRY)

node_modules: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch node_modules

clean:
	rm -rf build node_modules
