/* The texts in which specpi-codegen describes itself. */
#ifndef CODEGEN_ABOUT_H
#define CODEGEN_ABOUT_H

/*
 * Prints the program's name and version to stdout, then lines "name: value" for LLVM's version,
 * missing libraries and the path of libdevice. `specpi doctor` shows them. Returns the exit status.
 */
int about_print(void);

#endif
