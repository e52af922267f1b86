/*
 * A private directory in which a copy of libsycl lies beside our plugins. libsycl looks for
 * plugins in the directory of its own file as /proc/self/maps shows it, links resolved, so
 * the copy has to be one; whatever libsycl opens by name in that directory is a link.
 */
#ifndef SPECPI_OVERLAY_H
#define SPECPI_OVERLAY_H

#include "runtime.h"

#include <stddef.h>

/* A plugin in an overlay. */
typedef struct overlay_plugin {
  char *path;       /* absolute */
  const char *name; /* by which libsycl finds it there */
} overlay_plugin;

/*
 * The overlay of a runtime with count plugins. It is made at
 * first use and kept, under a name that follows from its contents (of libsycl also the
 * size and time), in $XDG_CACHE_HOME/specpi, ~/.cache/specpi, or a directory in $TMPDIR or /tmp:
 * the first of them that nobody else can change or replace. Several processes may do this at once;
 * a directory is complete when it gets its name.
 *
 * The absolute path of the copied libsycl, which the caller frees; NULL after an error
 * that says what is wrong.
 */
char *overlay_make(const runtime *runtime, const overlay_plugin *plugins, size_t count);

#endif
