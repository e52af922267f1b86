// Calls a function that library.cl defines.
int of_the_library(void);
kernel void k(global int *x) {
  *x = of_the_library();
}
