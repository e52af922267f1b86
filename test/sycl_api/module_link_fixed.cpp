// A unit that is compiled with --spec-const=default.
#include "module_link.hpp"

sycl::spec_id<int> fixed_value(6);

class Fixed;

sycl::module<sycl::module_state::input> module_of_fixed(const sycl::context &in) {
  return sycl::this_module::get<sycl::module_state::input>(in);
}

int run_fixed(sycl::queue q, const sycl::module<sycl::module_state::executable> &uses) {
  int out = -1;
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      cgh.use_module(uses);
      auto value = cgh.get_spec_constant<fixed_value>();
      cgh.single_task<Fixed>([=] { sink[0] = value.get(); });
    });
  }
  return out;
}
