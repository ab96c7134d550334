# The engine for other programs: libluft for C, luft.wasm for JavaScript, and the page that uses it.

VERSION ?= $(shell sed -n 's/^.define ENGINE_VERSION  *"\([^"]*\)".*/\1/p' src/engine/version.h)
DIST     = $(BUILD)/dist/luft-$(VERSION)

# What the library is made of.
LIB_OBJECTS := $(filter-out $(patsubst %,$(OBJECTS)/src/%,uci/% mcp/% cli/% review/% learn/%),$(ENGINE_OBJECTS))

# --- libluft: for every processor of the family unless ARCH is given, position independent, with the header's names only ---
ABI      = $(shell sed -n 's/^.define LUFT_ABI  *//p' include/luft.h)
LIB     := $(BUILD)/lib
LIB_ARCH := $(if $(filter file,$(origin ARCH)),portable,$(ARCH))
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DOCDIR     ?= $(PREFIX)/share/doc/luft
LIB_DOCS     := $(LIB)/doc/library.md $(LIB)/doc/explain.md LICENSE
LIB_EXAMPLES := examples/best_move.c examples/trace.c
OBJCOPY    ?= $(shell $(CC) -print-prog-name=objcopy)
SHARED     := $(if $(WINDOWS),luft.dll,$(if $(MACOS),libluft.$(ABI).dylib,libluft.so.$(ABI)))
# What programs are linked with: a link to the shared library, or what Windows has in its place.
LINKED     := $(if $(WINDOWS),libluft.dll.a,$(if $(MACOS),libluft.dylib,libluft.so))
# Of its own accord the linker derives the address of a DLL from the path where it is made.
LINK_SHARED := $(if $(WINDOWS),-shared -Wl$(comma)--image-base$(comma)0x180000000 -Wl$(comma)--out-implib$(comma)$(LIB)/$(LINKED),$(if $(MACOS),\
                 -dynamiclib -Wl$(comma)-install_name$(comma)@rpath/$(SHARED),-shared -Wl$(comma)-soname$(comma)$(SHARED)$(comma)-z$(comma)relro$(comma)-z$(comma)now))
LIB_FILES  := $(LIB)/$(SHARED) $(LIB)/libluft.a $(LIB)/luft.pc $(LIB)/luft-config.cmake $(LIB)/luft-config-version.cmake
lib: ## libluft, shared and static, with luft.pc and a CMake package, in build/lib
	$(MAKE) ARCH=$(LIB_ARCH) OBJECTS=$(BUILD)/$(subst -native,-$(LIB_ARCH),$(CONFIG))-lib \
	  CPPFLAGS='$(CPPFLAGS) $(if $(WINDOWS),-DLUFT_EXPORTS,-fPIC) -fvisibility=hidden -fno-lto' lib-files
lib-files: $(LIB_FILES)
# build/lib has one library, for the machine and options of the last command.
$(LIB)/of: FORCE
	@mkdir -p $(@D); echo '$(OBJECTS)' | cmp -s - $@ || echo '$(OBJECTS)' > $@
$(LIB)/$(SHARED): $(LIB_OBJECTS) $(LIB)/of
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(LUFT_CFLAGS) $(LDFLAGS) $(LINK_SHARED) $(LIB_OBJECTS) -o $@ $(LUFT_LIBS)
	$(Q)$(if $(WINDOWS),,ln -sf $(@F) $(LIB)/$(LINKED))
# All but the header's functions is made local, so that it cannot meet the names of a program. Not so on macOS, where no
# linker is known to do it for both compilers.
FUNCTIONS = $(shell sed -n 's/^LUFT_API .*[ *]\(luft_[a-z_]*\).*/\1/p' include/luft.h)
$(LIB)/libluft.a: $(LIB_OBJECTS) $(LIB)/of
	@mkdir -p $(@D); echo '  AR   $@'
	$(if $(MACOS),,$(Q)$(CC) -nostdlib -r $(LIB_OBJECTS) -o $(LIB)/luft.o)
	$(if $(MACOS),,$(Q)$(OBJCOPY) $(FUNCTIONS:%=--keep-global-symbol=%) $(LIB)/luft.o)
	$(Q)rm -f $@; $(shell $(CC) -print-prog-name=ar) rcs$(if $(MACOS),,D) $@ $(if $(MACOS),$(LIB_OBJECTS),$(LIB)/luft.o)

# A path below PREFIX as seen from there, and the way from it back to PREFIX; another path stays as it is.
below  = $(patsubst $(PREFIX)/%,$1/%,$2)
upward = $(if $(filter $(PREFIX)/%,$1),$2/$(subst $(space),/,$(foreach step,$(subst /, ,$(patsubst $(PREFIX)/%,%,$1)),..)),$(PREFIX))
$(LIB)/luft.pc: FORCE
	@mkdir -p $(@D); printf '%s\n' 'prefix=$(call upward,$(LIBDIR)/pkgconfig,$${pcfiledir})' \
	  'libdir=$(call below,$${prefix},$(LIBDIR))' 'includedir=$(call below,$${prefix},$(INCLUDEDIR))' '' 'Name: luft' \
	  'Description: the chess engine Luft as a library' $(if $(URL),'URL: $(URL)') 'Version: $(VERSION_NUMBER)' 'Cflags: -I$${includedir}' \
	  'Libs: -L$${libdir} -lluft' 'Libs.private: $(LUFT_LIBS)' > $@
# luft::luft is the shared library, luft::static the other one.
$(LIB)/luft-config.cmake: FORCE
	@mkdir -p $(@D); printf '%s\n' \
	  'get_filename_component(luft_prefix "$(call upward,$(LIBDIR)/cmake/luft,$${CMAKE_CURRENT_LIST_DIR})" ABSOLUTE)' \
	  'set(luft_libdir "$(call below,$${luft_prefix},$(LIBDIR))")' \
	  'set(luft_includedir "$(call below,$${luft_prefix},$(INCLUDEDIR))")' \
	  'if(NOT TARGET luft::luft)' \
	  '  add_library(luft::luft SHARED IMPORTED)' \
	  '  set_target_properties(luft::luft PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$${luft_includedir}"' \
	  '    $(if $(WINDOWS),IMPORTED_IMPLIB "$${luft_libdir}/$(LINKED)") IMPORTED_LOCATION "$(if $(WINDOWS),$${luft_prefix}/bin,$${luft_libdir})/$(SHARED)")' \
	  '  add_library(luft::static STATIC IMPORTED)' \
	  '  set_target_properties(luft::static PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$${luft_includedir}"' \
	  '    IMPORTED_LOCATION "$${luft_libdir}/libluft.a" INTERFACE_LINK_LIBRARIES "$(subst $(space),;,$(strip $(LUFT_LIBS)))")' \
	  'endif()' > $@
# As long as the major version is 0, each minor version may break programs. Who wants a later patch is refused.
$(LIB)/luft-config-version.cmake: FORCE
	@mkdir -p $(@D); printf '%s\n' 'set(PACKAGE_VERSION "$(VERSION_NUMBER)")' \
	  'if(CMAKE_SIZEOF_VOID_P AND NOT CMAKE_SIZEOF_VOID_P EQUAL $(lastword $(shell echo __SIZEOF_POINTER__ | $(CC) -E -P -)))' \
	  '  set(PACKAGE_VERSION_UNSUITABLE TRUE)' 'endif()' \
	  'if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)' '  set(PACKAGE_VERSION_EXACT TRUE)' 'endif()' \
	  'if(PACKAGE_FIND_VERSION_RANGE)' \
	  '  if(NOT PACKAGE_FIND_VERSION_MIN VERSION_GREATER PACKAGE_VERSION AND (PACKAGE_FIND_VERSION_MAX VERSION_GREATER PACKAGE_VERSION' \
	  '     OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE" AND PACKAGE_FIND_VERSION_MAX VERSION_EQUAL PACKAGE_VERSION)))' \
	  '    set(PACKAGE_VERSION_COMPATIBLE TRUE)' '  endif()' '  return()' 'endif()' \
	  'string(REGEX MATCH "^[0-9]+[.][0-9]+" luft_wanted "$${PACKAGE_FIND_VERSION}.0")' \
	  'string(REGEX MATCH "^[0-9]+[.][0-9]+" luft_found "$${PACKAGE_VERSION}.0")' \
	  'if(luft_wanted VERSION_EQUAL luft_found AND NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)' '  set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' > $@
VERSION_NUMBER = $(firstword $(subst -, ,$(VERSION)))

# The guides as they are installed: what they link to and is not there with them becomes plain text.
THERE := \#|http|LICENSE|library\.md|explain\.md
$(LIB)/doc/%.md: docs/%.md
	@mkdir -p $(@D)
	$(Q)sed -E -e 's,\]\(\.\./LICENSE\),](LICENSE),g' -e 's/\]\(($(THERE))/]<\1/g' -e 's/\[([^][]*)\]\([^)]*\)/\1/g' \
	  -e 's/\]<($(THERE))/](\1/g' $< > $@
install-lib: lib $(LIB_DOCS) ## libluft, header, luft.pc, a CMake package, guide and examples, into PREFIX (/usr/local); DESTDIR is honoured
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(LIBDIR)/cmake/luft $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(DOCDIR)/examples \
	  $(if $(WINDOWS),$(DESTDIR)$(BINDIR))
	install -m 644 $(LIB)/$(SHARED) $(DESTDIR)$(if $(WINDOWS),$(BINDIR),$(LIBDIR))
	install -m 644 $(LIB)/libluft.a $(if $(WINDOWS),$(LIB)/$(LINKED)) $(DESTDIR)$(LIBDIR)
	$(if $(WINDOWS),,ln -sf $(SHARED) $(DESTDIR)$(LIBDIR)/$(LINKED))
	install -m 644 $(LIB)/luft.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 $(LIB)/luft-config.cmake $(LIB)/luft-config-version.cmake $(DESTDIR)$(LIBDIR)/cmake/luft
	install -m 644 include/luft.h $(DESTDIR)$(INCLUDEDIR)
	install -m 644 $(LIB_DOCS) $(DESTDIR)$(DOCDIR)
	install -m 644 $(LIB_EXAMPLES) $(DESTDIR)$(DOCDIR)/examples
uninstall-lib: ## remove what install-lib installed
	rm -f $(DESTDIR)$(if $(WINDOWS),$(BINDIR),$(LIBDIR))/$(SHARED) $(addprefix $(DESTDIR)$(LIBDIR)/,libluft.a $(LINKED) pkgconfig/luft.pc)
	rm -f $(DESTDIR)$(LIBDIR)/cmake/luft/luft-config.cmake $(DESTDIR)$(LIBDIR)/cmake/luft/luft-config-version.cmake
	rm -f $(DESTDIR)$(INCLUDEDIR)/luft.h $(addprefix $(DESTDIR)$(DOCDIR)/,library.md explain.md $(LIB_EXAMPLES))
	test -e $(DESTDIR)$(MANDIR)/luft.6 || rm -f $(DESTDIR)$(DOCDIR)/LICENSE # of `make install`
	-rmdir $(DESTDIR)$(LIBDIR)/cmake/luft $(DESTDIR)$(DOCDIR)/examples $(DESTDIR)$(DOCDIR)

# --- WebAssembly: one file for each kind of host, without threads and without a network (bindings/wasm is its face) ---
# Linked without -O: with it clang calls wasm-opt itself where there is one. Here it makes the module a tenth smaller; with -Os
# a hundredth smaller than with -O2, as fast. That nothing lies below --global-base saves another fiftieth.
WASM_OPTIONS = CC='clang --target=wasm32-wasi' EVALFILE=none wasm-file
wasm: ## Luft for WebAssembly, with and without SIMD (Debian: clang lld wasi-libc libclang-rt-dev-wasm32 binaryen)
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm WASM_FILE=$(DIST)-wasm/luft.wasm
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm-plain WASM_FILE=$(DIST)-wasm/luft-plain.wasm
	cp bindings/wasm/*.mjs bindings/wasm/*.js bindings/wasm/*.d.mts bindings/wasm/package.json bindings/wasm/README.md LICENSE $(DIST)-wasm/
	cp $(WEB_NET) $(DIST)-wasm/luft.nnue
wasm-file: $(WASM_FILE)
# With LAB=1 it also has the lessons and the matches of the page's view "Learn".
LESSON_OBJECTS := $(patsubst %,$(OBJECTS)/%.o,$(addprefix src/learn/,facts lesson lesson_view) bindings/wasm/lessons \
                    $(addprefix lab/data/,recorded seeded) $(addprefix lab/match/,adjudication stats) \
                    $(addprefix lab/selfplay/,live_match selfplay))
$(WASM_FILE): $(LIB_OBJECTS) $(OBJECTS)/bindings/wasm/host.o $(if $(filter 1,$(LAB)),$(LESSON_OBJECTS))
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(filter-out -O%,$(LUFT_CFLAGS)) -mexec-model=reactor -Wl,--export-dynamic -Wl,--lto-O3 \
	  -Wl,--global-base=1024 \
	  -Wl,-z,stack-size=1048576 -Wl,--export=malloc -Wl,--export=free -Wl,--strip-all $^ -o $@.linked $(LUFT_LIBS)
	$(Q)wasm-opt -Os --low-memory-unused --const-hoisting --enable-mutable-globals $(if $(filter wasm,$(ARCH)),--enable-simd \
	  --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int) $@.linked -o $@
	@rm $@.linked
ifneq ($(WASM),)
$(QUIET): FILE_CFLAGS = $(QUICK)
endif

# --- the page, from static files: web/dist. Its network is the small one of nets/web where there is one ---
WEB_NET ?= $(firstword $(wildcard nets/web/*.nnue) $(EVALFILE))
web: wasm web-lessons web/node_modules ## the page for browsers, in web/dist (Debian: nodejs npm, and what `make wasm` needs)
	@mkdir -p $(BUILD)/web
	cp $(DIST)-wasm/luft.wasm $(DIST)-wasm/luft-plain.wasm $(BUILD)/web/
	cp $(WEB_NET) $(BUILD)/web/luft.nnue
	cd web && LUFT_WEB_ENGINE=$(abspath $(BUILD))/web npm run --silent build
web-lessons:
	$(MAKE) $(WASM_OPTIONS) LAB=1 ARCH=wasm WASM_FILE=$(BUILD)/web/lessons.wasm
	$(MAKE) $(WASM_OPTIONS) LAB=1 ARCH=wasm-plain WASM_FILE=$(BUILD)/web/lessons-plain.wasm
web/node_modules: web/package.json web/package-lock.json
	cd web && npm ci --silent && touch node_modules
run-web: web ## builds the page and serves it on this machine (PORT=8080)
	node web/tools/serve.mjs web/dist --port $(or $(PORT),8080)
# --- every call in every state: random sequences of 20 calls against the contract's table. Takes hours ---
SEQUENCES ?= 100000
SEED      ?= 1
SEEDED     = LUFT_SEQUENCES=$(SEQUENCES) LUFT_SEED=$(SEED)
sequences: lib wasm ## 100,000 random sequences of calls (SEQUENCES=N, SEED=N), in C under sanitizers, in Python, in Node
	for kind in thread address; do $(MAKE) DEBUG=1 CC=clang SANITIZE=$$kind OBJECTS=$(BUILD)/sequences-$$kind \
	  $(BUILD)/sequences-$$kind/tests/unit/test_contract && \
	  $(SEEDED) $(BUILD)/sequences-$$kind/tests/unit/test_contract || exit 1; done
	$(SEEDED) LUFT_LIBRARY=$(abspath $(LIB))/$(SHARED) PYTHONPATH=bindings/python \
	  $(PYTHON) tests/library/test_python.py Sequences
	node tests/wasm/sequences.mjs $(DIST)-wasm $(SEQUENCES) $(SEED)
.PHONY: lib lib-files install-lib uninstall-lib sequences wasm wasm-file web web-lessons run-web
