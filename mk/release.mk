# Programs for other machines, build/dist/luft-VERSION-PLATFORM, and the archives of a release.

windows: ## Luft for Windows, by mingw-w64 (Debian: gcc-mingw-w64-x86-64)
	$(MAKE) CC=x86_64-w64-mingw32-gcc ARCH=portable EXE=$(DIST)-windows-x86-64.exe all
arm64: ## Luft for Linux on 64-bit ARM, by a cross compiler (Debian: gcc-aarch64-linux-gnu)
	$(MAKE) CC=aarch64-linux-gnu-gcc ARCH=armv8 STATIC=1 EXE=$(DIST)-linux-arm64 all
dist: setup-platforms ## archives of all that is released, in build/dist; PLATFORMS=linux-x86-64 makes one alone
	@$(MAKE) web/node_modules
	@$(PYTHON) release/dist.py $(VERSION) $(PLATFORMS)
.PHONY: windows arm64 dist
