# Luft: `make` builds ./luft with nothing but a C compiler, `make help` lists the rest, which is in mk/*.mk.
# New source files, tests and fuzzers are found by wildcards: nobody edits this file to add one.

EXE      ?= luft$(SUFFIX)
LAB_EXE  ?= luft-lab$(SUFFIX)
BUILD    ?= build
ARCH     ?= native
EVALFILE ?= nets/luft-16.nnue
PYTHON   ?= python3
Q        := $(if $(filter 1,$(V)),,@)
MAKEFLAGS += --no-print-directory --no-builtin-rules

all: luft ## ./luft, the engine (the default); options below

help: ## this list
	@awk -F: '/^[a-z0-9-]+:.*## / { name = $$1; sub(/.*## /, ""); printf "  make %-15s %s\n", name, $$0 }' Makefile mk/*.mk
	@echo 'Options: V=1, ARCH=native|portable|x86-64|x86-64-v2|x86-64-v3|x86-64-v4|armv8|i686|wasm|wasm-plain, CC=gcc|clang,'
	@echo '         EXE=name, EVALFILE=net, DEBUG=1 (asserts), SANITIZE=address,undefined,'
	@echo '         STATIC=1 (no library needed, hardened, as released),'
	@echo '         LAB=1 (numbers and techniques as UCI options), MPI=1 (luft-lab: training on several computers)'
clean: ## remove everything that was built
	rm -rf $(BUILD) $(EXE) $(LAB_EXE) luft.exe luft-lab.exe
.PHONY: all help clean

# Goals next to `clean` are built after it. Neither `clean` nor `help` needs a compiler or what is found by calling one.
GOALS := $(filter-out clean,$(or $(MAKECMDGOALS),all))
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.PHONY: $(GOALS)
$(firstword $(GOALS)): clean
	@$(MAKE) $(GOALS)
$(filter-out $(firstword $(GOALS)),$(GOALS)): $(firstword $(GOALS)) ;
else ifneq ($(GOALS),help)

# All processors, unless -j is given.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null || echo 2)
endif

include mk/target.mk mk/pgo.mk

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wcast-qual -Wvla \
            $(if $(filter 1,$(WERROR)),-Werror)
CFLAGS   ?= $(if $(filter 1,$(DEBUG)),-O2 -gdwarf-4,-O3)
LUFT_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc -I. $(WARNINGS) -ffp-contract=off $(TARGET_CFLAGS) $(HARDENING) $(FORTIFY)
LUFT_LIBS   := -lm $(TARGET_LIBS)
LUFT_CFLAGS += $(if $(filter 1,$(DEBUG)),-fno-omit-frame-pointer,-DNDEBUG $(LTO)) $(if $(filter 1,$(LAB)),-DLUFT_LAB)
LUFT_CFLAGS += $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) $(PGO_CFLAGS) $(CFLAGS) $(CPPFLAGS)

ENGINE_OBJECTS := $(patsubst %.c,$(OBJECTS)/%.o,$(filter-out src/cli/main.c,$(sort $(wildcard src/*/*.c))))
ENGINE_OBJECTS += $(patsubst %.c,$(OBJECTS)/%.o,$(SQLITE))
ifneq ($(CHOOSES_KERNELS),)
ENGINE_OBJECTS := $(filter-out %/nnue/kernels.o,$(ENGINE_OBJECTS)) $(filter-out %/scalar.o,$(KERNEL_OBJECTS))
endif

# A portable program is compiled once more for x86-64-v3 (src/cli/program.h): one object, of which only that name is global. It
# uses the network, the lessons, the kernels and SQLite of the first compilation.
ifneq ($(CHOOSES_PROGRAM),)
SECOND := $(OBJECTS)/v3/program.o
$(SECOND): FORCE
	@mkdir -p $(@D)
	$(Q)$(MAKE) ARCH=portable-v3 OBJECTS=$(@D) $@
else
$(OBJECTS)/program.o: $(filter-out %/embedded.o %/shelf.o %/sqlite3.o $(KERNEL_OBJECTS),$(ENGINE_OBJECTS))
	@echo '  LINK $@'
	$(Q)$(CC) $(LUFT_CFLAGS) -nostdlib -r $(ONE_OBJECT) $^ -o $@
	$(Q)$(OBJCOPY) --keep-global-symbol=program_v3 $@
endif

# A program is linked among its objects and copied out, so that a change of options never leaves an old one.
luft: $(filter-out luft,$(EXE))
$(EXE): $(OBJECTS)/luft$(SUFFIX) FORCE
	$(copy)
$(OBJECTS)/luft$(SUFFIX): $(ENGINE_OBJECTS) $(OBJECTS)/src/cli/main.o $(SECOND)
	$(link)

define copy
@cmp -s $< $@ || { mkdir -p $(@D) && cp -f $< $@ && echo "$@ is ready"; }
endef
define link
@echo '  LINK $@'
$(Q)$(CC) $(LUFT_CFLAGS) $(LDFLAGS) $(filter %.o %.a,$^) -o $@ $(LUFT_LIBS)
endef
define compile
@mkdir -p $(@D); echo '  CC   $<'
$(Q)$(CC) $(LUFT_CFLAGS) $(FILE_CFLAGS) $(PROFILE_CFLAGS) -MMD -MP -c $< -o $@
endef
$(OBJECTS)/%.o: %.c $(OBJECTS)/flags
	$(compile)

# Link-time optimisation is slow: only what the search runs at every node has it. A page loads the whole module, and an archive
# has two programs: the rest is compiled for size there, and for the same processor, so that xz finds it twice.
QUICK := $(if $(WASM),-Oz,$(if $(filter 1,$(STATIC)),-Os -ffunction-sections,$(patsubst -O3,-O2,$(filter -O3,$(CFLAGS)))) $(if $(LTO),-fno-lto))
ifeq ($(STATIC)-$(ARCH),1-portable-v3)
QUICK += $(FLOOR)
endif
$(foreach f,store engine record explain overview learn review library uci mcp cli,$(OBJECTS)/src/$f/%.o): FILE_CFLAGS = $(QUICK)
$(OBJECTS)/src/search/trace.o: FILE_CFLAGS = $(if $(WASM),-Oz,$(if $(LTO),-fno-lto))
# Of the folders that search, the files in which no node spends its time.
QUIET := $(patsubst %.c,$(OBJECTS)/%.o,$(wildcard $(addprefix src/,base/*.c level/*.c tb/*.c nnue/dispatch.c nnue/network.c \
           $(addprefix chess/,attacks.c fen.c game.c perft.c pgn*.c plain.c reader.c san.c) \
           $(addprefix search/,mate.c params.c pool.c replay.c shared.c timeman.c))))
ifeq ($(STATIC),1)
$(QUIET): FILE_CFLAGS = -Os
endif
# What runs before the processor is known to fit is compiled for every processor of its family.
$(patsubst %,$(OBJECTS)/%.o,src/cli/main lab/main src/library/create src/base/processor): FILE_CFLAGS = $(if $(FLOOR),$(FLOOR) -fno-lto)

$(OBJECTS)/%/sqlite3.o: FILE_CFLAGS = -w -Os -ffunction-sections -fno-lto -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1 -DSQLITE_DQS=0 -DSQLITE_UNTESTABLE \
  $(patsubst %,-DSQLITE_OMIT_%,AUTHORIZATION COMPILEOPTION_DIAGS COMPLETE DECLTYPE DEPRECATED DESERIALIZE GET_TABLE INCRBLOB JSON PROGRESS_CALLBACK SHARED_CACHE TRACE UTF16)

# The network in the program, copied by the assembler.
ifeq ($(EVALFILE),none)
NET_CFLAGS := -DLUFT_NO_NETWORK
else
$(if $(wildcard $(EVALFILE)),,$(error EVALFILE=$(EVALFILE) does not exist))
NET_CFLAGS := -DLUFT_EVALFILE='"$(EVALFILE)"'
$(OBJECTS)/src/nnue/embedded.o: $(EVALFILE)
endif
$(OBJECTS)/src/nnue/embedded.o: FILE_CFLAGS = $(NET_CFLAGS) $(if $(LTO),-fno-lto)

# The lessons, copied like the network.
$(OBJECTS)/src/learn/shelf.o: $(wildcard lessons/*.txt)

# The commit of a development build. Sources without .git have none; COMMIT= leaves it out.
COMMIT := $(if $(wildcard .git),$(shell git rev-parse --short=7 HEAD 2>/dev/null))
# Without the folder in which a package is built.
without_paths = $(filter-out -ffile-prefix-map=% -fdebug-prefix-map=% -fmacro-prefix-map=%,$1)
BUILD_OPTIONS := $(foreach v,ARCH LAB DEBUG SANITIZE PGO CFLAGS CPPFLAGS,$(if $(filter-out 0,$($v)),$v=$(call without_paths,$($v))))
BUILD_OPTIONS := $(strip $(subst ",,$(subst ',,$(subst \,,$(BUILD_OPTIONS)))))
$(OBJECTS)/src/engine/version.o: FILE_CFLAGS = -DLUFT_COMMIT='"$(COMMIT)"' -DLUFT_BUILD='"$(BUILD_OPTIONS)"'
$(OBJECTS)/src/engine/version.o: $(OBJECTS)/commit
$(OBJECTS)/commit: FORCE
	@mkdir -p $(@D); echo '$(COMMIT)' | cmp -s - $@ || echo '$(COMMIT)' > $@

# Rewritten only when the compiler or its options change: then everything is compiled again.
$(OBJECTS)/flags: FORCE
	@mkdir -p $(@D); printf '%s\n' '$(CC) $(LUFT_CFLAGS) $(subst ','\'',$(NET_CFLAGS))' | cmp -s - $@ || \
	  printf '%s\n' '$(CC) $(LUFT_CFLAGS) $(subst ','\'',$(NET_CFLAGS))' > $@

-include $(wildcard $(OBJECTS)/*/*.d $(OBJECTS)/*/*/*.d)

GAME := b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24
run: $(EXE) ## build and analyse Kasparov - Topalov 1999 before 24. Rxd4, for a few seconds
	./$(EXE) analyse --time 5 "$(GAME)"
engine: $(OBJECTS)/luft$(SUFFIX)

include mk/lab.mk mk/install.mk mk/library.mk mk/release.mk mk/tests.mk
FORCE:
.PHONY: run engine FORCE
.SECONDARY:
endif
