/* Adds to a number, with one work-item. */
__kernel void add(__global uint *p, uint n) {
  *p += n;
}
