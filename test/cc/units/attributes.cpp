// Attributes of kernels in all positions. SYCL's last dimension is the first one in PTX and SPIR-V.
// RUN: %specpi-cc --unit-id=u --emit=ptx -I %inputs %s -o - | %FileCheck %s --check-prefix=PTX
// PTX: .reqntid 8, 4, 1
// RUN: %specpi-cc --unit-id=u --emit=spirv -I %inputs -D SUB_GROUP %s -o %t.spv
// RUN: %spirv-dis %t.spv | %FileCheck %s --check-prefix=SPIRV
// RUN: %specpi-cc --unit-id=u -I %inputs -D SUB_GROUP %s -o %t.o
// RUN: %specpi inspect %t.o | %FileCheck %s --check-prefix=IMAGE
#include "contract.hpp"

// Text that only looks like attributes.
const char *text = R"x([[sycl::reqd_work_group_size(7)]] ")x";
const char quote = '"', bracket = '[', thousand[1'000] = "\"[[sycl::reqd_work_group_size(7)]]";
int first(const int *of) {
  return of[([] { return 0; }())];
}

constexpr int row = 4;
template <int... N> constexpr int sum = (N + ...);
#define SIZE(...) [[sycl::reqd_work_group_size(__VA_ARGS__)]]

class Lambda;
class Trailing;
class Using;
class Macro;
class Template;
class SubGroup;

struct outside {
  int *data;
  void operator()() const;
};
SIZE(3) void outside::operator()() const {
  data[0] = 1;
}
class Outside;
// Names in other scopes have no effect.
class None;
template <int K> void hosts(int *p) {
  // SPIRV-DAG: OpExecutionMode %[[TEMPLATE:.*]] LocalSize 6 5 1
  run<Template>([=]() [[sycl::reqd_work_group_size(K, sum<1, 2, 3>)]] { p[0] = 1; });
}
void host(int *p) {
  constexpr int columns = row * 2;
  // PTX: kernel _ZTS6Lambda - 8 4 1
  run<Lambda>([=]() [[sycl::reqd_work_group_size(row, columns)]] { p[0] = 1; });
  // PTX: kernel _ZTS8Trailing - 1 1 2
  run<Trailing>([=]() noexcept[[cl::reqd_work_group_size(2, (row > 3 ? 1 : 2), 1)]]
                -> decltype(sizeof(int{}), void()) { p[0] = 1; });
  // PTX: kernel _ZTS5Using - 9 1 1
  run<Using>([=]() [[using sycl: reqd_work_group_size(9), work_group_size_hint(9)]] { p[0] = 1; });
  // PTX: kernel _ZTS5Macro - 10 1 1
  run<Macro>([=]() SIZE(10) [[sycl::vec_type_hint(int)]] { p[0] = 1; });
  // PTX: kernel _ZTS7Outside - 3 1 1
  run<Outside>(outside{p});
  // PTX: kernel _ZTS4None - 0 0 0
  run<None>([=]() [[other::reqd_work_group_size(7), gnu::noinline]] { p[0] = 1; });
  // PTX: kernel _ZTS8Template - 6 5 1
  hosts<5>(p);
#ifdef SUB_GROUP
  // SPIRV-DAG: OpExecutionMode %[[SUB:.*]] LocalSizeHint 2 1 1
  // SPIRV-DAG: OpExecutionMode %[[SUB]] SubgroupSize 8
  // IMAGE: device requirements, aspects: 64 bits, hex 0600000009000000
  run<SubGroup>([=]() [[sycl::reqd_sub_group_size(8),
                        sycl::work_group_size_hint(2)]] [[sycl::device_has(6, 9)]] { p[0] = 1; });
#endif
}
