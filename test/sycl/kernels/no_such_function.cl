/* Calls an undefined function, so that the program cannot be built. */
int specpi_test_no_such_function(int);

kernel void call_it(global int *out) { *out = specpi_test_no_such_function(1); }
