// The first example of the proposals: a convolution whose coefficients are a constant.
#include "check.hpp"

#include <array>

using coefficients = std::array<std::array<float, 3>, 3>;
constexpr sycl::specialization_id<coefficients> coefficients_id;

namespace {

std::vector<float> convolve(const coefficients *given) {
  std::vector<float> in(16);
  std::vector<float> out(16);
  for (std::size_t i = 0; i < in.size(); i++)
    in[i] = static_cast<float>(i);
  sycl::queue q = check::queue();
  {
    sycl::buffer<float, 2> from(in.data(), sycl::range<2>(4, 4));
    sycl::buffer<float, 2> to(out.data(), sycl::range<2>(4, 4));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor source{from, cgh, sycl::read_only};
      sycl::accessor sink{to, cgh, sycl::write_only};
      if (given)
        cgh.set_specialization_constant<coefficients_id>(*given);
      cgh.parallel_for<class Convolution>(
          from.get_range(), [=](sycl::item<2> at, sycl::kernel_handler h) {
            const auto c = h.get_specialization_constant<coefficients_id>();
            float sum = 0;
            for (std::size_t i = 0; i < 3; i++)
              for (std::size_t j = 0; j < 3; j++)
                if (at[0] + i >= 1 && at[0] + i < 5 && at[1] + j >= 1 && at[1] + j < 5)
                  sum += c[i][j] * source[at[0] + i - 1][at[1] + j - 1];
            sink[at] = sum;
          });
    });
  }
  return out;
}

} // namespace

CASE("a kernel sees the default") {
  CHECK(convolve(nullptr) == std::vector<float>(16));
}

CASE("a kernel sees the value that the handler was given") {
  const coefficients identity = {{{0, 0, 0}, {0, 1, 0}, {0, 0, 0}}};
  const std::vector<float> out = convolve(&identity);
  for (std::size_t i = 0; i < out.size(); i++)
    CHECK(out[i] == static_cast<float>(i));
  const coefficients shift = {{{0, 0, 0}, {0, 0, 2}, {0, 0, 0}}};
  CHECK(convolve(&shift)[0] == 2.0F);
}

CHECK_MAIN
