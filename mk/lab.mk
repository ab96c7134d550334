# luft-lab, the laboratory: everything of the engine but its faces.

LAB_OBJECTS := $(patsubst %.c,$(OBJECTS)/%.o,$(sort $(wildcard lab/*/*.c)))

luft-lab: $(filter-out luft-lab,$(LAB_EXE)) ## ./luft-lab, the laboratory
$(LAB_EXE): $(OBJECTS)/luft-lab$(if $(filter 1,$(MPI)),-mpi)$(SUFFIX) FORCE
	$(copy)
IN_LAB := $(filter-out $(patsubst %,$(OBJECTS)/src/%,uci/% mcp/% cli/%),$(ENGINE_OBJECTS)) $(LAB_OBJECTS) $(OBJECTS)/lab/main.o
$(OBJECTS)/luft-lab$(SUFFIX): $(IN_LAB)
	$(link)
$(OBJECTS)/lab/train/%.o: FILE_CFLAGS = -fno-math-errno

# With MPI, for training on several computers: one object is another one.
MPICC ?= mpicc
ifeq ($(MPI),1)
$(if $(shell command -v $(MPICC)),,$(error MPI=1 needs $(MPICC): install libopenmpi-dev (Debian)))
endif
$(OBJECTS)/luft-lab-mpi$(SUFFIX): $(IN_LAB:%/train/ranks.o=%/train/ranks-mpi.o)
	$(link)
$(OBJECTS)/luft-lab-mpi$(SUFFIX): LUFT_LIBS += $(shell $(MPICC) -showme:link)
$(OBJECTS)/lab/train/ranks-mpi.o: FILE_CFLAGS = -DLUFT_MPI $(patsubst -I%,-isystem %,$(shell $(MPICC) -showme:compile))
$(OBJECTS)/lab/train/ranks-mpi.o: lab/train/ranks.c $(OBJECTS)/flags
	$(compile)
# Most of the training with layers is products that are summed up: one instruction for both where there is one.
$(OBJECTS)/lab/train/stack.o: FILE_CFLAGS = -fno-math-errno -ffp-contract=fast
