// A unit with a function for other units' kernels, which reads a constant.
#include "module_link.hpp"

sycl::spec_id<int> part_factor(1);

class Part;
class Empty;

/* Reads the constant without a placeholder from a handler. */
SYCL_EXTERNAL int scaled(int value) {
  return value * sycl::spec_constant<int, part_factor>().get();
}

sycl::module<sycl::module_state::input> module_of_part(const sycl::context &in) {
  return sycl::this_module::get<sycl::module_state::input>(in);
}

void run_part(sycl::handler &cgh) {
  cgh.single_task<Empty>([=] {});
}

void run_part_into(sycl::handler &cgh, sycl::buffer<int> &to) {
  auto sink = to.get_access<sycl::access::mode::write>(cgh);
  cgh.single_task<Part>([=] { sink[0] = scaled(7); });
}
