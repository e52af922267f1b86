/*
 * The convolution of SYCL Modules over include/sycl, with the coefficients as arguments of the
 * kernel, as native constants, and as constants in a buffer. Coefficients and pixels are small
 * whole numbers, so that sums are exact in any order. All forms have to give the same bytes as the
 * host.
 */
#include "../filter/picture.h"
#include "../support/measure.hpp"
#include "forms.hpp"
#include "options.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<float>;

/* Emphasises edges; even areas become grey. */
constexpr coeff_t relief = {{{-2, -1, 0}, {-1, 1, 1}, {0, 1, 2}}};

/* The brightness of the drawn picture, which is repeated if the size is larger. */
numbers make_picture(const options &all) {
  picture drawn = picture_draw();
  numbers out(static_cast<std::size_t>(all.width) * all.height);
  for (std::size_t y = 0; y < all.height; y++)
    for (std::size_t x = 0; x < all.width; x++) {
      const pixel &p = drawn.pixels[y % drawn.height * drawn.width + x % drawn.width];
      const int grey = (2 * p.channel[0] + 5 * p.channel[1] + p.channel[2]) / 8;
      out[y * all.width + x] = static_cast<float>(grey);
    }
  picture_free(&drawn);
  return out;
}

/* The same on the host by another method: adds each pixel to its neighbours. */
numbers convolve_host(const numbers &in, const options &all) {
  const long width = all.width;
  const long height = all.height;
  numbers out(in.size());
  for (long i = -1; i <= 1; i++)
    for (long j = -1; j <= 1; j++)
      for (long y = std::max(0L, -i); y < std::min(height, height - i); y++)
        for (long x = std::max(0L, -j); x < std::min(width, width - j); x++)
          out[static_cast<std::size_t>(y * width + x)] +=
              relief[static_cast<std::size_t>(i + 1)][static_cast<std::size_t>(j + 1)] *
              in[static_cast<std::size_t>((y + i) * width + x + j)];
  return out;
}

void write_picture(const options &all, const numbers &of) {
  picture it = picture_new(all.width, all.height);
  for (std::size_t i = 0; i < of.size(); i++) {
    const float grey = std::min(255.0F, std::max(0.0F, of[i]));
    const auto byte = static_cast<unsigned char>(grey);
    it.pixels[i] = {{byte, byte, byte, 255}};
  }
  const bool written = picture_write(all.picture.c_str(), &it);
  picture_free(&it);
  if (!written)
    throw std::runtime_error("the picture was not written");
}

struct result {
  const char *text;
  form *convolve;
  double milliseconds;
  numbers out;
};

/* Measures the forms in turn, so that other load of the machine affects all of them. */
std::vector<result> run(const options &all, sycl::queue &q, const numbers &in) {
  std::vector<result> results = {
#define FORM(name, text) {text, convolve_##name, 0, numbers(in.size())},
      FORMS(FORM)
#undef FORM
  };
  const sycl::range<2> size(all.height, all.width);
  pixels from(in.data(), size);
  for (result &r : results) {
    pixels to(r.out.data(), size);
    r.convolve(q, from, to, relief); /* also builds the kernel */
  }
  pixels to{size};
  std::vector<std::vector<double>> times(results.size());
  for (unsigned round = 0; round < all.rounds; round++)
    for (std::size_t i = 0; i < results.size(); i++)
      times[i].push_back(measure(q, [&] { return results[i].convolve(q, from, to, relief); }));
  for (std::size_t i = 0; i < results.size(); i++)
    results[i].milliseconds = median(times[i]);
  return results;
}

bool show(const options &all) {
  sycl::queue q = measured_queue(choose_device(all.device));
  const numbers in = make_picture(all);
  std::printf("  %u by %u pixels on %s:\n  medians of %u rounds, in turns\n\n"
              "  the coefficients are              time     ns/pixel\n",
              all.width, all.height, q.get_device().get_info<sycl::info::device::name>().c_str(),
              all.rounds);
  std::fflush(stdout); /* shows the device before the long part */
  const std::vector<result> results = run(all, q, in);
  bool equal = true;
  for (const result &r : results) {
    std::printf("  %-27s %9.3f ms %11.4f\n", r.text, r.milliseconds,
                r.milliseconds * 1e6 / static_cast<double>(in.size()));
    equal = equal && r.out == results.front().out;
  }
  const bool right = results.front().out == convolve_host(in, all);
  std::printf("\n  the results are %s, and %s the host's\n", equal ? "equal" : "NOT EQUAL",
              right ? "are" : "NOT");
  if (!all.picture.empty())
    write_picture(all, results[1].out);
  return equal && right;
}

} // namespace

int main(int count, char **words) {
  try {
    return show(read_options(count, words)) ? 0 : 1;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "convolution: %s\n", e.what());
    return 1;
  }
}
