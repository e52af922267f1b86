/*
 * The convolution of SYCL Modules, section "Example": three by three coefficients; pixels outside
 * the picture count as 0. The caller decides how the kernel gets the coefficients.
 */
#ifndef SPECPI_EXAMPLES_CONVOLVE_HPP
#define SPECPI_EXAMPLES_CONVOLVE_HPP

#include <array>
#include <sycl/sycl.hpp>

using coeff_t = std::array<std::array<float, 3>, 3>;
using pixels = sycl::buffer<float, 2>;

/*
 * Submits the command out = in * coefficients. get_coefficients(handler) returns the object that
 * the kernel captures: the coefficients, or an object that converts to them.
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
        /* Before the first row the subtraction wraps around to a very large number. */
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
