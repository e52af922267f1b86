/* One C++ source: its host code and its device images. docs/sycl.md, "One source, two compilers".
 */
#ifndef SPECPI_CC_UNIT_H
#define SPECPI_CC_UNIT_H

#include "depend.h"
#include "host_compiler.h"

/*
 * Makes two objects in the scratch folder, with the host code and with the device images, and adds
 * them to objects, from which the caller frees them. depend: what the unit depends on, or NULL when
 * that is not wanted. false after an error.
 */
bool cc_unit_make(cc_work *work, const cc_host_compiler *compiler, const char *file,
                  cc_texts *objects, cc_depend *depend);

#endif
