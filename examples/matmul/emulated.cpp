// The form with a constant that the kernel reads from a buffer: compiled with --spec-const=emulate.
#include "forms.hpp"

static cl::sycl::experimental::spec_id<std::size_t> block_size(1);

class WithEmulatedConstant;

static const char *emulated_text(const sycl::context &in) {
  return in.is_host()                               ? "a constant, as a value"
         : sycl::program(in).native_spec_constant() ? "a constant in the code"
                                                    : "a constant in a buffer";
}
static sycl::event multiply_emulated(sycl::queue &q, matrix &a, matrix &b, matrix &c, int size,
                                     int block) {
  return mat_multiply<WithEmulatedConstant>(q, a, b, c, size, block, [=](sycl::handler &cgh) {
    return cgh.set_spec_constant<std::size_t, block_size>(static_cast<std::size_t>(block));
  });
}

const form form_emulated = {emulated_text, multiply_emulated};
