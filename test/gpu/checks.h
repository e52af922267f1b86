/* The checks of gpu-ptx. Each returns how many of its comparisons failed, after a line for each. */
#ifndef SPECPI_TEST_GPU_CHECKS_H
#define SPECPI_TEST_GPU_CHECKS_H

/* DIRECTORY/constants.{patch,emulate,default}.{O0,O2}.ptx: the defaults, and values by leaf. */
int check_constants(const char *directory);

/* DIRECTORY/functions.{O0,O2}.ptx: what DIRECTORY/cases.txt launches gives DIRECTORY/expected.txt.
 */
int check_functions(const char *directory);

#endif
