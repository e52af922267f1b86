/* The checks of gpu-ptx. Each prints its failed comparisons and returns their number. */
#ifndef SPECPI_TEST_GPU_CHECKS_H
#define SPECPI_TEST_GPU_CHECKS_H

/* DIRECTORY/constants.{patch,emulate,default}.{O0,O2}.ptx: the defaults, and values by leaf. */
int check_constants(const char *directory);

/* DIRECTORY/functions.{O0,O2}.ptx with cases.txt's launches, compared with expected.txt there. */
int check_functions(const char *directory);

#endif
