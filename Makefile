# Luft: `make` builds ./luft with nothing but a C compiler; `make help` lists the rest.

EXE      ?= luft
BUILD    ?= build
ARCH     ?= native
CC       ?= cc
LAB      ?= 0
DEBUG    ?= 0
SANITIZE ?=

ifeq ($(origin CC),default)
CC := cc
endif

ARCH_FLAGS_native    := -march=native
ARCH_FLAGS_x86-64    := -march=x86-64
ARCH_FLAGS_x86-64-v2 := -march=x86-64-v2
ARCH_FLAGS_x86-64-v3 := -march=x86-64-v3
ARCH_FLAGS_x86-64-v4 := -march=x86-64-v4
ARCH_FLAGS_armv8     := -march=armv8-a

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wcast-qual -Wvla
CFLAGS   ?= -O3
LUFT_CFLAGS := -std=c11 -D_GNU_SOURCE -Isrc -I. $(WARNINGS) $(ARCH_FLAGS_$(ARCH)) -ffp-contract=off -pthread $(CFLAGS)
LUFT_LIBS   := -lm -pthread

ifeq ($(DEBUG),1)
LUFT_CFLAGS += -g -fno-omit-frame-pointer
else
LUFT_CFLAGS += -DNDEBUG -flto
LINK_FLAGS  += -flto -O3
endif
ifneq ($(SANITIZE),)
LUFT_CFLAGS += -fsanitize=$(SANITIZE)
LINK_FLAGS  += -fsanitize=$(SANITIZE)
endif
ifeq ($(LAB),1)
LUFT_CFLAGS += -DLUFT_LAB
endif
ifeq ($(WERROR),1)
LUFT_CFLAGS += -Werror
endif

CONFIG  := $(notdir $(CC))-$(ARCH)-debug$(DEBUG)-lab$(LAB)$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))
OBJECTS := $(BUILD)/$(CONFIG)
ENGINE_SOURCES := $(filter-out src/uci/main.c,$(sort $(wildcard src/*/*.c)))
ENGINE_OBJECTS := $(ENGINE_SOURCES:%.c=$(OBJECTS)/%.o)
LAB_SOURCES    := $(filter-out lab/main.c,$(sort $(wildcard lab/*/*.c)))
LAB_OBJECTS    := $(LAB_SOURCES:%.c=$(OBJECTS)/%.o)

all: $(EXE)

$(EXE): $(ENGINE_OBJECTS) $(OBJECTS)/src/uci/main.o
	$(CC) $(LUFT_CFLAGS) $(LINK_FLAGS) $^ -o $@ $(LUFT_LIBS)

luft-lab: $(ENGINE_OBJECTS) $(LAB_OBJECTS) $(OBJECTS)/lab/main.o
	$(CC) $(LUFT_CFLAGS) $(LINK_FLAGS) $^ -o $@ $(LUFT_LIBS) -lzstd

$(OBJECTS)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(LUFT_CFLAGS) -MMD -MP -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: all clean
