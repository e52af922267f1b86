/*
 * Fourier transforms, one in the registers of each work-item, forward and back. The constants are
 * the number of rounds and the number of points.
 */
#include "measured.clh"

enum { MOST = 32, TURN = 32 };

CONSTANT(int, bits, 4, 2) /* binary logarithm of the number of points */
CONSTANT(int, rounds, 4, 1)

/* Returns the cosine of part / TURN of a full turn. */
HELPER float cosine(int part) {
  const float quarter[TURN / 4 + 1] = {1.0f,        0.98078528f, 0.92387953f,
                                       0.83146961f, 0.70710678f, 0.55557023f,
                                       0.38268343f, 0.19509032f, 0.0f};
  part = part & (TURN - 1);
  if (part > TURN / 2)
    part = TURN - part;
  return part <= TURN / 4 ? quarter[part] : -quarter[TURN / 2 - part];
}

HELPER void transform(float *re, float *im, int sign) {
  const int points = 1 << get_bits();
  for (int apart = points / 2; apart > 0; apart /= 2)
    for (int first = 0; first < points; first += 2 * apart)
      for (int i = 0; i < apart; i++) {
        const int one = first + i, other = one + apart, part = i * (TURN / 2 / apart);
        const float c = cosine(part), s = sign * cosine(part - TURN / 4);
        const float x = re[one] - re[other], y = im[one] - im[other];
        re[one] += re[other];
        im[one] += im[other];
        re[other] = x * c - y * s;
        im[other] = x * s + y * c;
      }
}

__kernel void run(__global float *restrict out, __global const float *restrict in) {
  const int points = 1 << get_bits(), count = 1 << 20, me = get_global_id(0);
  float re[MOST], im[MOST];
  for (int i = 0; i < points; i++) {
    re[i] = in[i * count + me];
    im[i] = in[(points + i) * count + me];
  }
  for (int round = 0; round < get_rounds(); round++) {
    transform(re, im, round % 2 == 0 ? -1 : 1);
    for (int i = 0; i < points; i++) {
      re[i] *= 0.25f;
      im[i] *= 0.25f;
    }
  }
  for (int i = 0; i < points; i++) {
    out[i * count + me] = re[i];
    out[(points + i) * count + me] = im[i];
  }
}
