// Section "Ahead of time compilation" of the proposal with typename ids: --spec-const=default.
#include "check.hpp"

class Fixed;
class FixedKernel;

CASE("an image that was compiled ahead of time has zero, and no constant to be set") {
  if (check::host())
    SKIP("the host device has no images");
  sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  CHECK(!p.native_spec_constant());
  const auto fixed = p.set_spec_constant<Fixed>(5);
  p.build_with_kernel_type<FixedKernel>();
  int out = -1;
  {
    sycl::buffer<int, 1> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto a = to.get_access<sycl::access::mode::write>(cgh);
      cgh.single_task<FixedKernel>(p.get_kernel<FixedKernel>(), [=] { a[0] = fixed.get(); });
    });
  }
  CHECK(out == 0);
  for (const auto &image :
       q.get_context().impl()->input_images(q.get_device(), sycl::detail::this_unit()))
    CHECK(image->constants().empty());
}

CHECK_MAIN
