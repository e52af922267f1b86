/*
 * A private directory with a copy of libsycl and links to our plugins. libsycl looks for plugins in
 * its own directory, which it takes from /proc/self/maps. That shows the target of a link, so
 * libsycl itself must be a copy. The files that libsycl opens by name there are links.
 */
#ifndef SPECPI_OVERLAY_H
#define SPECPI_OVERLAY_H

#include "runtime.h"

#include <stddef.h>

/* A plugin in an overlay. */
typedef struct overlay_plugin {
  char *path;       /* absolute */
  const char *name; /* the file name in the overlay, by which libsycl finds the plugin */
} overlay_plugin;

/*
 * Finds or builds the overlay of a runtime with count plugins. Overlays are kept in
 * $XDG_CACHE_HOME/specpi, ~/.cache/specpi, or a directory in $TMPDIR or /tmp: the first that other
 * users can neither change nor replace. An overlay's name is a hash of its contents, with the size
 * and time of libsycl. Several processes may call this at once, because a directory is complete
 * before it gets its name.
 *
 * Returns the absolute path of the copied libsycl, which the caller frees; NULL after an error.
 */
char *overlay_make(const runtime *runtime, const overlay_plugin *plugins, size_t count);

#endif
