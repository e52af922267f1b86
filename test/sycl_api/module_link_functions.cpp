// A unit without kernels.
#include "module_link.hpp"

SYCL_EXTERNAL int unused(int value) {
  return value + 1;
}

sycl::module<sycl::module_state::input> module_of_functions(const sycl::context &in) {
  return sycl::this_module::get<sycl::module_state::input>(in);
}
bool has_executable_of_functions(const sycl::context &in) {
  return sycl::this_module::has_module_in<sycl::module_state::executable>(in);
}
