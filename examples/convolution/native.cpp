// The forms with arguments, and with constants that a build puts into the code.
#include "forms.hpp"

static sycl::spec_id<coeff_t> coeff_id;

class WithArguments;
class WithConstants;

sycl::event convolve_argument(sycl::queue &q, pixels &in, pixels &out,
                              const coeff_t &coefficients) {
  return do_conv<WithArguments>(q, in, out, [&](sycl::handler &) { return coefficients; });
}

sycl::event convolve_native(sycl::queue &q, pixels &in, pixels &out, const coeff_t &coefficients) {
  return do_conv<WithConstants>(q, in, out, [&](sycl::handler &cgh) {
    return cgh.set_spec_constant<coeff_t, coeff_id>(coefficients);
  });
}
