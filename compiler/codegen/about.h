/* The texts in which specpi-codegen describes itself. */
#ifndef CODEGEN_ABOUT_H
#define CODEGEN_ABOUT_H

/*
 * Prints its name with its version to stdout, and then a line for each thing that it is made of or
 * finds on this machine, "name: value"; specpi doctor shows them. The exit status.
 */
int about_print(void);

#endif
