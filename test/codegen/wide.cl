/*
 * Kernels whose work-items hold 136 values at once, because they use the values in reverse order.
 * They need more registers than a work-group of the largest size has. With STATE, a kernel counts
 * its launches in a variable.
 */
#ifdef STATE
global uint launches;
#endif

/* Each X(i) handles four values. */
#define FORWARD(X)                                                                                 \
  X(0)                                                                                             \
  X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17)     \
      X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)    \
          X(33)
#define BACKWARD(X)                                                                                \
  X(33)                                                                                            \
  X(32) X(31) X(30) X(29) X(28) X(27) X(26) X(25) X(24) X(23) X(22) X(21) X(20) X(19) X(18) X(17)  \
      X(16) X(15) X(14) X(13) X(12) X(11) X(10) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1) X(0)

static uint sum_of(const global volatile uint *in) {
  uint sum = 0;
#define READ(i)                                                                                    \
  const uint a##i = in[4 * i], b##i = in[4 * i + 1], c##i = in[4 * i + 2], d##i = in[4 * i + 3];
  FORWARD(READ)
#define USE(i) sum = (((sum * 3 + d##i) * 3 + c##i) * 3 + b##i) * 3 + a##i;
  BACKWARD(USE)
  return sum;
}

kernel void wide(global uint *out, const global volatile uint *in) {
  const size_t id = get_global_id(0);
  out[id] = sum_of(in) + (uint)id;
#ifdef STATE
  if (id == 0)
    launches++;
#endif
}

kernel void other(global uint *out, const global volatile uint *in) {
  const size_t id = get_global_id(0);
  out[id] = sum_of(in) - (uint)id;
}
