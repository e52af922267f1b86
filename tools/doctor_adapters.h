/* Reports of specpi doctor on the adapters of Unified Runtime. */
#ifndef SPECPI_DOCTOR_ADAPTERS_H
#define SPECPI_DOCTOR_ADAPTERS_H

#include <stdbool.h>

/*
 * Prints each adapter in the directories where specpi looks: whether it can be loaded, and what in
 * the environment keeps a runtime from it, for runtimes drop adapters without a word. Loads them.
 */
void doctor_print_adapters(void);

/*
 * Prints each runtime that programs find by the environment: what it loads, of which release it is,
 * and which file it takes for each backend. doctor_print_adapters ends with that.
 */
void doctor_print_runtimes(void);

/* The name that NVIDIA's GPUs have in SYCL programs: "BACKEND:gpu" selects them. */
typedef struct doctor_sycl_name {
  const char *backend;
  const char *platform;
  bool takes_ptx_alone; /* kernels in PTX alone, none in SPIR-V */
  bool needs_run;       /* programs find the adapter under specpi run only */
} doctor_sycl_name;

/* Finds that name in this environment; false without an adapter of CUDA or without a runtime. */
bool doctor_find_sycl_name(doctor_sycl_name *ret);

#endif
