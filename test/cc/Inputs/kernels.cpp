// Kernels for kernels.c, which runs them on each device. It declares the members of each function
// object again.
#include "contract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

void barrier(unsigned flags) __asm__("_Z7barrierj");
std::size_t local_id(unsigned) __asm__("_Z12get_local_idj");
std::size_t local_size(unsigned) __asm__("_Z14get_local_sizej");

using matrix = std::array<std::array<float, 2>, 2>;
constexpr sycl::specialization_id<matrix> weights(matrix{{{1, 2}, {3, 4}}});
inline constexpr sycl::specialization_id<int> bias(4);
constexpr sycl::specialization_id<bool> doubled(false);
struct required;

static constexpr float table[4] = {0.25f, 0.5f, 0.75f, 1};
struct entry {
  const char *name;
  int value;
};
static constexpr entry entries[] = {{"ab", 1}, {"cdef", 2}};

// A structure with a large alignment and padding at its end.
struct alignas(32) wide {
  float lanes[4];
  char last;
};

struct arithmetic {
  const float *from;
  float *to;
  signed char small;
  wide aligned;
  void operator()() const {
    const std::size_t at = global_id(0);
    const matrix m = get<weights>();
    float sum = 0;
    for (const auto &row : m)
      for (float x : row)
        sum += x * from[at];
    sum += get<bias>() + get_required<int, required>() + small;
    sum += aligned.lanes[at & 3] + aligned.last;
    to[at] = get<doubled>() ? 2 * sum : sum;
  }
};

// Reverses the elements of each work-group.
struct reversal {
  int *data;
  std::size_t offset;
  static int *memory(std::size_t offset) {
    return reinterpret_cast<int *>(static_cast<char *>(__specpi_local_memory()) + offset);
  }
  void operator()() const {
    const std::size_t at = global_id(0);
    const std::size_t mine = local_id(0);
    memory(offset)[mine] = data[at];
    barrier(1);
    data[at] = memory(offset)[local_size(0) - 1 - mine];
  }
};

struct point {
  int x, y, z;
  point operator+(const point &other) const {
    return {x + other.x, y + other.y, z + other.z};
  }
};

struct tables {
  int *data;
  void operator()() const {
    const std::size_t at = global_id(0);
    const entry &one = entries[at & 1];
    int length = 0;
    while (one.name[length])
      length++;
    point points[3];
    std::memset(points, 0, sizeof points);
    for (int i = 0; i < 3; i++)
      points[i] = points[i] + point{i, int(at), 1};
    const auto [x, y] = std::make_tuple(points[0] + points[1] + points[2], 5);
    const auto add = [&](auto... values) { return (values + ... + 0); };
    data[at] = add(length, one.value, x.x, x.y, x.z, y, int(4 * table[at & 3]));
    std::memcpy(&data[4 + at], "\1\0\0\0", 4);
  }
};

// Calls of the C library's functions become OpenCL's functions on devices.
struct mathematics {
  const float *from;
  float *to;
  void operator()() const {
    const std::size_t at = global_id(0);
    const float x = from[at];
    to[at] = std::sin(x) + std::tan(x) + std::sqrt(x) + std::pow(x, 2.5f) + std::fmod(x, 0.75f) +
             std::max(std::hypot(x, 1.0f), std::floor(x)) + std::exp(x) + std::log1p(x) +
             float(std::lround(x)) + std::abs(-x);
  }
};

struct empty {
  void operator()() const {}
};

void host(float *data) {
  std::vector<float> values(4);
  run<arithmetic>(arithmetic{values.data(), data, 1, {}});
  run<reversal>(reversal{});
  run<tables>(tables{});
  run<mathematics>(mathematics{});
  run<empty>(empty{});
}
