# Test programs, and the scripts that run them (docs/testing.md).

CMOCKA ?= -lcmocka
ifeq ($(origin AR),default)
AR = $(shell $(CC) -print-prog-name=ar)
endif

UNIT_TESTS  := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/unit/test_*.c))
PERFT_SUITE := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/perft/*.c))
TOY_ENGINES := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/toy/*.c))
EXAMPLES    := $(OBJECTS)/examples/trace$(SUFFIX)
FUZZERS     := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYERS   := $(FUZZERS:%=$(OBJECTS)/tests/fuzz/replay_%)
TEST_LIBRARIES := $(OBJECTS)/lab.a $(OBJECTS)/luft.a

# For other systems: without the laboratory, and on Windows without what only POSIX has.
ifneq ($(filter src-tests,$(MAKECMDGOALS)),)
LAB_TESTS   := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(shell grep -l '"lab/' tests/unit/test_*.c))
POSIX_TESTS := $(if $(WINDOWS),$(patsubst %,$(OBJECTS)/tests/unit/test_%$(SUFFIX),evalfile file folder recall store system uci))
UNIT_TESTS  := $(filter-out $(LAB_TESTS) $(POSIX_TESTS),$(UNIT_TESTS))
TEST_LIBRARIES := $(OBJECTS)/luft.a
endif

# A test program has of the engine and of the laboratory only what it needs, so that it is linked quickly.
$(OBJECTS)/luft.a: $(sort $(ENGINE_OBJECTS) $(KERNEL_OBJECTS))
$(OBJECTS)/lab.a: $(LAB_OBJECTS)
$(OBJECTS)/luft.a $(OBJECTS)/lab.a:
	@echo '  AR   $@'; rm -f $@
	$(Q)$(AR) qcs $@ $^
$(UNIT_TESTS) $(PERFT_SUITE) $(TOY_ENGINES) $(EXAMPLES): %$(SUFFIX): %.o $(TEST_LIBRARIES)
	$(link)
$(UNIT_TESTS): LUFT_LIBS += $(CMOCKA)
$(EXAMPLES:%$(SUFFIX)=%.o): FILE_CFLAGS = -Iinclude
$(REPLAYERS): $(OBJECTS)/tests/fuzz/replay_%: $(OBJECTS)/tests/fuzz/fuzz_%.o $(OBJECTS)/tests/fuzz/replay.o \
              $(OBJECTS)/tests/fuzz/vary.o $(TEST_LIBRARIES)
	$(link)
$(FUZZERS:%=$(OBJECTS)/tests/fuzz/fuzz_%): %: %.o $(OBJECTS)/tests/fuzz/driver.o $(OBJECTS)/tests/fuzz/vary.o $(TEST_LIBRARIES)
	$(link) -fsanitize=fuzzer

# MPI leaks, so that no sanitizer likes it, and has a library for this processor only.
WITH_MPI := $(if $(filter native-,$(ARCH)-$(SANITIZE)$(STATIC)),$(if $(shell command -v $(MPICC)),$(OBJECTS)/luft-lab-mpi$(SUFFIX)))
programs: $(OBJECTS)/luft$(SUFFIX) $(OBJECTS)/luft-lab$(SUFFIX) $(WITH_MPI) $(TOY_ENGINES) $(EXAMPLES)
unit-tests: programs $(UNIT_TESTS) $(PERFT_SUITE)
tests: unit-tests $(REPLAYERS)
src-tests: engine $(UNIT_TESTS) $(PERFT_SUITE)
fuzzers: $(FUZZERS:%=$(OBJECTS)/tests/fuzz/fuzz_%)

setup: ## install what only the tests need, where it is missing
	@tests/setup
SUITES := check check-all sanitize tsan tidy
check: ## builds with asserts and -Werror, all tests, layers, bench on every build: some minutes
check-all: ## what takes longer than check: sanitizers, every optimised build, full perft, faults, tidy with its analyser
sanitize: ## unit tests, perft, corpus and conversations under address and undefined-behaviour sanitizers
tsan: ## the tests of threads under the thread sanitizer
tidy: ## clang-format and clang-tidy, both must be silent
$(SUITES): setup
	@$(PYTHON) tests/run.py $@ --build $(BUILD)/check --cc "$(CC)"
faults: setup ## twenty thousand injected faults (SEED=1, TRIALS=20000): signals, full disks, damaged files, closed streams ...
	$(MAKE) DEBUG=1 BUILD=$(BUILD)/faults OBJECTS=$(BUILD)/faults/objects programs
	$(MAKE) DEBUG=1 LAB=1 BUILD=$(BUILD)/faults OBJECTS=$(BUILD)/faults/lab-options engine
	@LUFT=$(BUILD)/faults/objects/luft LUFT_LAB=$(BUILD)/faults/objects/luft-lab \
	  TOY_ENGINE=$(BUILD)/faults/objects/tests/toy/toy_engine LUFT_SWITCHES=$(BUILD)/faults/lab-options/luft \
	  $(PYTHON) tests/faults/run.py --seed $(or $(SEED),1) --trials $(or $(TRIALS),20000) --cc "$(CC)"
fuzz: setup ## each fuzzer for a minute (SECONDS=60), from the corpus in tests/fuzz/corpus
	@tests/fuzz/run $(BUILD)/fuzz $(or $(SECONDS),60) $(FUZZERS)
results-tables: ## the tables of the documents, from results/*.tsv
	@$(PYTHON) tests/tools/results.py

trees: engine ## the trees in docs/search.md and docs/explain.md, drawn by this search and network
	@$(PYTHON) tests/tools/tree_pictures.py $(OBJECTS)/luft$(SUFFIX)
check-trees: engine ## whether those trees are of this search and network
	@$(PYTHON) tests/tools/tree_pictures.py --check $(OBJECTS)/luft$(SUFFIX)

# --- for other machines (docs/platforms.md) and the page (docs/web.md) ---
setup-platforms: ## install what the builds and checks for other machines need (Debian 12)
	@tests/setup-platforms
CHECKS := portable windows arm64 macos 32 lib wasm npm wheels dist debian speed
check-portable: ## the portable x86-64 build on old, middle and recent processors, by qemu
check-windows: ## the build for Windows, under wine
check-arm64: ## the build for 64-bit ARM, by qemu
check-macos: ## the build for macOS: structure, signature, all unit tests linked; nothing can be run here
check-32: ## the unit tests of src where a size_t has four bytes
check-lib: ## the library: its symbols, its examples, eight engines in eight threads
check-wasm: ## the build for WebAssembly, in Node
check-npm: ## the package for npm: contents, in Node, on a page, and on a page by Vite
check-wheels: ## the Python wheels: contents, installed without an index, wine and qemu (PLATFORMS=linux-x86-64: that alone)
check-dist: ## the released archives: contents, programs, the same bytes from another folder
check-debian: ## Debian's packages: built, looked through by lintian, a game by the installed programs
check-speed: ## nodes a second of the portable build, cost of slices; needs an idle machine
$(CHECKS:%=check-%): setup-platforms
	@$(PYTHON) tests/platforms.py $(@:check-%=%) --build $(BUILD)/check --cc "$(CC)" --only "$(PLATFORMS)"
check-web: web ## the page in Chromium and Firefox: scenarios, sizes, speed (Debian: chromium firefox-esr)
	$(MAKE) ARCH=x86-64-v2 EVALFILE=$(WEB_NET) OBJECTS=$(BUILD)/web-native engine
	cd web && npm run --silent check
	node web/tests/check.mjs $(abspath $(BUILD))/web-native/luft $(if $(ONLY),--only '$(ONLY)')

check-mcp: engine ## the tools for assistants, called by the client of others (Debian: nodejs npm)
	@mkdir -p $(BUILD)/mcp && cp tests/mcp/* $(BUILD)/mcp/
	cd $(BUILD)/mcp && npm ci --silent
	node $(BUILD)/mcp/client.mjs $(abspath $(OBJECTS))/luft

.PHONY: programs unit-tests tests src-tests fuzzers setup $(SUITES) faults fuzz results-tables trees check-trees setup-platforms $(CHECKS:%=check-%) check-web check-mcp
