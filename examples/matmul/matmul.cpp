/*
 * A blocked matrix product over include/sycl, with the size of a block as an argument of the
 * kernel, as a native constant, and as a constant in a buffer. The elements are small whole
 * numbers, so that sums are exact in any order. All forms have to give the same bytes, which are
 * compared with the host's.
 */
#include "../support/measure.hpp"
#include "forms.hpp"
#include "options.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using numbers = std::vector<float>;

/* Elements from -2 to 2, without a pattern that would hide a wrong index. */
numbers make_matrix(int size, unsigned seed) {
  numbers all(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  for (float &one : all) {
    seed = seed * 1664525U + 1013904223U;
    one = static_cast<float>((seed >> 16) % 5U) - 2.0F;
  }
  return all;
}

/* Returns whether rows of c are those of a * b. Checks that number of rows, evenly spread. */
bool is_product(const numbers &a, const numbers &b, const numbers &c, int size, int rows) {
  const auto n = static_cast<std::size_t>(size);
  const std::size_t step = std::max<std::size_t>(1, n / static_cast<std::size_t>(rows));
  numbers row(n);
  for (std::size_t i = 0; i < n; i += step) {
    std::fill(row.begin(), row.end(), 0.0F);
    for (std::size_t k = 0; k < n; k++)
      for (std::size_t j = 0; j < n; j++)
        row[j] += a[i * n + k] * b[k * n + j];
    if (!std::equal(row.begin(), row.end(), c.begin() + static_cast<std::ptrdiff_t>(i * n)))
      return false;
  }
  return true;
}

/* The size of a block, chosen as in the proposal: the largest power of two whose square is at most
 * number. */
int block_for(std::size_t number, int size) {
  int block = 1;
  while (static_cast<std::size_t>(block) * 2 * static_cast<std::size_t>(block) * 2 <= number &&
         block * 2 <= size)
    block *= 2;
  return block;
}

int choose_block(const options &all, const sycl::device &device) {
  const auto limit = device.get_info<sycl::info::device::max_work_group_size>();
  const int block = all.block ? all.block : block_for(limit, all.size);
  const std::string text = std::to_string(block);
  if (static_cast<std::size_t>(block) * static_cast<std::size_t>(block) > limit)
    throw std::runtime_error("a block of " + text + " rows takes a work-group of " +
                             std::to_string(block * block) +
                             " work-items, the device has at most " + std::to_string(limit));
  if (all.size % block != 0)
    throw std::runtime_error("a matrix of " + std::to_string(all.size) +
                             " rows is not made of blocks of " + text);
  return block;
}

struct result {
  const char *text;
  double milliseconds;
  numbers product;
};

/* Measures the forms in turn, so that other load of the machine affects all of them. */
std::vector<result> run(const options &all, sycl::queue &q, const numbers &left,
                        const numbers &right, int block) {
  static const form *const forms[] = {
#define FORM(name) &form_##name,
      FORMS(FORM)
#undef FORM
  };
  const sycl::range<1> range(left.size());
  matrix a(left.data(), range);
  matrix b(right.data(), range);
  std::vector<result> results;
  std::vector<std::vector<double>> times;
  for (const form *f : forms) {
    results.push_back({f->text(q.get_context()), 0, numbers(left.size())});
    times.emplace_back();
    matrix c(results.back().product.data(), range);
    f->multiply(q, a, b, c, all.size, block); /* also builds the kernel */
  }
  matrix c{range};
  for (int round = 0; round < all.rounds; round++)
    for (std::size_t f = 0; f < times.size(); f++)
      times[f].push_back(
          measure(q, [&] { return forms[f]->multiply(q, a, b, c, all.size, block); }));
  for (std::size_t f = 0; f < times.size(); f++)
    results[f].milliseconds = median(times[f]);
  return results;
}

bool show(const options &all) {
  constexpr int rows_checked = 256;
  const sycl::device device = choose_device(all.device);
  sycl::queue q = measured_queue(device);
  const int block = choose_block(all, device);
  const numbers left = make_matrix(all.size, 1);
  const numbers right = make_matrix(all.size, 2);
  std::printf("  %d by %d floats in blocks of %d by %d on %s:\n"
              "  medians of %d rounds, in turns\n\n"
              "  the size of a block is            time      GFLOP/s\n",
              all.size, all.size, block, block, device.get_info<sycl::info::device::name>().c_str(),
              all.rounds);
  std::fflush(stdout); /* shows the device before the long part */
  const std::vector<result> results = run(all, q, left, right, block);
  bool equal = true;
  for (const result &r : results) {
    const double operations = 2.0 * all.size * all.size * all.size;
    std::printf("  %-27s %9.3f ms %11.3f\n", r.text, r.milliseconds,
                operations / (r.milliseconds * 1e6));
    equal = equal && r.product == results.front().product;
  }
  const bool right_product =
      is_product(left, right, results.front().product, all.size, rows_checked);
  std::printf("\n  the results are %s, and %s the host's\n", equal ? "equal" : "NOT EQUAL",
              right_product ? "are" : "NOT");
  return equal && right_product;
}

} // namespace

int main(int count, char **words) {
  try {
    return show(read_options(count, words)) ? 0 : 1;
  } catch (const std::exception &e) {
    std::fprintf(stderr, "matmul: %s\n", e.what());
    return 1;
  }
}
