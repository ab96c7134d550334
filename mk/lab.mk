# luft-lab, the laboratory: everything of the engine but its faces.

LAB_OBJECTS := $(patsubst %.c,$(OBJECTS)/%.o,$(sort $(wildcard lab/*/*.c)))

luft-lab: $(filter-out luft-lab,$(LAB_EXE)) ## ./luft-lab, the laboratory
$(LAB_EXE): $(OBJECTS)/luft-lab$(SUFFIX) FORCE
	$(copy)
$(OBJECTS)/luft-lab$(SUFFIX): $(filter-out $(patsubst %,$(OBJECTS)/src/%,uci/% mcp/% cli/%),$(ENGINE_OBJECTS)) $(LAB_OBJECTS) \
                              $(OBJECTS)/lab/main.o
	$(link)
$(OBJECTS)/lab/train/%.o: FILE_CFLAGS = -fno-math-errno
# Most of the training with layers is products that are summed up: one instruction for both where there is one.
$(OBJECTS)/lab/train/stack.o: FILE_CFLAGS = -fno-math-errno -ffp-contract=fast
