/* The parts that the host and the kernel share. */
#define OFFSET 5
