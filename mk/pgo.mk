# Profile-guided builds for this machine: with counters, then bench and a few games of self-play, then again in the same folder.

PROFILE := $(OBJECTS)/luft.profile
ifneq ($(filter generate use,$(PGO)),)
IS_CLANG     := $(findstring clang,$(shell $(CC) --version))
PROFDATA      = $(firstword $(shell command -v llvm-profdata) $(wildcard $(shell $(CC) -print-prog-name=llvm-profdata)))
PGO_generate := $(if $(IS_CLANG),-fprofile-instr-generate=$(PROFILE)-%m.profraw,-fprofile-generate)
PGO_use      := $(if $(IS_CLANG),-fprofile-instr-use=$(PROFILE),-fprofile-use -Wno-missing-profile)
PGO_CFLAGS   := $(PGO_$(PGO))
endif

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
.PHONY: pgo profile
