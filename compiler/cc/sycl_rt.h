/*
 * A SYCL runtime that has DPC++'s compiler as a library, and its headers: the wheel intel-sycl-rt,
 * from 2026.0 on. Where there is one, C++ units are compiled with it. docs/sycl.md.
 */
#ifndef SPECPI_CC_SYCL_RT_H
#define SPECPI_CC_SYCL_RT_H

#include "image.h"

/*
 * An option of clang: names of templates whose parameters are auto as compilers other than clang 18
 * and later write them, which both sides have to agree on.
 */
#define CC_SYCL_RT_NAMES "-fclang-abi-compat=17"
enum { CC_SYCL_RT_NAMES_SINCE = 18 };

typedef struct cc_sycl_rt {
  char *directory; /* of its libraries; NULL: SYCL is that of include/sycl */
  char *compiler;  /* one of these libraries, by its path */
  char *include;   /* of its headers */
  char *program;   /* that compiles with it */
} cc_sycl_rt;

/*
 * Looks for the one that --sycl-rt names, or in VIRTUAL_ENV and CONDA_PREFIX. false after an error;
 * that there is none is an error where it was named. cc_sycl_rt_free is needed in any case.
 */
bool cc_sycl_rt_find(const cc_options *options, cc_sycl_rt *ret);
void cc_sycl_rt_free(cc_sycl_rt *rt);

/* A source, and the files that are made of it. */
typedef struct cc_sycl_unit {
  const char *file;
  const char *id;
  const char *header; /* the integration header, and footer */
  const char *footer;
  const char *captures; /* a header of what lambdas capture; "" for none */
  const char *out;      /* images and what is known of them: names that begin so */
  const char *openmp;   /* a directory with omp.h, which the library lacks; NULL for none */
} cc_sycl_unit;

/* Compiles a source for devices. false after an error. */
bool cc_sycl_rt_compile(const cc_work *work, const cc_sycl_rt *rt, const cc_sycl_unit *unit);

/* Makes the object that registers the images at out. false after an error. */
bool cc_sycl_rt_wrap(const cc_work *work, const char *file, const char *out, const char *object);

#endif
