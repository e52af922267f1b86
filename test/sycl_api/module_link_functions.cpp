// A unit without kernels.
#include "module_link.hpp"

SYCL_EXTERNAL int unused(int value) {
  return value + 1;
}

sycl::module<sycl::module_state::input> module_of_functions(const sycl::context &in) {
  return sycl::this_module::get<sycl::module_state::input>(in);
}
bool has_objects_of_functions(const sycl::context &in) {
  return sycl::this_module::has_module_in<sycl::module_state::object>(in);
}
int has_executable_of_functions(const sycl::context &in) {
  const auto made = sycl::this_module::get<sycl::module_state::executable>(in);
  const bool there = sycl::this_module::has_module_in<sycl::module_state::executable>(in);
  return there == (made.begin() != made.end()) ? int(there) : -1;
}
