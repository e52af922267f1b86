// A unit with much host code becomes an image of its kernels, for each target and mode.
// RUN: %specpi-cc --unit-id=unit --emit=spirv -I %inputs %s -o %t.spv
// RUN: %spirv-val %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s --check-prefix=SPIRV
// RUN: %specpi-cc --unit-id=unit --emit=ptx -I %inputs %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=PTX --input-file %t.ptx
// RUN: %specpi-cc --unit-id=unit --emit=props -I %inputs %s -o - \
// RUN:   | %FileCheck %s --check-prefix=PROPS
#include "contract.hpp"

#include <array>
#include <iostream>
#include <stdexcept>
#include <thread>
#include <vector>

// SPIRV-DAG: OpEntryPoint Kernel %{{.*}} "_ZTSZ4hostPfE5Scale"
// SPIRV-DAG: OpEntryPoint Kernel %{{.*}} "_ZTS5Empty"
// SPIRV-DAG: FuncParamAttr ByVal
// SPIRV-DAG: LinkageAttributes "_Z5twicef" Export
// SPIRV-DAG: LinkageAttributes "_Z6thricef" Import
// SPIRV-NOT: OpEntryPoint
// PTX: .visible .entry _ZTS5Empty(
// PTX-NEXT: .param .align 1 .b8 _ZTS5Empty_param_0[1]
// PTX: .visible .entry _ZTSZ4hostPfE5Scale(
// PTX-NEXT: .param .align 8 .b8 _ZTSZ4hostPfE5Scale_param_0[16]
// PROPS: [SYCL/specialization constants]
// PROPS-DAG: unit____ZL5coeff=
// PROPS-DAG: unit____ZN12_GLOBAL__N_14biasE=
// PROPS-DAG: shared=
// PROPS-DAG: _ZTS4Need=
// PROPS: [specpi/unit]
// PROPS-NEXT: id=2|gAAAAAAAAAQdulGd
// PROPS-NEXT: [specpi/required constants]
// The record has the kernel that uses the constant, Scale, and not Empty.
// PROPS-NEXT: _ZTS4Need=2|gCAAAAAAAAwXaR1UaRDavNHdQZWR1M1YhxWZAA{{$}}
constexpr sycl::specialization_id<std::array<std::array<float, 2>, 2>> coeff;
namespace {
constexpr sycl::specialization_id<int> bias(4);
}
inline constexpr sycl::specialization_id<bool> shared(true);
static constexpr float table[] = {1, 2, 3, 4};
struct Need;
struct Empty;

SYCL_EXTERNAL float twice(float x) {
  return 2 * x;
}
#ifdef SPECPI_TARGET_SPIR64
SYCL_EXTERNAL float thrice(float x);
#else
static float thrice(float x) {
  return 3 * x;
}
#endif

struct base {
  virtual ~base() = default;
};
struct error : virtual base, std::runtime_error {
  error() : std::runtime_error("with a virtual base") {}
};

void host(float *data) {
  std::vector<float> values(100);
  try {
    if (data)
      throw error();
    throw std::runtime_error("in the host's code");
  } catch (std::exception &error) {
    std::cerr << error.what();
    run<Empty>([] {});
  }
  std::thread thread([] {});
  thread.join();
  float factor = values[0];
  run<class Scale>([=] {
    const std::size_t at = global_id(0);
    const auto c = get<coeff>();
    float sum = factor + get<bias>() + get_required<int, Need>();
    if (get<shared>())
      sum += table[at & 3];
    for (const auto &row : c)
      for (float x : row)
        sum += x;
    data[at] = thrice(twice(sum));
  });
}
