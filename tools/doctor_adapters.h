/* What specpi doctor says of the adapters of Unified Runtime. */
#ifndef SPECPI_DOCTOR_ADAPTERS_H
#define SPECPI_DOCTOR_ADAPTERS_H

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

/*
 * Prints the name that NVIDIA's GPUs have in SYCL programs, if an adapter of CUDA and a runtime are
 * there, and whether programs need specpi run for it.
 */
void doctor_print_sycl_name(void);

#endif
