# Programs for other machines, build/dist/luft-VERSION-PLATFORM, and the archives of a release.

# --- the profile of a release: how often the bench took each branch of the search, recorded once for the same sources, and part
# of their archive. It does not depend on the machine, but on the compiler and its options: with PGO=recorded each version of gcc
# finds those of the two portable programs in release/profile, or compiles without ---
PROFILES := release/profile/$(shell $(CC) -dumpfullversion 2>/dev/null || echo none)
RECORDED := $(PROFILES)/$(ARCH)
ifneq ($(filter record recorded,$(PGO)),)
PGO_record   := -fprofile-generate -fprofile-update=atomic
PGO_recorded := $(if $(wildcard $(RECORDED)),-fprofile-use -Wno-missing-profile)
LUFT_LIBS    += $(if $(filter record,$(PGO)),-lgcov)
$(if $(filter record,$(PGO))$(PGO_recorded),,$(warning $(RECORDED) does not exist: compiling without a profile))
# Two files look at the clock or start threads, so their counters vary. A profile refers to files and static functions by names that are the same wherever it is used.
$(filter-out $(QUIET) %/trace.o %/iterate.o %/tt.o %/embedded.o %/kernels.o,$(filter $(addprefix $(OBJECTS)/src/,chess/% nnue/% search/%),$(ENGINE_OBJECTS))): \
  PROFILE_CFLAGS = $(if $(PGO_$(PGO)),$(PGO_$(PGO)) -dumpdir $(RECORDED)/ -dumpbase $(basename $(<F)) -frandom-seed=$(<F))
export CCACHE_DISABLE := 1 # which does not know where the profile is
endif
record: ## the profile for PGO=recorded, by gcc
	rm -rf $(PROFILES)
	$(MAKE) PGO=record ARCH=portable EXE=$(RECORDER) all
	LUFT_KERNELS=sse2 $(RECORDER) bench | tail -n 1
	$(RECORDER) bench | tail -n 1
	@$(RECORDER) --version | grep -q portable-v3 || \
	  { echo 'no profile: this processor runs the first program alone'; rm -r $(PROFILES); }
RECORDER = $(BUILD)/luft-recording
release/profile/of-these-sources: $(wildcard src/*/*.[ch] $(EVALFILE))
	$(MAKE) CC=gcc record
	touch $@
.PHONY: record

# --- programs for other machines, and archives ---

windows: ## Luft for Windows, by mingw-w64 (Debian: gcc-mingw-w64-x86-64)
	$(MAKE) CC=x86_64-w64-mingw32-gcc ARCH=portable EXE=$(DIST)-windows-x86-64.exe all
arm64: ## Luft for Linux and Android on 64-bit ARM (Debian: gcc-aarch64-linux-gnu; make setup-platforms fetches musl)
	@test -d build/sources/musl || { echo 'make arm64 needs musl: make setup-platforms fetches it' >&2; exit 1; }
	$(MAKE) CC=release/musl-gcc ARCH=armv8 STATIC=1 EXE=$(DIST)-linux-arm64 all
# Debian's package of LLVM has it in LLVM's own folder only.
LIPO ?= $(firstword $(shell command -v llvm-lipo) $(shell llvm-config --bindir)/llvm-lipo)
macos: ## Luft and its library for macOS, for both processors in one file (Debian: clang lld llvm; make setup-platforms)
	@test -d build/sources/macos || { echo 'make macos needs the headers of macOS: make setup-platforms fetches them' >&2; exit 1; }
	for machine in arm64 x86_64; do \
	  $(MAKE) CC="release/macos-clang $$machine" ARCH=portable LDFLAGS=-Wl,-S,-x EXE=$(BUILD)/macos/luft-$$machine all && \
	  $(MAKE) CC="release/macos-clang $$machine" ARCH=portable LDFLAGS=-Wl,-S,-x LIB=$(BUILD)/macos/lib-$$machine lib || exit 1; done
	@mkdir -p $(DIST)-macos
	$(LIPO) -create $(BUILD)/macos/luft-arm64 $(BUILD)/macos/luft-x86_64 -output $(DIST)-macos/luft
	$(LIPO) -create $(BUILD)/macos/lib-*/libluft.$(ABI).dylib -output $(DIST)-macos/libluft.$(ABI).dylib
wheels: release/profile/of-these-sources ## Python wheels of luft-chess in build/dist; PLATFORMS=linux-x86-64 makes one alone
	@tests/setup-platforms $(PLATFORMS)
	@$(PYTHON) release/wheels.py $(VERSION) $(PLATFORMS)
dist: release/profile/of-these-sources ## archives of all that is released, in build/dist; PLATFORMS=linux-x86-64 makes one alone, URL=... also files for package managers
	@$(if $(filter-out source,$(or $(PLATFORMS),all)),tests/setup-platforms $(PLATFORMS))
	@$(if $(filter-out source linux-x86-64,$(or $(PLATFORMS),all)),$(MAKE) web/node_modules)
	@$(PYTHON) release/dist.py $(VERSION) $(if $(URL),--url=$(URL)) $(PLATFORMS)
.PHONY: windows arm64 macos wheels dist
