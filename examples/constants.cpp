/*
 * One kernel at three values of its specialization constants, by DPC++'s own libsycl: the
 * program hands libsycl a device image, sets "taps" and "scale", builds and launches, three
 * times, and compares every result with one computed here. Exits with 1 when one is wrong.
 */
#include "support/plugin_in_use.h"
#include "support/session.h"

#include "embed.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>

SPECPI_EMBED(moving_average_module, "moving_average.spv")

using namespace specpi_test;

namespace {

const size_t count = 1 << 20;

struct setting {
  int taps;
  float scale;
};
const setting settings[] = {{1, 1.0f}, {3, 0.5f}, {16, 0.0625f}};
const int most_taps = 16;

float input(size_t i) {
  return static_cast<float>(i % 1000) * 0.25f - 100.0f;
}

/* In double: what the kernel should find but for the rounding of its floats. */
double expected(size_t i, const setting &with) {
  double sum = 0.0;
  for (int k = 0; k < with.taps; k++)
    sum += static_cast<double>(input(i + static_cast<size_t>(k)));
  return static_cast<double>(with.scale) * sum;
}

template <class Action> double milliseconds(Action action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

/* Every input is a multiple of 1/4 below 256 in size, so 16 of them add up without rounding. */
size_t count_right(const float *results, const setting &with) {
  size_t right = 0;
  for (size_t i = 0; i < count; i++)
    right += static_cast<double>(results[i]) == expected(i, with);
  return right;
}

/* Builds, launches and checks with one setting; one row of the table. True when all is right. */
bool run(const session &on, input_bundle &bundle, const usm_array<float> &x, const setting &with) {
  const usm_array<float> y(on, count);
  bundle.set("taps", with.taps);
  bundle.set("scale", with.scale);

  std::optional<built_kernel> kernel;
  const double build =
      milliseconds([&] { kernel.emplace(bundle.build().kernel("moving_average")); });
  const double launch = milliseconds([&] { kernel->run({x.data(), y.data()}, {count, 1, 1}); });

  const size_t right = count_right(y.data(), with);
  const size_t shown = 1234;
  std::printf("  %4d  %7.4f  %8.1f ms %8.2f ms  %11.4f  %11.4f   %zu of %zu right\n", with.taps,
              static_cast<double>(with.scale), build, launch, static_cast<double>(y[shown]),
              expected(shown, with), right, count);
  return right == count;
}

bool demonstrate() {
  register_device_library({{moving_average_module_begin,
                            moving_average_module_end,
                            {"moving_average"},
                            {scalar_constant("taps", 0, 1), scalar_constant("scale", 1, 1.0f)}}});
  const session on;
  const std::vector<std::string> plugins = mapped_opencl_plugins();
  std::printf("  device  %s\n", on.device_name().c_str());
  for (const std::string &plugin : plugins)
    std::printf("  plugin  %s\n", plugin.c_str());
  std::printf("\n  taps    scale        build      launch   y[1234] is  it should be\n");

  const usm_array<float> x(on, count + most_taps);
  for (size_t i = 0; i < count + most_taps; i++)
    x[i] = input(i);
  input_bundle bundle(on, {"moving_average"});
  bool right = true;
  for (const setting &each : settings)
    right = run(on, bundle, x, each) && right;
  return right;
}

} // namespace

int main() {
  std::printf("One kernel, y[i] = scale * (x[i] + ... + x[i + taps - 1]), at three values of its\n"
              "specialization constants, by DPC++'s libsycl.so.7\n\n");
  try {
    if (demonstrate())
      return 0;
    std::fprintf(stderr, "A result is wrong.\n");
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 1;
}
