# What CC compiles for, and what it and the system offer: the only place where programs are called to find out.

comma := ,
empty :=
space := $(empty) $(empty)
hash  := \#

ifeq ($(origin CC),default)
CC := $(notdir $(shell for c in cc gcc clang; do command -v $$c && exit; done; echo cc))
endif
# x86_64-linux-gnu, x86_64-w64-mingw32, aarch64-linux-gnu ... and the first word of it.
TARGET  := $(shell $(CC) -dumpmachine)
MACHINE := $(firstword $(subst -,$(space),$(TARGET)))
WINDOWS := $(findstring mingw,$(TARGET))
WASM    := $(findstring wasm,$(TARGET))
MACOS   := $(or $(findstring darwin,$(TARGET)),$(findstring macos,$(TARGET)))
SUFFIX  := $(if $(WINDOWS),.exe)

# --- instruction sets ---
# Apple's compilers know all their ARM processors by default, and not all know "native" there.
ARCH_FLAGS_native    := $(if $(filter arm64,$(MACHINE)),,-march=native)
ARCH_FLAGS_x86-64    := -march=x86-64
ARCH_FLAGS_x86-64-v2 := -march=x86-64-v2
ARCH_FLAGS_x86-64-v3 := -march=x86-64-v3
ARCH_FLAGS_x86-64-v4 := -march=x86-64-v4
ARCH_FLAGS_armv8     := -march=armv8-a
ARCH_FLAGS_wasm      := -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint
ARCH_FLAGS_wasm-plain :=
ARCH_FLAGS_i686      := -march=i686 -msse2 -mfpmath=sse -D_FILE_OFFSET_BITS=64
# For every processor of the machine's family. On x86-64 the network's kernels are chosen when the program starts.
PORTABLE_x86_64  := -march=x86-64
PORTABLE_aarch64 := $(ARCH_FLAGS_armv8)
PORTABLE_arm64   :=
PORTABLE_i686    := $(ARCH_FLAGS_i686)
ARCH_FLAGS_portable := $(PORTABLE_$(MACHINE))
# The second compilation of a portable program. PEXT is slow on AMD's Zen and Zen 2, which have all the rest.
ARCH_FLAGS_portable-v3 := -march=x86-64-v3 -DLUFT_NO_PEXT -DPROGRAM=program_v3
FLOOR           := $(if $(filter x86_64,$(MACHINE)),$(PORTABLE_x86_64))
CHOOSES_KERNELS := $(filter portable-x86_64 portable-v3-x86_64,$(ARCH)-$(MACHINE))
# Neither linker makes one object of many for it: ld64.lld cannot, and those of COFF share pointers to data by name.
CHOOSES_PROGRAM := $(if $(MACOS)$(WINDOWS),,$(filter portable-x86_64,$(ARCH)-$(MACHINE)))
ifeq ($(origin ARCH_FLAGS_$(ARCH)),undefined)
$(error ARCH=$(ARCH) is unknown: native, portable, x86-64, x86-64-v2, x86-64-v3, x86-64-v4, armv8, i686, wasm or wasm-plain)
endif
TARGET_CFLAGS := $(ARCH_FLAGS_$(ARCH)) $(if $(CHOOSES_KERNELS),-DLUFT_PORTABLE) $(if $(CHOOSES_PROGRAM),-DLUFT_TWO_PROGRAMS)

# The trainer passes vectors by value that are wider than the processor's, from one function of its own to another.
TARGET_CFLAGS += -Wno-psabi
ifneq ($(WASM),)
TARGET_CFLAGS += -DLUFT_NO_THREADS -fvisibility=hidden -ftls-model=local-exec
else
TARGET_CFLAGS += -pthread
TARGET_LIBS   += -pthread $(if $(findstring linux,$(TARGET)),-ldl)
endif
ifneq ($(WINDOWS),)
# Windows aligns the stack to 16 bytes only, and gcc stores wider vectors there as if it were aligned to more.
# Its headers: formats count as Microsoft's whatever is linked, and isfinite converts to float. Other builds check both.
TARGET_CFLAGS += -D__USE_MINGW_ANSI_STDIO=1 -Wa,-muse-unaligned-vector-move -Wno-format -Wno-float-conversion
LDFLAGS       += -static -Wl,--dynamicbase,--nxcompat,--high-entropy-va
endif

# --- what the compiler can do, found by compiling and linking a program ---
compiles = $(shell mkdir -p $(BUILD); printf '%s\n' $1 | $(CC) $2 -x c - -o $(BUILD)/probe$$$$ $3 2>/dev/null && echo yes; \
             rm -f $(BUILD)/probe$$$$*)
ifneq ($(DEBUG),1)
LTO := $(subst $(comma),$(space),$(firstword $(foreach f,-flto=auto -flto -flto$(comma)-fuse-ld=lld, \
         $(if $(call compiles,'int main(void){return 0;}',$(subst $(comma),$(space),$f)),$f))))
endif

# One object of many: gcc must be asked for machine code in it.
NATIVE_CODE := -flinker-output=nolto-rel
ONE_OBJECT   = $(if $(LTO),$(if $(call compiles,'int main(void){return 0;}',$(NATIVE_CODE)),$(NATIVE_CODE)))

# --- hardening: a memory error ends the program before it obeys its input (docs/security.md) ---
# Guarded stacks and, where the C library has them, checked copies. A static build (STATIC=1, as released) is also loaded at
# any address, and jumps only to where a jump may lead.
ifeq ($(WASM),)
works     = $(if $(call compiles,'int main(void){return 0;}',$1,),$1)
HARDENING := $(call works,-fstack-protector-strong)
FORTIFY    = $(if $(WINDOWS)$(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,$\
               $(if $(filter -O%,$(filter-out -O0,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
ifeq ($(STATIC),1)
JUMPS_x86_64  := -fcf-protection
JUMPS_aarch64 := -mbranch-protection=standard
STATIC_FLAGS  := $(call works,-fPIE -static-pie -fstack-clash-protection $(JUMPS_$(MACHINE)) -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)
HARDENING     += $(filter-out -static-pie -Wl%,$(STATIC_FLAGS))
# It can load no library: SQLite, for stores, is inside if `make setup-platforms` has fetched its sources.
SQLITE        := $(wildcard build/sources/sqlite/sqlite3.c)
TARGET_CFLAGS += -DLUFT_NO_LOADING $(if $(SQLITE),-DLUFT_SQLITE_INSIDE)
LDFLAGS       += $(or $(filter -static-pie -Wl%,$(STATIC_FLAGS)),-static)
# An archive becomes smaller without functions that nothing calls, and with relocations as a table of bits, if glibc knows it.
PACKED        := -Wl$(comma)-z$(comma)pack-relative-relocs
LDFLAGS       += -Wl,--gc-sections $(if $(call compiles,'$(hash)include <features.h>' '$(hash)if !__GLIBC_PREREQ(2$(comma)36)' \
                   '$(hash)error' '$(hash)endif' 'int main(void){return 0;}',$(PACKED)),$(PACKED))
endif
endif

# --- the folder of the objects, without blanks and '=', which rules cannot have in a name ---
CONFIG  := $(subst =,-,$(subst $(space),-,$(notdir $(CC))-$(ARCH)$(if $(filter 1,$(DEBUG)),-debug)$(if $(filter 1,$(LAB)),-lab)$(if $(filter 1,$(STATIC)),-static)))
CONFIG  := $(CONFIG)$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(PGO),-pgo)
OBJECTS ?= $(BUILD)/$(CONFIG)

# --- the network's kernels ---
# Once for each instruction set, as kernels_for_width_<set>: the tests compare them with each other, and a portable build
# chooses among them (src/nnue/dispatch.c).
KERNELS_x86_64  := scalar sse2 avx2 avx512 avx512vnni
KERNELS_aarch64 := scalar neon
KERNELS_arm64   := scalar neon
KERNELS_i686    := scalar sse2
KERNEL_OBJECTS  := $(patsubst %,$(OBJECTS)/kernels/%.o,$(or $(KERNELS_$(MACHINE)),scalar))
KERNEL_FLAGS_scalar := -DSIMD_LEVEL=SIMD_SCALAR
KERNEL_FLAGS_sse2   := -DSIMD_LEVEL=SIMD_SSE2 -msse2
KERNEL_FLAGS_avx2   := -DSIMD_LEVEL=SIMD_AVX2 -mavx2
KERNEL_FLAGS_avx512 := -DSIMD_LEVEL=SIMD_AVX512 -mavx512f -mavx512bw -mno-avx512vnni
KERNEL_FLAGS_avx512vnni := -DSIMD_LEVEL=SIMD_AVX512 -mavx512f -mavx512bw -mavx512vnni
KERNEL_FLAGS_neon   := -DSIMD_LEVEL=SIMD_NEON
$(OBJECTS)/kernels/%.o: FILE_CFLAGS = $(KERNEL_FLAGS_$*) -DKERNELS_FOR_WIDTH=kernels_for_width_$*
$(OBJECTS)/kernels/%.o: src/nnue/kernels.c $(OBJECTS)/flags
	$(compile)
