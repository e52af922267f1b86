/*
 * The same filter with DPC++'s libsycl: the same image of specpi-cc, which registers itself with
 * libsycl when the program starts, the same constants by name, the same three radii. Each result is
 * compared with the host's, byte by byte.
 */
#include "support/plugin_in_use.h"
#include "support/session.h"

#include "blur.h"
#include "options.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace specpi_test;

namespace {

const char usage[] =
    "Usage: demo-filter-sycl [--output DIRECTORY] [PICTURE.png]\n"
    "Blurs a picture at three radii through libsycl, and writes DIRECTORY/sycl-radius-N.png.\n"
    "Exits with 1 when a byte is wrong.\n";

using timer = std::chrono::steady_clock;

double milliseconds_since(timer::time_point start) {
  return std::chrono::duration<double, std::milli>(timer::now() - start).count();
}

/* The filter's pictures in shared memory: before, between and after the two steps. */
struct memory {
  memory(const session &on, const picture &padded)
      : width(padded.width - 2 * BLUR_RADIUS_MAX), height(padded.height - 2 * BLUR_RADIUS_MAX),
        in(on, picture_count(&padded)), rows(on, size_t{width} * padded.height),
        out(on, size_t{width} * height) {
    std::copy(padded.pixels, padded.pixels + picture_count(&padded), in.data());
  }
  unsigned width, height;
  usm_array<pixel> in, rows, out;
};

/* Runs one radius and prints one row of the table. Returns whether the result is right. */
bool show(const session &on, const options &all, const picture &padded, const memory &its,
          int radius) {
  input_bundle bundle(on, {"blur_rows", "blur_columns"});
  bundle.set("radius", int32_t{radius});
  bundle.set("weights", blur_weights_of(radius));

  auto start = timer::now();
  const built_bundle built = bundle.build();
  const double build = milliseconds_since(start);
  const built_kernel rows = built.kernel("blur_rows"), columns = built.kernel("blur_columns");
  start = timer::now();
  const size_t bytes = its.width * sizeof(pixel);
  rows.run({its.in.data(), its.rows.data()}, {bytes, its.height + 2 * BLUR_RADIUS_MAX, 1});
  columns.run({its.rows.data(), its.out.data()}, {bytes, its.height, 1});
  const double launches = milliseconds_since(start);

  const picture result = {its.width, its.height, its.out.data()};
  picture reference = blur_reference(&padded, radius);
  const size_t size = picture_count(&result) * sizeof(pixel);
  const size_t equal = blur_equal_bytes(&result, &reference);
  picture_free(&reference);
  std::printf("  %6d %9.1f ms %9.1f ms   ", radius, build, launches);
  if (equal == size)
    std::printf("every byte is right\n");
  else
    std::printf("%zu of %zu bytes are WRONG\n", size - equal, size);
  return options_write(&all, "sycl", radius, &result) && equal == size;
}

bool demonstrate(const options &all, const picture &padded) {
  const session on;
  const memory its(on, padded);
  std::printf("  %u by %u pixels on %s\n", its.width, its.height, on.device_name().c_str());
  for (const std::string &plugin : mapped_plugins("libpi_opencl.so"))
    std::printf("  plugin %s\n", plugin.c_str());
  std::printf("\n  radius        build        filter\n");
  bool right = true;
  for (const int radius : blur_radii)
    right = right && show(on, all, padded, its, radius);
  return right;
}

} // namespace

int main(int argc, char **argv) {
  const options all = options_read(argc, argv, usage);
  picture source;
  if (!options_picture(&all, &source))
    return 1;
  picture padded = blur_padded(&source);
  picture_free(&source);
  bool right = false;
  try {
    right = demonstrate(all, padded);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "demo-filter-sycl: %s\n", error.what());
  }
  picture_free(&padded);
  return !right;
}
