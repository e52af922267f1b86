/*
 * Compares the kernels in a SYCL program, which specpi-cc compiles with DPC++'s headers
 * (docs/sycl.md) and whose constants are set at run time, with nvcc's. nvcc compiles the same
 * sources with the values in them, and CUDA's driver launches them. The two take turns.
 *
 * usage: bench-cuda-sycl DIRECTORY [ROUNDS]. The directory contains the files KERNEL.nvcc.cubin.
 * Prints a line for each kernel; fails if the two compute different numbers.
 */
#include <sycl/sycl.hpp>

#include "../../test/gpu/random.h"
#include "workloads.h"

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/* ---- The kernels ---- */

#include "measured.clh"

namespace measured {

using sycl::clamp;
using sycl::cos;
using sycl::exp;
using sycl::fma;
using sycl::fmax;
using sycl::fmin;
using sycl::log;
using sycl::pow;
using sycl::sin;
using sycl::sqrt;
using sycl::tanh;

/* Base of the kernels, which get the work-item's id and the constants' values from it. */
struct work_item {
  sycl::nd_item<2> item;
  mutable sycl::kernel_handler handler;
};

struct product : work_item {
#include "product.cl"
};
struct filter_of : work_item {
#include "filter.cl"
};
struct map_of : work_item {
#include "map.cl"
};
#define CLAMP
struct clamped : work_item {
#include "map.cl"
};
struct tile : work_item {
#include "tile.cl"
};
struct window_of : work_item {
#include "window.cl"
};
struct transform_of : work_item {
#include "transform.cl"
};
struct features_of : work_item {
#include "features.cl"
};
struct polynomial : work_item {
#include "polynomial.cl"
};
struct functions : work_item {
#include "functions.cl"
};

} // namespace measured

/* ---- SYCL ---- */

/* A workload's arrays, in the memory of SYCL or of CUDA. */
struct numbers {
  float *out, *inputs[2];
};

template <class Body> struct kernel {
  float *out;
  const float *a, *b;

  /* The same as __restrict__ in nvcc's kernels. */
  [[intel::kernel_args_restrict]] void operator()(sycl::nd_item<2> item,
                                                  sycl::kernel_handler handler) const {
    Body body{{item, handler}};
    if constexpr (std::is_invocable_v<decltype(&Body::run), Body, float *, const float *>)
      body.run(out, a);
    else
      body.run(out, a, b);
  }
};

template <auto &Id> void set_constant(sycl::handler &cgh, const value &of) {
  typename std::remove_cvref_t<decltype(Id)>::value_type typed;
  if (sizeof typed != of.size) {
    std::fprintf(stderr, "bench-cuda-sycl: %s has %zu bytes, expected %zu\n", of.name, sizeof typed,
                 of.size);
    std::exit(1);
  }
  std::memcpy(&typed, of.bytes, sizeof typed);
  cgh.set_specialization_constant<Id>(typed);
}

/* Submits a kernel. Ids are in the order of the workload's values. */
template <class Body, auto &...Ids>
void launch(sycl::queue &queue, const workload &work, const numbers &on) {
  queue.submit([&](sycl::handler &cgh) {
    const value *next = work.values;
    (set_constant<Ids>(cgh, *next++), ...);
    cgh.parallel_for(
        sycl::nd_range<2>{{work.global[1], work.global[0]}, {work.local[1], work.local[0]}},
        kernel<Body>{on.out, on.inputs[0], on.inputs[1]});
  });
}

static const struct {
  const char *name;
  void (*launch)(sycl::queue &queue, const workload &work, const numbers &on);
} kernels[] = {
    {"product", launch<measured::product, measured::product::block, measured::product::size>},
    {"filter",
     launch<measured::filter_of, measured::filter_of::filter, measured::filter_of::width>},
    {"map", launch<measured::map_of, measured::map_of::map, measured::map_of::count>},
    {"clamped", launch<measured::clamped, measured::clamped::map, measured::clamped::count>},
    {"tile", launch<measured::tile, measured::tile::rows, measured::tile::columns,
                    measured::tile::depth, measured::tile::size>},
    {"window", launch<measured::window_of, measured::window_of::taps, measured::window_of::width,
                      measured::window_of::rows, measured::window_of::filter>},
    {"transform",
     launch<measured::transform_of, measured::transform_of::bits, measured::transform_of::rounds>},
    {"features",
     launch<measured::features_of, measured::features_of::on, measured::features_of::width>},
    {"polynomial", launch<measured::polynomial, measured::polynomial::degree,
                          measured::polynomial::rounds, measured::polynomial::p>},
    {"functions", launch<measured::functions, measured::functions::chosen_ones>},
};

/* ---- CUDA ---- */

[[noreturn]] static void fail(const std::string &what) {
  std::fprintf(stderr, "bench-cuda-sycl: %s\n", what.c_str());
  std::exit(1);
}

/* X(name, symbol): the driver's functions that are called. */
#define CUDA_FUNCTIONS(X)                                                                          \
  X(cuInit, cuInit)                                                                                \
  X(cuDeviceGet, cuDeviceGet)                                                                      \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain)                                            \
  X(cuCtxSetCurrent, cuCtxSetCurrent)                                                              \
  X(cuCtxSynchronize, cuCtxSynchronize)                                                            \
  X(cuModuleLoad, cuModuleLoad)                                                                    \
  X(cuModuleGetFunction, cuModuleGetFunction)                                                      \
  X(cuMemAlloc, cuMemAlloc_v2)                                                                     \
  X(cuMemFree, cuMemFree_v2)                                                                       \
  X(cuMemcpyHtoD, cuMemcpyHtoD_v2)                                                                 \
  X(cuMemcpyDtoH, cuMemcpyDtoH_v2)                                                                 \
  X(cuLaunchKernel, cuLaunchKernel)
#undef cuMemAlloc
#undef cuMemFree
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH

struct driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *find(const char *name) const {
    void *symbol = library ? dlsym(library, name) : nullptr;
    return symbol ? symbol : (fail(std::string(name) + " is not in libcuda.so.1"), nullptr);
  }
#define CUDA_MEMBER(name, symbol)                                                                  \
  template <class... Arguments> void name(Arguments... arguments) const {                          \
    const CUresult result =                                                                        \
        reinterpret_cast<CUresult (*)(Arguments...)>(find(#symbol))(arguments...);                 \
    if (result != CUDA_SUCCESS)                                                                    \
      fail(std::string(#name " failed with ") + std::to_string(result));                           \
  }
  CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER

  void begin() const {
    CUdevice device;
    CUcontext context;
    cuInit(0U);
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
  }
  float *copy(const std::vector<float> &from) const {
    CUdeviceptr made;
    cuMemAlloc(&made, from.size() * sizeof(float));
    cuMemcpyHtoD(made, static_cast<const void *>(from.data()), from.size() * sizeof(float));
    return reinterpret_cast<float *>(made);
  }
  void launch(CUfunction function, const workload &work, numbers on) const {
    void *arguments[] = {&on.out, &on.inputs[0], &on.inputs[1]};
    const auto groups = [&](int i) {
      return static_cast<unsigned>(work.global[i] / work.local[i]);
    };
    cuLaunchKernel(function, groups(0), groups(1), 1U, static_cast<unsigned>(work.local[0]),
                   static_cast<unsigned>(work.local[1]), 1U, 0U, CUstream(nullptr),
                   static_cast<void **>(arguments), static_cast<void **>(nullptr));
  }
};

/* ---- Both ---- */

/* Returns milliseconds per launch, for count launches and one wait. */
template <class Launch, class Wait>
static double time_launches(unsigned count, Launch launch_once, Wait wait) {
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < count; i++)
    launch_once();
  wait();
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  return time.count() / count;
}

static double median(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

static void measure_kernel(const driver &cuda, sycl::queue &queue, const workload &work,
                           size_t which, const std::string &directory, unsigned rounds) {
  CUmodule module;
  CUfunction function;
  cuda.cuModuleLoad(&module, (directory + "/" + work.name + ".nvcc.cubin").c_str());
  cuda.cuModuleGetFunction(&function, module, "run");
  std::vector<float> input(work.numbers), found(work.results), expected(work.results, NAN);
  numbers ours{sycl::malloc_device<float>(work.results, queue), {}};
  numbers theirs{cuda.copy(expected), {}};
  uint32_t state = 1;
  for (unsigned i = 0; i < work.inputs; i++) {
    for (float &one : input)
      one = (static_cast<float>(gpu_random(&state) % 129) - 64) / 64;
    ours.inputs[i] = sycl::malloc_device<float>(work.numbers, queue);
    queue.copy(input.data(), ours.inputs[i], input.size()).wait();
    theirs.inputs[i] = cuda.copy(input);
  }
  const auto run_ours = [&] { kernels[which].launch(queue, work, ours); };
  const auto run_theirs = [&] { cuda.launch(function, work, theirs); };
  run_ours();
  run_theirs();
  queue.copy(ours.out, found.data(), found.size()).wait();
  cuda.cuMemcpyDtoH(static_cast<void *>(expected.data()), reinterpret_cast<CUdeviceptr>(theirs.out),
                    expected.size() * sizeof(float));
  for (size_t i = 0; i < found.size(); i++)
    if (!(std::fabs(found[i] - expected[i]) <= 1e-4F * std::max(1.0F, std::fabs(expected[i]))))
      fail(std::string(work.name) + ": number " + std::to_string(i) + " is " +
           std::to_string(found[i]) + ", expected " + std::to_string(expected[i]));
  std::vector<double> times, others, ratios;
  for (unsigned round = 0; round < 2 * rounds; round++) {
    const bool is_ours = (round / 2 + round) % 2 == 0;
    (is_ours ? times : others)
        .push_back(is_ours ? time_launches(4 * work.launches, run_ours, [&] { queue.wait(); })
                           : time_launches(4 * work.launches, run_theirs,
                                           [&] { cuda.cuCtxSynchronize(); }));
    if (round % 2 == 1)
      ratios.push_back(times.back() / others.back());
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("%-12s %9.4f %9.4f %7.3f   %.3f to %.3f\n", work.name, median(others), median(times),
              median(ratios), ratios.front(), ratios.back());
  std::fflush(stdout);
  for (unsigned i = 0; i < work.inputs; i++) {
    sycl::free(ours.inputs[i], queue);
    cuda.cuMemFree(reinterpret_cast<CUdeviceptr>(theirs.inputs[i]));
  }
  sycl::free(ours.out, queue);
  cuda.cuMemFree(reinterpret_cast<CUdeviceptr>(theirs.out));
}

int main(int argc, char **argv) {
  if (argc < 2)
    fail("usage: bench-cuda-sycl DIRECTORY [ROUNDS]");
  const unsigned rounds = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 15;
  const driver cuda;
  cuda.begin();
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  std::printf("%s\n%-12s %9s %9s %7s\n",
              queue.get_device().get_info<sycl::info::device::name>().c_str(), "kernel", "nvcc ms",
              "SYCL ms", "ratio");
  for (const workload &work : workloads)
    for (size_t i = 0; i < std::size(kernels); i++)
      if (std::strcmp(kernels[i].name, work.name) == 0)
        measure_kernel(cuda, queue, work, i, argv[1], rounds);
}
