/* Definitions for the host and the kernel. */
#define OFFSET 5
