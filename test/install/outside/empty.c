/* The source of libraries that have only kernels. */
typedef int nothing;
