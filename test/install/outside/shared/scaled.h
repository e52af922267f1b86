/* What the host and the kernel have in common. */
#define OFFSET 5
