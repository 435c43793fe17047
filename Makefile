.DEFAULT_GOAL := help
GO ?= go

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build ./bridge, static and stripped
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o bridge ./cmd/bridge

.PHONY: test
test: ## Run all tests
	$(GO) test ./...

.PHONY: race
race: ## Run the tests with the race detector
	$(GO) test -race ./...

.PHONY: lint
lint: ## gofmt, vet, staticcheck
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

.PHONY: generate
generate: ## Regenerate the schemas
	$(GO) generate ./...

.PHONY: bench
bench: ## Measure every hook and compare with the baseline
	$(GO) run ./bench -compare bench/baseline.json
	$(GO) test -run '^$$' -bench 200 ./hooks/ralph/smart/...
	$(GO) test -run '^$$' -bench Detect -benchtime 3x ./hooks/keyword
	$(GO) test -run '^$$' -bench ManyPaths ./hooks/permission

.PHONY: against
against: ## Compare the CPU time of every hook with that of another bridge: make against OLD=PATH
	$(GO) run ./bench -against $(OLD) -rounds 1500

.PHONY: baseline
baseline: ## Write the baseline that make bench compares with
	$(GO) run ./bench -json bench/baseline.json

.PHONY: e2e
e2e: ## Run the tests on the real client
	BRIDGE_E2E_CLIENT="$$(e2e/install-client.sh)" $(GO) test ./e2e/...

.PHONY: soak
soak: ## Run 300 stops of two real sessions while hooks and clients are killed
	BRIDGE_SOAK=full BRIDGE_E2E_CLIENT="$$(e2e/install-client.sh)" $(GO) test -count=1 -v -run TestSoak ./e2e

.PHONY: torture
torture: ## Test the loops under simultaneous stops, kills, a full disk and wrong clocks (at most 15 minutes)
	BRIDGE_TORTURE=full $(GO) test -count=1 -v -timeout 15m -run '^TestTorture$$' ./cmd/bridge

.PHONY: record
record: ## Record one payload per event with the pinned client
	$(GO) run ./e2e/record -client "$$(e2e/install-client.sh)" -out "e2e/testdata/recorded-$$($$(e2e/install-client.sh) --version | cut -d" " -f1)"

.PHONY: fuzz
fuzz: ## Run each fuzz target for a minute
	.ci/fuzz 60

.PHONY: mutate
mutate: ## List changed operators that no test notices (about an hour; DIRS=moderegistry for one directory)
	.ci/mutate $(DIRS)

.PHONY: shuffle
shuffle: ## Run the tests ten times in a random order beside four busy loops (20 minutes)
	.ci/shuffle

.PHONY: dist
dist: ## Build the archives and packages of a release into dist/
	$(GO) run ./release

.PHONY: smoke
smoke: ## Build those of this system into dist/, twice, and install each in a directory of its own
	$(GO) run ./release -only "$$($(GO) env GOOS)/$$($(GO) env GOARCH)" -smoke

.PHONY: plugin
plugin: ## Build the plugin's binary, for claude --plugin-dir plugin
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o plugin/bin/bridge ./cmd/bridge

.PHONY: ci
ci: ## Run what CI runs
	bash .ci/run
