/* The checks of gpu-ptx. Each prints its failed comparisons and returns their number. */
#ifndef SPECPI_TEST_GPU_CHECKS_H
#define SPECPI_TEST_GPU_CHECKS_H

/* DIRECTORY/constants.{patch,emulate,default}.{O0,O2}.ptx: defaults, and values of each leaf. */
int check_constants(const char *directory);

/* DIRECTORY/functions.{O0,O2}.ptx: launches from its cases.txt, compared with its expected.txt. */
int check_functions(const char *directory);

#endif
