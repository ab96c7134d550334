# The engine for other programs: libluft for C, luft.wasm for JavaScript, and the page that uses it.

VERSION ?= $(shell sed -n 's/^.define ENGINE_VERSION  *"\([^"]*\)".*/\1/p' src/engine/version.h)
DIST     = $(BUILD)/dist/luft-$(VERSION)

# What the library is made of.
LIB_OBJECTS := $(filter-out $(patsubst %,$(OBJECTS)/src/%,uci/% mcp/% cli/% review/% learn/%),$(ENGINE_OBJECTS))

# --- libluft: compiled apart, position independent, its inner symbols hidden ---
ABI     = $(shell sed -n 's/^.define LUFT_ABI  *//p' include/luft.h)
LIB    := $(BUILD)/lib
LIBDIR ?= $(PREFIX)/lib
lib: ## libluft, shared and static, and luft.pc in build/lib
	$(MAKE) OBJECTS=$(BUILD)/$(CONFIG)-lib CPPFLAGS='$(CPPFLAGS) -fPIC -fvisibility=hidden -fno-lto' lib-files
lib-files: $(LIB)/libluft.so $(LIB)/libluft.a $(LIB)/luft.pc
$(LIB)/libluft.so: $(LIB_OBJECTS)
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(LUFT_CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(@F).$(ABI) $^ -o $@.$(ABI) $(LUFT_LIBS)
	$(Q)ln -sf $(@F).$(ABI) $@
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

# --- WebAssembly: one file for each kind of host, without threads and without a network (bindings/wasm is its face) ---
# Linked without -O: with it clang calls wasm-opt itself where there is one. Here it makes the module a tenth smaller; with -Os
# a hundredth smaller than with -O2, as fast.
WASM_OPTIONS = CC='clang --target=wasm32-wasi' EVALFILE=none wasm-file
wasm: ## Luft for WebAssembly, with and without SIMD (Debian: clang lld wasi-libc libclang-rt-dev-wasm32 binaryen)
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm WASM_FILE=$(DIST)-wasm/luft.wasm
	$(MAKE) $(WASM_OPTIONS) ARCH=wasm-plain WASM_FILE=$(DIST)-wasm/luft-plain.wasm
	cp bindings/wasm/luft.mjs $(WEB_NET) $(DIST)-wasm/
wasm-file: $(WASM_FILE)
$(WASM_FILE): $(LIB_OBJECTS) $(OBJECTS)/bindings/wasm/host.o
	@mkdir -p $(@D); echo '  LINK $@'
	$(Q)$(CC) $(filter-out -O%,$(LUFT_CFLAGS)) -mexec-model=reactor -Wl,--export-dynamic -Wl,--lto-O3 \
	  -Wl,-z,stack-size=1048576 -Wl,--export=malloc -Wl,--export=free -Wl,--strip-all $^ -o $@.linked $(LUFT_LIBS)
	$(Q)wasm-opt -Os --enable-mutable-globals $(if $(filter wasm,$(ARCH)),--enable-simd --enable-bulk-memory --enable-sign-ext \
	  --enable-nontrapping-float-to-int) $@.linked -o $@
	@rm $@.linked
ifneq ($(WASM),)
SMALL := base/*.c level/*.c tb/*.c nnue/network.c $(addprefix chess/,attacks.c fen.c game.c perft.c pgn*.c plain.c reader.c san.c) \
         $(addprefix search/,mate.c params.c pool.c replay.c shared.c timeman.c)
$(patsubst %.c,$(OBJECTS)/%.o,$(wildcard $(addprefix src/,$(SMALL)))): FILE_CFLAGS = $(QUICK)
endif

# --- the page, from static files: web/dist. Its network is the small one of nets/web where there is one ---
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
.PHONY: lib lib-files install-lib wasm wasm-file web run-web
