/*
 * The convolution of SYCL Modules, section "Example": three by three coefficients, and what lies
 * outside of the picture counts as nothing. How the kernel knows the coefficients is the caller's.
 */
#ifndef SPECPI_EXAMPLES_CONVOLVE_HPP
#define SPECPI_EXAMPLES_CONVOLVE_HPP

#include <array>
#include <sycl/sycl.hpp>

using coeff_t = std::array<std::array<float, 3>, 3>;
using pixels = sycl::buffer<float, 2>;

/*
 * Gives a queue the command out = in * coefficients. get_coefficients(handler) is what the kernel
 * captures: the coefficients, or something that becomes them.
 */
template <class Name, class GetCoefficients>
sycl::event do_conv(sycl::queue &my_queue, pixels &in, pixels &out,
                    const GetCoefficients &get_coefficients) {
  using namespace sycl;
  return my_queue.submit([&](handler &cgh) {
    auto in_acc = in.get_access<access::mode::read>(cgh);
    auto out_acc = out.get_access<access::mode::discard_write>(cgh);
    auto given = get_coefficients(cgh);

    cgh.parallel_for<Name>(in.get_range(), [=](item<2> item_id) {
      const coeff_t coeff = given;
      float acc = 0;
      for (std::size_t i = 0; i < 3; i++) {
        /* Row item_id[0] + i - 1; before the first one the number is a very large one. */
        const std::size_t row = item_id[0] + i - 1;
        if (row >= in_acc.get_range()[0])
          continue;
        for (std::size_t j = 0; j < 3; j++) {
          const std::size_t column = item_id[1] + j - 1;
          if (column >= in_acc.get_range()[1])
            continue;
          acc += coeff[i][j] * in_acc[row][column];
        }
      }
      out_acc[item_id] = acc;
    });
  });
}

#endif
