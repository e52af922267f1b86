/* A library whose only code is of its kernels. */
typedef int nothing;
