PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man/man6
$(foreach path,DESTDIR PREFIX BINDIR MANDIR LIBDIR INCLUDEDIR DOCDIR,$(if $(word 2,$($(path))),\
  $(error $(path) has a blank, at which make would split it: $($(path)))))

# `make install` after `make ARCH=portable` installs what was built: only where an option of the build is named, or nothing was
# built, the program is made.
BUILD_NAMES := ARCH CC CFLAGS CPPFLAGS LDFLAGS DEBUG SANITIZE LAB PGO STATIC EVALFILE COMMIT
NAMED := $(strip $(foreach name,$(BUILD_NAMES),$(filter command environment,$(firstword $(origin $(name))))))
missing = $(if $(NAMED),$1,$(if $(wildcard $1),,$1))

install: $(call missing,$(EXE)) ## into PREFIX (/usr/local), with man page and licence; DESTDIR and BINDIR are honoured
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR) $(DESTDIR)$(DOCDIR)
	install -m 755 $(EXE) $(DESTDIR)$(BINDIR)/luft$(SUFFIX)
	install -m 644 docs/luft.6 $(DESTDIR)$(MANDIR)/luft.6
	install -m 644 LICENSE $(DESTDIR)$(DOCDIR)
install-lab: $(call missing,$(LAB_EXE)) ## luft-lab and its man page, in the same way
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)
	install -m 755 $(LAB_EXE) $(DESTDIR)$(BINDIR)/luft-lab$(SUFFIX)
	install -m 644 docs/luft-lab.6 $(DESTDIR)$(MANDIR)/luft-lab.6
uninstall: ## remove what install and install-lab installed
	rm -f $(DESTDIR)$(BINDIR)/luft$(SUFFIX) $(DESTDIR)$(MANDIR)/luft.6
	rm -f $(DESTDIR)$(BINDIR)/luft-lab$(SUFFIX) $(DESTDIR)$(MANDIR)/luft-lab.6
	test -e $(DESTDIR)$(INCLUDEDIR)/luft.h || rm -f $(DESTDIR)$(DOCDIR)/LICENSE # of `make install-lib`
	-rmdir $(DESTDIR)$(DOCDIR)
man: $(OBJECTS)/luft$(SUFFIX) $(OBJECTS)/luft-lab$(SUFFIX) ## docs/luft.6 and luft-lab.6, from their templates and the programs
	for page in luft luft-lab; do awk '/^@/ { fflush(); system("$(OBJECTS)/" substr($$0, 2)); next } { print }' \
	    docs/$$page.6.in > docs/$$page.6 || exit 1; done
.PHONY: install install-lab uninstall man
