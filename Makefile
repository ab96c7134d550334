# Luft: `make` builds ./luft with nothing but a C compiler; `make help` lists the rest.
# New source files, tests and fuzzers are found by wildcards: nobody edits this file to add one. EVALFILE is the
# network built into the engine.

EXE      ?= luft$(SUFFIX)
LAB_EXE  ?= luft-lab$(SUFFIX)
BUILD    ?= build
ARCH     ?= native
LAB      ?= 0
DEBUG    ?= 0
WERROR   ?= 0
SANITIZE ?=
SYZYGY   ?= $(if $(filter portable,$(ARCH)),no,auto)
PGO      ?=
EVALFILE ?= nets/luft-14.nnue
PREFIX   ?= /usr/local
BINDIR   ?= $(PREFIX)/bin
MANDIR   ?= $(PREFIX)/share/man/man6
PYTHON   ?= python3
CMOCKA   ?= -lcmocka
Q        := $(if $(filter 1,$(V)),,@)

MAKEFLAGS += --no-print-directory --no-builtin-rules
comma := ,
empty :=
space := $(empty) $(empty)
define newline


endef
ifeq ($(origin CC),default)
CC := $(firstword $(foreach c,cc gcc clang,$(if $(shell command -v $c 2>/dev/null),$c)) cc)
endif
# What CC compiles for: x86_64-linux-gnu, x86_64-w64-mingw32, aarch64-linux-gnu ... and the first word of it.
TARGET  := $(shell $(CC) -dumpmachine)
MACHINE := $(firstword $(subst -,$(space),$(TARGET)))
WINDOWS := $(findstring mingw,$(TARGET))
WASM    := $(findstring wasm,$(TARGET))
SUFFIX  := $(if $(WINDOWS),.exe)

# The first of the given flag sets (spaces written as commas) with which a program compiles and links.
probe = $(firstword $(foreach f,$1,$(if $(shell echo 'int main(void){return 0;}' | \
        $(CC) $(subst $(comma),$(space),$f) -x c - -o $(BUILD)/probe$$$$ 2>/dev/null && echo yes; \
        rm -f $(BUILD)/probe$$$$*),$f)))
$(shell mkdir -p $(BUILD))

ARCH_FLAGS_native    := -march=native
ARCH_FLAGS_x86-64    := -march=x86-64
ARCH_FLAGS_x86-64-v2 := -march=x86-64-v2
ARCH_FLAGS_x86-64-v3 := -march=x86-64-v3
ARCH_FLAGS_x86-64-v4 := -march=x86-64-v4
ARCH_FLAGS_armv8     := -march=armv8-a
ARCH_FLAGS_wasm      := -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint
ARCH_FLAGS_wasm-plain :=
ARCH_FLAGS_i686      := -march=i686 -msse2 -D_FILE_OFFSET_BITS=64
# For every processor of the machine's family; among those of x86-64 the network's kernels are chosen at the start.
PORTABLE_x86_64  := -march=x86-64
PORTABLE_aarch64 := $(ARCH_FLAGS_armv8)
PORTABLE_i686    := $(ARCH_FLAGS_i686)
ARCH_FLAGS_portable := $(PORTABLE_$(MACHINE))
CHOOSES_KERNELS := $(filter portable-x86_64,$(ARCH)-$(MACHINE))
ifeq ($(origin ARCH_FLAGS_$(ARCH)),undefined)
$(error ARCH=$(ARCH) is unknown: native, portable, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, armv8, i686, wasm or wasm-plain)
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wcast-qual -Wvla $(if $(filter 1,$(WERROR)),-Werror)
# The trainer hands vectors over by value that are wider than the processor's, from one function of its own to another.
WARNINGS += -Wno-psabi
CFLAGS   ?= $(if $(filter 1,$(DEBUG)),-O2 -g,-O3)
LUFT_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc -I. $(WARNINGS) $(ARCH_FLAGS_$(ARCH)) -ffp-contract=off
LUFT_LIBS   := -lm
ifeq ($(WASM),)
LUFT_CFLAGS += -pthread
LUFT_LIBS   += -pthread
else
LUFT_CFLAGS += -DLUFT_NO_THREADS -fvisibility=hidden -ftls-model=local-exec
endif
ifeq ($(DEBUG),1)
LUFT_CFLAGS += -fno-omit-frame-pointer
else
LUFT_CFLAGS += -DNDEBUG $(subst $(comma),$(space),$(call probe,-flto=auto -flto -flto$(comma)-fuse-ld=lld))
endif
ifneq ($(SANITIZE),)
LUFT_CFLAGS += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all
endif
ifeq ($(LAB),1)
LUFT_CFLAGS += -DLUFT_LAB
endif
ifneq ($(CHOOSES_KERNELS),)
LUFT_CFLAGS += -DLUFT_PORTABLE
endif
ifneq ($(WINDOWS),)
# Windows aligns the stack to 16 bytes only, and gcc stores wider vectors there as if it were aligned to more.
# Its headers: formats count as Microsoft's whatever is linked, and isfinite converts to float. Other builds check both.
LUFT_CFLAGS += -D__USE_MINGW_ANSI_STDIO=1 -Wa,-muse-unaligned-vector-move -Wno-format -Wno-float-conversion
LDFLAGS     += -static
endif
# Tablebases are read by the library Fathom, where there is one, or where SYZYGY names the folder of its sources.
FATHOM_SOURCE := $(wildcard $(SYZYGY)/tbprobe.c)
ifneq ($(FATHOM_SOURCE),)
LUFT_CFLAGS += -DLUFT_SYZYGY -isystem $(SYZYGY)
else ifneq ($(SYZYGY),no)
FATHOM := $(shell printf '%s\n' '#include <tbprobe.h>' 'int main(void){return !tb_init("");}' | \
          $(CC) -x c - -o $(BUILD)/fathom$$$$ -lfathom 2>/dev/null && echo -lfathom; rm -f $(BUILD)/fathom$$$$*)
ifneq ($(FATHOM),)
LUFT_CFLAGS += -DLUFT_SYZYGY
LUFT_LIBS   += $(FATHOM)
else ifneq ($(SYZYGY),auto)
$(error SYZYGY=$(SYZYGY): needs Fathom, and there is neither the library (libfathom-dev in Debian) nor such a folder with tbprobe.c)
endif
endif
ifeq ($(EVALFILE),none)
NET_CFLAGS := -DLUFT_NO_NETWORK
else ifneq ($(EVALFILE),)
$(if $(wildcard $(EVALFILE)),,$(error EVALFILE=$(EVALFILE) does not exist))
NET_CFLAGS := -DLUFT_EVALFILE='"$(EVALFILE)"'
endif

# Without blanks and '=', which rules cannot have in a name.
CONFIG  := $(subst =,-,$(subst $(space),-,$(notdir $(CC))-$(ARCH)$(if $(filter 1,$(DEBUG)),-debug)$(if $(filter 1,$(LAB)),-lab)))
CONFIG  := $(CONFIG)$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(PGO),-pgo)
OBJECTS ?= $(BUILD)/$(CONFIG)

# Profile-guided builds: `make pgo` builds with counters, runs bench and a few games of self-play, builds again in the same folder.
PROFILE := $(OBJECTS)/luft.profile
IS_CLANG := $(if $(PGO),$(findstring clang,$(shell $(CC) --version)))
PROFDATA  = $(firstword $(shell command -v llvm-profdata) $(wildcard $(shell $(CC) -print-prog-name=llvm-profdata)))
PGO_generate := $(if $(IS_CLANG),-fprofile-instr-generate=$(PROFILE)-%m.profraw,-fprofile-generate)
PGO_use      := $(if $(IS_CLANG),-fprofile-instr-use=$(PROFILE),-fprofile-use -Wno-missing-profile)
LUFT_CFLAGS  += $(if $(PGO),$(PGO_$(PGO))) $(CFLAGS) $(CPPFLAGS)

ENGINE_OBJECTS := $(patsubst %.c,$(OBJECTS)/%.o,$(filter-out src/cli/main.c,$(sort $(wildcard src/*/*.c))))
ENGINE_OBJECTS += $(if $(FATHOM_SOURCE),$(OBJECTS)/fathom/tbprobe.o)
LAB_OBJECTS    := $(patsubst %.c,$(OBJECTS)/%.o,$(sort $(wildcard lab/*/*.c)))
LAB_TESTS      := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(shell grep -l '"lab/' tests/unit/test_*.c 2>/dev/null))
SRC_TESTS      := $(filter-out $(LAB_TESTS),$(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/unit/test_*.c)))
POSIX_TESTS    := $(patsubst %,$(OBJECTS)/tests/unit/test_%$(SUFFIX),evalfile file folder uci)
PERFT_SUITE    := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/perft/*.c))
KERNELS_x86_64  := scalar sse2 avx2 avx512 avx512vnni
KERNELS_aarch64 := scalar neon
KERNELS_i686    := scalar sse2
KERNEL_OBJECTS := $(patsubst %,$(OBJECTS)/kernels/%.o,$(or $(KERNELS_$(MACHINE)),scalar))
ifneq ($(CHOOSES_KERNELS),)
ENGINE_OBJECTS := $(filter-out %/nnue/kernels.o,$(ENGINE_OBJECTS)) $(filter-out %/scalar.o,$(KERNEL_OBJECTS))
endif
TOY_ENGINES    := $(patsubst %.c,$(OBJECTS)/%$(SUFFIX),$(wildcard tests/toy/*.c))
FUZZERS        := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYERS      := $(FUZZERS:%=$(OBJECTS)/tests/fuzz/replay_%)

all: $(EXE) ## ./luft, the engine (the default); options below

# A program is linked among its objects and copied out, so that a change of options never leaves an old one.
$(EXE): $(OBJECTS)/luft$(SUFFIX) FORCE
	@cmp -s $< $@ || { mkdir -p $(@D) && cp -f $< $@ && echo "$@ is ready"; }
$(LAB_EXE): $(OBJECTS)/luft-lab$(SUFFIX) FORCE
	@cmp -s $< $@ || { mkdir -p $(@D) && cp -f $< $@ && echo "$@ is ready"; }
$(if $(filter luft,$(EXE)),,luft): $(EXE)
$(if $(filter luft-lab,$(LAB_EXE)),,luft-lab): $(LAB_EXE)

link = @echo '  LINK $@'$(newline)	$(Q)$(CC) $(LUFT_CFLAGS) $(LDFLAGS) $(filter %.o,$^) -o $@ $(LUFT_LIBS)

$(OBJECTS)/luft$(SUFFIX): $(ENGINE_OBJECTS) $(OBJECTS)/src/cli/main.o
	$(link)
$(OBJECTS)/luft-lab$(SUFFIX): $(filter-out $(OBJECTS)/src/uci/% $(OBJECTS)/src/cli/%,$(ENGINE_OBJECTS)) $(LAB_OBJECTS) $(OBJECTS)/lab/main.o
	$(link)
$(SRC_TESTS): %$(SUFFIX): %.o $(ENGINE_OBJECTS) $(KERNEL_OBJECTS)
	$(link) $(CMOCKA)
$(LAB_TESTS): %$(SUFFIX): %.o $(ENGINE_OBJECTS) $(LAB_OBJECTS)
	$(link) $(CMOCKA)
$(PERFT_SUITE) $(TOY_ENGINES): %$(SUFFIX): %.o $(filter $(OBJECTS)/src/base/% $(OBJECTS)/src/chess/%,$(ENGINE_OBJECTS))
	$(link)
$(REPLAYERS): $(OBJECTS)/tests/fuzz/replay_%: $(OBJECTS)/tests/fuzz/fuzz_%.o $(OBJECTS)/tests/fuzz/replay.o \
              $(OBJECTS)/tests/fuzz/vary.o $(ENGINE_OBJECTS) $(LAB_OBJECTS)
	$(link)
$(FUZZERS:%=$(OBJECTS)/tests/fuzz/fuzz_%): %: %.o $(OBJECTS)/tests/fuzz/driver.o $(OBJECTS)/tests/fuzz/vary.o \
              $(ENGINE_OBJECTS) $(LAB_OBJECTS)
	$(link) -fsanitize=fuzzer

$(OBJECTS)/%.o: %.c $(OBJECTS)/flags
	@mkdir -p $(@D); echo '  CC   $<'
	$(Q)$(CC) $(LUFT_CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c $< -o $@
$(OBJECTS)/lab/train/%.o: EXTRA_CFLAGS = -fno-math-errno
# Most of the training with layers is products that are summed up: one instruction for both where there is one.
$(OBJECTS)/lab/train/stack.o: EXTRA_CFLAGS = -fno-math-errno -ffp-contract=fast
$(OBJECTS)/src/nnue/embedded.o: EXTRA_CFLAGS = $(NET_CFLAGS) -fno-lto
# A page loads the whole module: what does not search is compiled for size.
$(patsubst src/%.c,$(OBJECTS)/src/%.o,$(wildcard src/explain/*.c src/library/*.c src/chess/fen.c src/chess/pgn*.c \
  src/chess/san.c src/engine/json.c)): EXTRA_CFLAGS = $(if $(WASM),-Os)
$(OBJECTS)/src/nnue/embedded.o: $(filter-out none,$(EVALFILE))

# The commit of a development build. Sources without .git have none; COMMIT= leaves it out.
COMMIT := $(if $(wildcard .git),$(shell git rev-parse --short=7 HEAD 2>/dev/null))
# Without the folder in which a package is built.
without_paths = $(filter-out -ffile-prefix-map=% -fdebug-prefix-map=% -fmacro-prefix-map=%,$1)
BUILD_OPTIONS := $(foreach v,ARCH LAB DEBUG SANITIZE PGO CFLAGS CPPFLAGS,$(if $(filter-out 0,$($v)),$v=$(call without_paths,$($v))))
BUILD_OPTIONS := $(strip $(subst ",,$(subst ',,$(subst \,,$(BUILD_OPTIONS)))))
$(OBJECTS)/src/engine/version.o: EXTRA_CFLAGS = -DLUFT_COMMIT='"$(COMMIT)"' -DLUFT_BUILD='"$(BUILD_OPTIONS)"'
$(OBJECTS)/src/engine/version.o: $(OBJECTS)/commit

# What runs before the processor is known to fit: compiled for every processor of its family.
FLOOR_x86_64 := -march=x86-64 -fno-lto
$(patsubst %,$(OBJECTS)/%.o,src/cli/main lab/main src/base/processor): EXTRA_CFLAGS = $(FLOOR_$(MACHINE))

# The network's kernels once for each instruction set, as kernels_for_width_<set>: the tests compare them with each
# other, and a portable build chooses among them (src/nnue/dispatch.c).
KERNEL_FLAGS_scalar := -DSIMD_LEVEL=SIMD_SCALAR
KERNEL_FLAGS_sse2   := -DSIMD_LEVEL=SIMD_SSE2 -msse2
KERNEL_FLAGS_avx2   := -DSIMD_LEVEL=SIMD_AVX2 -mavx2
KERNEL_FLAGS_avx512 := -DSIMD_LEVEL=SIMD_AVX512 -mavx512f -mavx512bw -mno-avx512vnni
KERNEL_FLAGS_avx512vnni := -DSIMD_LEVEL=SIMD_AVX512 -mavx512f -mavx512bw -mavx512vnni
KERNEL_FLAGS_neon   := -DSIMD_LEVEL=SIMD_NEON
$(OBJECTS)/kernels/%.o: src/nnue/kernels.c $(OBJECTS)/flags
	@mkdir -p $(@D); echo '  CC   $< for $*'
	$(Q)$(CC) $(LUFT_CFLAGS) $(KERNEL_FLAGS_$*) -DKERNELS_FOR_WIDTH=kernels_for_width_$* -MMD -MP -c $< -o $@

# As Debian builds it: without locks (src/tb does without), for every processor. Its warnings are not ours.
$(OBJECTS)/fathom/%.o: $(SYZYGY)/%.c $(OBJECTS)/flags
	@mkdir -p $(@D); echo '  CC   $(<F) of Fathom'
	$(Q)$(CC) $(LUFT_CFLAGS) -std=gnu11 -w -DTB_NO_THREADS -DTB_NO_HW_POP_COUNT -MMD -MP -c $< -o $@

$(OBJECTS)/commit: FORCE
	@mkdir -p $(@D); echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@

# Rewritten only when the compiler or its options change: then everything is compiled again.
$(OBJECTS)/flags: FORCE
	@mkdir -p $(@D); printf '%s\n' '$(CC) $(LUFT_CFLAGS) $(subst ','\'',$(NET_CFLAGS))' | cmp -s - $@ || \
	  printf '%s\n' '$(CC) $(LUFT_CFLAGS) $(subst ','\'',$(NET_CFLAGS))' > $@

-include $(shell find $(OBJECTS) -name '*.d' 2>/dev/null)
$(OBJECTS)/%.d: ;

# --- for people ---
GAME := b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24
run: $(EXE) ## build and analyse Kasparov - Topalov 1999 before 24. Rxd4, for a few seconds
	./$(EXE) analyse --time 5 "$(GAME)"

install: $(EXE) ## into PREFIX (/usr/local), with the man page; DESTDIR and BINDIR are honoured
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	install -m 755 $(EXE) $(DESTDIR)$(BINDIR)/luft$(SUFFIX)
	install -m 644 docs/luft.6 $(DESTDIR)$(MANDIR)/luft.6
install-lab: $(LAB_EXE) ## luft-lab and its man page, in the same way
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	install -m 755 $(LAB_EXE) $(DESTDIR)$(BINDIR)/luft-lab$(SUFFIX)
	install -m 644 docs/luft-lab.6 $(DESTDIR)$(MANDIR)/luft-lab.6
uninstall: ## takes away what install and install-lab put there
	rm -f $(DESTDIR)$(BINDIR)/luft$(SUFFIX) $(DESTDIR)$(MANDIR)/luft.6
	rm -f $(DESTDIR)$(BINDIR)/luft-lab$(SUFFIX) $(DESTDIR)$(MANDIR)/luft-lab.6

pgo: ## ./luft and ./luft-lab again, guided by a profile of the bench and of generated games
	rm -rf $(BUILD)/$(CONFIG)-pgo
	$(MAKE) PGO=generate EXE=$(BUILD)/luft-profiling LAB_EXE=$(BUILD)/luft-lab-profiling all luft-lab
	$(BUILD)/luft-profiling bench | tail -n 1
	$(BUILD)/luft-lab-profiling datagen --out $(BUILD)/profiling.games --games 20 --threads 1 --quiet
	rm -f $(BUILD)/profiling.games*
	$(MAKE) PGO=use profile
	$(MAKE) PGO=use all luft-lab
profile:
	$(if $(IS_CLANG),$(PROFDATA) merge -o $(PROFILE) $(PROFILE)-*.profraw,@:)

# --- for other machines: build/dist/luft-VERSION-PLATFORM ---
VERSION ?= $(shell sed -n 's/^.define ENGINE_VERSION  *"\([^"]*\)".*/\1/p' src/engine/version.h)
DIST    := $(BUILD)/dist/luft-$(VERSION)
windows: ## Luft for Windows, by mingw-w64 (Debian: gcc-mingw-w64-x86-64)
	$(MAKE) CC=x86_64-w64-mingw32-gcc ARCH=portable EXE=$(DIST)-windows-x86-64.exe all
arm64: ## Luft for Linux on 64-bit ARM, by a cross compiler (Debian: gcc-aarch64-linux-gnu)
	$(MAKE) CC=aarch64-linux-gnu-gcc ARCH=armv8 LDFLAGS=-static EXE=$(DIST)-linux-arm64 all

dist: setup-platforms web/node_modules ## archives of all that is released, in build/dist; PLATFORMS=linux-x86-64 makes one alone
	@$(PYTHON) release/dist.py $(VERSION) $(PLATFORMS)

# What the library is made of.
LIB_OBJECTS = $(filter-out $(patsubst %,$(OBJECTS)/src/%,base/interrupt.o uci/% cli/% review/%),$(ENGINE_OBJECTS))

# The library as one file for each kind of host, without threads and without a network (bindings/wasm is its face).
# Linked without -O: with it clang calls wasm-opt where there is one, and the result would depend on that.
WASM_OPTIONS = CC='clang --target=wasm32-wasi' EVALFILE=none SYZYGY=no wasm-file
wasm: ## Luft for WebAssembly, with and without SIMD (Debian: clang lld wasi-libc libclang-rt-dev-wasm32)
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm WASM_FILE=$(DIST)-wasm/luft.wasm
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm-plain WASM_FILE=$(DIST)-wasm/luft-plain.wasm
	cp bindings/wasm/luft.mjs $(WEB_NET) $(DIST)-wasm/
wasm-file: $(WASM_FILE)
$(WASM_FILE): $(LIB_OBJECTS) $(OBJECTS)/bindings/wasm/host.o
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(filter-out -O%,$(LUFT_CFLAGS)) -mexec-model=reactor -Wl,--export-dynamic -Wl,--lto-O3 \
	  -Wl,-z,stack-size=1048576 -Wl,--export=malloc -Wl,--export=free -Wl,--strip-all $^ -o $@ $(LUFT_LIBS)

# The page, from static files: web/dist. Its network is the small one of nets/web where there is one.
WEB_NET ?= $(firstword $(wildcard nets/web/*.nnue) $(EVALFILE))
web: wasm web/node_modules ## the page for browsers, in web/dist (Debian: nodejs npm, and what `make wasm` needs)
	@mkdir -p $(BUILD)/web
	cp $(DIST)-wasm/luft.wasm $(DIST)-wasm/luft-plain.wasm $(BUILD)/web/
	cp $(WEB_NET) $(BUILD)/web/luft.nnue
	cd web && LUFT_WEB_ENGINE=$(abspath $(BUILD))/web npm run --silent build
web/node_modules: web/package.json web/package-lock.json
	cd web && npm ci --silent && touch node_modules
run-web: web ## builds the page and serves it on this machine (PORT=8080)
	node web/tools/serve.mjs web/dist --port $(or $(PORT),8080)
check-web: web ## the page in Chromium: scenarios, sizes, speed (Debian: chromium)
	$(MAKE) ARCH=x86-64-v2 EVALFILE=$(WEB_NET) OBJECTS=$(BUILD)/web-native engine
	cd web && npm run --silent check
	node web/tests/check.mjs $(abspath $(BUILD))/web-native/luft $(if $(ONLY),--only '$(ONLY)')

# The library: compiled apart, position independent, its inner symbols hidden.
ABI      := $(shell sed -n 's/^.define LUFT_ABI  *//p' include/luft.h)
LIB      := $(BUILD)/lib
LIBDIR   ?= $(PREFIX)/lib
lib: ## libluft, shared and static, and luft.pc in build/lib
	$(MAKE) OBJECTS=$(BUILD)/$(CONFIG)-lib CPPFLAGS='$(CPPFLAGS) -fPIC -fvisibility=hidden -fno-lto' lib-files
lib-files: $(LIB)/libluft.so.$(ABI) $(LIB)/libluft.a $(LIB)/luft.pc
$(LIB)/libluft.so.$(ABI): $(LIB_OBJECTS)
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(LUFT_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F) $^ -o $@ $(LUFT_LIBS)
	$(Q)ln -sf $(@F) $(LIB)/libluft.so
$(LIB)/libluft.a: $(LIB_OBJECTS)
	@mkdir -p $(@D); echo '  AR   $@'
	$(Q)$(CC) -nostdlib -r $^ -o $(LIB)/luft.o
	$(Q)objcopy --localize-hidden $(LIB)/luft.o
	$(Q)rm -f $@; ar rcsD $@ $(LIB)/luft.o
$(LIB)/luft.pc: FORCE
	@mkdir -p $(@D); printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$${prefix}/include' '' 'Name: luft' \
	  'Description: the chess engine Luft as a library' 'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	  'Libs: -L$${libdir} -lluft' 'Libs.private: $(LUFT_LIBS)' > $@
install-lib: lib ## libluft, its header and luft.pc, into PREFIX (/usr/local); DESTDIR is honoured
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 644 $(LIB)/libluft.so.$(ABI) $(LIB)/libluft.a $(DESTDIR)$(LIBDIR)
	ln -sf libluft.so.$(ABI) $(DESTDIR)$(LIBDIR)/libluft.so
	install -m 644 $(LIB)/luft.pc $(DESTDIR)$(LIBDIR)/pkgconfig/luft.pc
	install -m 644 include/luft.h $(DESTDIR)$(PREFIX)/include/luft.h

# --- for those who change it ---
setup: ## install what only the tests need, where it is missing
	@tests/setup
check: setup ## everything: builds with asserts and -Werror, all tests, layers, tidy, bench on every build
	@$(PYTHON) tests/run.py check --build $(BUILD)/check --cc "$(CC)"
sanitize: setup ## unit tests, perft, corpus and conversations under address and undefined-behaviour sanitizers
	@$(PYTHON) tests/run.py sanitize --build $(BUILD)/check --cc "$(CC)"
tsan: setup ## the tests of threads under the thread sanitizer
	@$(PYTHON) tests/run.py tsan --build $(BUILD)/check --cc "$(CC)"
results-tables: ## the tables of the documents, from results/*.tsv
	@$(PYTHON) tests/tools/results.py
tidy: setup ## clang-format and clang-tidy, both must be silent
	@$(PYTHON) tests/run.py tidy --build $(BUILD)/check --cc "$(CC)"
setup-platforms: ## install what the builds and proofs for other machines need (Debian 12)
	@tests/setup-platforms
check-portable: ## the portable x86-64 build on old, middle and recent processors, by qemu
check-windows: ## the build for Windows, under wine
check-arm64: ## the build for 64-bit ARM, by qemu
check-32: ## the unit tests of src where a size_t has four bytes
check-lib: ## the library: its symbols, its examples, eight engines in eight threads
check-wasm: ## the build for WebAssembly, in Node
check-dist: ## the released archives: contents, programs, the same bytes from another folder
check-debian: ## Debian's packages: built, looked through by lintian, a game by the installed programs
check-speed: ## nodes a second of the portable build, cost of slices; wants an idle machine
CHECKS := portable windows arm64 32 lib wasm dist debian speed
$(CHECKS:%=check-%): setup-platforms
	@$(PYTHON) tests/platforms.py $(@:check-%=%) --build $(BUILD)/check --cc "$(CC)"
faults: setup ## ten thousand injected faults (SEED=1, TRIALS=10000): junk, kills, full disks, damaged files ...
	$(MAKE) DEBUG=1 BUILD=$(BUILD)/faults OBJECTS=$(BUILD)/faults/objects programs
	$(MAKE) DEBUG=1 LAB=1 BUILD=$(BUILD)/faults OBJECTS=$(BUILD)/faults/lab-options engine
	@LUFT=$(BUILD)/faults/objects/luft LUFT_LAB=$(BUILD)/faults/objects/luft-lab \
	  TOY_ENGINE=$(BUILD)/faults/objects/tests/toy/toy_engine LUFT_SWITCHES=$(BUILD)/faults/lab-options/luft \
	  $(PYTHON) tests/faults/run.py --seed $(or $(SEED),1) --trials $(or $(TRIALS),10000) --cc "$(CC)"
fuzz: setup ## each fuzzer for a minute (SECONDS=60), from the corpus in tests/fuzz/corpus
	@tests/fuzz/run $(BUILD)/fuzz $(or $(SECONDS),60) $(FUZZERS)

engine: $(OBJECTS)/luft$(SUFFIX)
programs: $(OBJECTS)/luft$(SUFFIX) $(OBJECTS)/luft-lab$(SUFFIX) $(TOY_ENGINES)
tests: programs $(SRC_TESTS) $(LAB_TESTS) $(PERFT_SUITE) $(REPLAYERS)
src-tests: engine $(filter-out $(if $(WINDOWS),$(POSIX_TESTS)),$(SRC_TESTS)) $(PERFT_SUITE)
fuzzers: $(FUZZERS:%=$(OBJECTS)/tests/fuzz/fuzz_%)

clean: ## remove everything that was built
	rm -rf $(BUILD) $(EXE) $(LAB_EXE)
help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'
	@echo '  make luft-lab      ./luft-lab, the laboratory'
	@echo 'Options: V=1, ARCH=native|portable|x86-64|x86-64-v2|x86-64-v3|x86-64-v4|armv8|i686|wasm|wasm-plain, CC=gcc|clang, EXE=name, EVALFILE=net,'
	@echo '         LAB=1 (numbers and techniques as UCI options), DEBUG=1 (asserts), SANITIZE=address,undefined,'
	@echo '         SYZYGY=auto|yes|no|folder (tablebases, by libfathom or its sources; a portable build has none unless told)'

FORCE:
.PHONY: all run install install-lab uninstall pgo profile setup setup-platforms windows arm64 check $(CHECKS:%=check-%) \
        lib lib-files install-lib wasm wasm-file dist web run-web check-web sanitize tsan results-tables tidy faults fuzz engine programs tests src-tests \
        fuzzers clean help FORCE
.SECONDARY:
