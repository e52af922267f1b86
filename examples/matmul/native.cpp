// The forms with an argument, and with a constant that a build puts into the code.
#include "forms.hpp"

static cl::sycl::experimental::spec_id<std::size_t> block_size(1);

class WithArgument;
class WithNativeConstant;

static const char *argument_text(const sycl::context &) {
  return "an argument of the kernel";
}
static sycl::event multiply_argument(sycl::queue &q, matrix &a, matrix &b, matrix &c, int size,
                                     int block) {
  return mat_multiply<WithArgument>(q, a, b, c, size, block,
                                    [=](sycl::handler &) { return block; });
}

static const char *native_text(const sycl::context &in) {
  return sycl::program(in).native_spec_constant() ? "a constant in the code"
                                                  : "a constant, as a value";
}
static sycl::event multiply_native(sycl::queue &q, matrix &a, matrix &b, matrix &c, int size,
                                   int block) {
  return mat_multiply<WithNativeConstant>(q, a, b, c, size, block, [=](sycl::handler &cgh) {
    return cgh.set_spec_constant<std::size_t, block_size>(static_cast<std::size_t>(block));
  });
}

const form form_argument = {argument_text, multiply_argument};
const form form_native = {native_text, multiply_native};
