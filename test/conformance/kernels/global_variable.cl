/* A variable of the program, which lives as long as the program. */
global int counter = 7;

kernel void read_counter(global int *out) { out[0] = counter; }
