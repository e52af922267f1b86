/* One C++ source: its host code and its device images. docs/include-sycl.md, "One source, two
 * compilers".
 */
#ifndef SPECPI_CC_UNIT_H
#define SPECPI_CC_UNIT_H

#include "depend.h"
#include "precompiled.h"

/* The paths of what is made of it, in a directory of its own in the scratch directory. */
typedef struct cc_unit {
  const char *file;
  const cc_host_compiler *compiler;
  const cc_precompiled *precompiled; /* headers for its host's side */
  bool depends;                      /* what the unit depends on is wanted */
  char *id;
  char *directory;
  char *made; /* has the source's name, for those who look at it */
  char *header;
  char *bitcode; /* the host side's, for the pass; NULL without --host-side=pass */
  char *object;
  char *images;
  char *captures;      /* of its lambdas, for a compiler of the host's that is not clang */
  char *device;        /* what the runtime's compiler makes for devices */
  char *depend;        /* what the host's compiler read */
  char *device_depend; /* the same of clang, before the ending for the target */
} cc_unit;

/* Finds out its id and makes its directory. false after an error; cc_unit_close is needed then,
 * too.
 */
bool cc_unit_open(cc_work *work, const cc_precompiled *precompiled, const char *file, bool depends,
                  cc_unit *ret);
void cc_unit_close(cc_unit *unit);

/*
 * The steps, each a cc_job's run of a cc_unit. The first makes the header, and without bitcode the
 * source with its footer, for the other two, which know nothing of each other: host code, and
 * device images. With a SYCL runtime's own compiler the first compiles for devices, too.
 */
bool cc_unit_make_texts(cc_work *work, const void *unit);
bool cc_unit_make_object(cc_work *work, const void *unit);
bool cc_unit_make_images(cc_work *work, const void *unit);

/* Adds what the steps made. The caller frees the objects. false after an error. */
bool cc_unit_add(const cc_work *work, const cc_unit *unit, cc_texts *objects, cc_depend *depend);

#endif
