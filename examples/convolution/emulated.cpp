// The form with constants that the kernel reads from a buffer: compiled with --spec-const=emulate.
#include "forms.hpp"

static sycl::spec_id<coeff_t> coeff_id;

class WithBuffer;

sycl::event convolve_emulated(sycl::queue &q, pixels &in, pixels &out,
                              const coeff_t &coefficients) {
  return do_conv<WithBuffer>(q, in, out, [&](sycl::handler &cgh) {
    return cgh.set_spec_constant<coeff_t, coeff_id>(coefficients);
  });
}
