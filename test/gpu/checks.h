/* The checks of gpu-ptx. Each returns how many of its comparisons failed, after a line for each. */
#ifndef SPECPI_TEST_GPU_CHECKS_H
#define SPECPI_TEST_GPU_CHECKS_H

/* FOLDER/constants.{patch,emulate,default}.{O0,O2}.ptx: the defaults, and values by leaf. */
int check_constants(const char *folder);

/* FOLDER/functions.{O0,O2}.ptx: what FOLDER/cases.txt launches gives FOLDER/expected.txt. */
int check_functions(const char *folder);

#endif
