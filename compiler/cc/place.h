/* Where the parts of specpi are that programs are made with. */
#ifndef SPECPI_CC_PLACE_H
#define SPECPI_CC_PLACE_H

#include "cc.h"

/*
 * Adds the directories of our headers to a command, after those of users: beside the directory
 * that this program lies in, where it is installed, or else in the sources that it was built from.
 * Those of SYCL are installed in a directory of their own, so that other compilers do not meet
 * them.
 */
void cc_place_add_headers(cc_texts *command);

/*
 * Adds the headers of a SYCL runtime, and, for a compiler of the host's that is not clang, before
 * them those that stand in the place of some.
 */
void cc_place_add_sycl_rt(cc_texts *command, const char *include, bool is_clang);

/* Adds the header that finds kernels there, after the integration header. */
void cc_place_add_kernel_slot(cc_texts *command);

/*
 * libclc for NVPTX: the code generator's, where that is installed beside the directory of this
 * program, or else the file that it was built with. The text is valid until the process ends.
 */
const char *cc_place_libclc(void);

/*
 * Returns the code generator's library of functions that libclc lacks or gets wrong, if libclc is
 * the one beside it, otherwise NULL. The caller frees it.
 */
char *cc_place_numbers(const char *libclc);

/* The program that compiles SYCL by a runtime's own compiler; NULL: it is not installed. The caller
 * frees it. */
char *cc_place_sycl_jit(void);

/*
 * The directory that libspecpi.so lies in, beside the directory of this program, in an installation
 * and in a build. The caller frees it. NULL after an error: there is none.
 */
char *cc_place_library(void);

/* Returns whether a program, of any name, is this one: links to it have names of other compilers.
 */
bool cc_place_is_this_program(const char *program);

#endif
