/* Small kernels for tests that need any kernel. They are few because each takes time to compile. */

kernel void empty(void) {}

kernel void numbers(global uint *out) { out[get_global_id(0)] = (uint)get_global_id(0); }

kernel void increment(global uint *data) { data[get_global_id(0)] += 1; }

kernel void double_up(global uint *data) { data[get_global_id(0)] *= 2; }
