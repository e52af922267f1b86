/*
 * Devices that lack unified shared memory, an online compiler, a linker, or the largest groups for
 * kernels. FAKE_OPENCL_WITHOUT says which of these the fake OpenCL driver lacks; it runs no
 * kernels.
 */
#include "check.hpp"

#include <cstdlib>
#include <cstring>

using sycl::bundle_state;
using sycl::errc;
using sycl::module_state;

class InGroups;
class Nothing;
class Writes;

namespace {

const bool has_memory = [] {
  const sycl::device d = sycl::device::get_devices().front();
  return d.has(sycl::aspect::usm_device_allocations);
}();
bool has_compiler() {
  return check::device().has(sycl::aspect::online_compiler);
}
bool has_linker() {
  return check::device().has(sycl::aspect::online_linker);
}
const std::string name = "Fake device for tests";

void run_nothing(sycl::queue q) {
  q.single_task<Nothing>([] {}).wait_and_throw();
}

} // namespace

/* ---- Work-groups ---- */

CASE("a group that a device cannot run with a kernel is an nd_range_error") {
  if (!has_compiler())
    SKIP("the device has no compiler");
  sycl::queue q = check::queue();
  const auto launch = [&](std::size_t size) {
    q.parallel_for<InGroups>(sycl::nd_range<1>(1024, size), [](sycl::nd_item<1>) {});
    q.wait_and_throw();
  };
  launch(512);
  const char *lacks = std::getenv("FAKE_OPENCL_WITHOUT");
  if (!lacks || !std::strstr(lacks, "groups"))
    return launch(1024);
  CHECK_THROWS(sycl::nd_range_error, errc::nd_range,
               "a work-group of 1024 work-items is more than the 512 that the kernel can have on "
               "Fake device for tests",
               launch(1024));
}

/* ---- Unified shared memory ---- */

CASE("a device without unified shared memory has no buffers") {
  if (has_memory)
    SKIP("the device has it");
  sycl::queue q = check::queue();
  std::vector<int> data = {1, 2};
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(2));
    const char *const sentence =
        "a buffer needs unified shared memory, which Fake device for tests";
    CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, sentence,
                 q.submit([&](sycl::handler &cgh) {
                   sycl::accessor a{b, cgh};
                   cgh.single_task<Writes>([=] { a[0] = 3; });
                 }));
    CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, sentence,
                 q.submit([&](sycl::handler &cgh) {
                   sycl::accessor a{b, cgh};
                   cgh.fill(a, 4);
                 }));
    CHECK(sycl::host_accessor(b)[0] == 1);
  }
  CHECK(data == (std::vector<int>{1, 2}));
  q.wait_and_throw();
}

CASE("a device without unified shared memory allocates none") {
  if (has_memory)
    SKIP("the device has it");
  const sycl::queue q = check::queue();
  const auto refuses = [&](const char *kind, sycl::usm::alloc what) {
    CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, kind,
                 sycl::malloc(8, q, what));
  };
  refuses("has no device memory", sycl::usm::alloc::device);
  refuses("has no shared memory", sycl::usm::alloc::shared);
  refuses("has no host memory", sycl::usm::alloc::host);
  CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, "has no shared memory",
               (sycl::usm_allocator<int, sycl::usm::alloc::shared>(q).allocate(1)));
  for (const sycl::aspect a :
       {sycl::aspect::usm_device_allocations, sycl::aspect::usm_host_allocations,
        sycl::aspect::usm_shared_allocations, sycl::aspect::usm_system_allocations,
        sycl::aspect::usm_atomic_host_allocations, sycl::aspect::usm_atomic_shared_allocations})
    CHECK(!q.get_device().has(a));
}

CASE("a device without unified shared memory runs kernels that need none") {
  if (has_memory || !has_compiler())
    SKIP("the device has it, or no compiler");
  run_nothing(check::queue());
}

CASE("selectors pass over a device without unified shared memory, and say so") {
  const sycl::device d = check::device();
  CHECK(d.is_cpu() && d.get_info<sycl::info::device::name>() == name);
  if (has_memory) {
    CHECK(sycl::device(sycl::cpu_selector_v) == d && sycl::device() == d);
    return;
  }
  CHECK(sycl::default_selector_v(d) < 0 && sycl::cpu_selector_v(d) < 0);
  const char *const sentence = "; Fake device for tests has no unified shared memory";
  CHECK_THROWS(sycl::runtime_error, errc::runtime, sentence, static_cast<void>(sycl::device()));
  CHECK_THROWS(sycl::runtime_error, errc::runtime, "ONEAPI_DEVICE_SELECTOR=opencl:* selects",
               static_cast<void>(sycl::queue()));
  CHECK_THROWS(sycl::runtime_error, errc::runtime, sentence,
               static_cast<void>(sycl::device(sycl::cpu_selector_v)));
  CHECK_THROWS(sycl::runtime_error, errc::runtime, sentence, sycl::cpu_selector().select_device());
  /* A selector by aspects can select the device nevertheless. */
  CHECK(sycl::device(sycl::aspect_selector({sycl::aspect::cpu},
                                           {sycl::aspect::usm_device_allocations})) == d);
}

/* ---- Compiler and linker ---- */

CASE("without an online compiler there are no bundles in state input") {
  const sycl::context in = check::queue().get_context();
  const std::vector<sycl::device> devices = in.get_devices();
  const std::vector<sycl::kernel_id> ids = {sycl::get_kernel_id<Nothing>()};
  CHECK(sycl::has_kernel_bundle<bundle_state::input>(in) == has_compiler());
  CHECK(sycl::has_kernel_bundle<bundle_state::input>(in, devices, ids) == has_compiler());
  if (has_compiler()) {
    CHECK(sycl::get_kernel_bundle<bundle_state::input>(in).has_kernel<Nothing>());
    return;
  }
  const auto any = [](const sycl::device_image<bundle_state::input> &) { return true; };
  const char *const sentence =
      "device Fake device for tests has no online compiler, so there are no bundles in state input";
  CHECK_THROWS(sycl::exception, errc::invalid, sentence,
               sycl::get_kernel_bundle<bundle_state::input>(in));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence,
               sycl::get_kernel_bundle<bundle_state::input>(in, devices, ids));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence,
               sycl::get_kernel_bundle<bundle_state::input>(in, any));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence,
               (sycl::get_kernel_bundle<Nothing, bundle_state::input>(in)));
}

CASE("without an online linker there are no bundles in state object") {
  const sycl::context in = check::queue().get_context();
  CHECK(sycl::has_kernel_bundle<bundle_state::object>(in) == has_linker());
  if (has_linker()) {
    if (has_compiler())
      CHECK(sycl::get_kernel_bundle<bundle_state::object>(in).has_kernel<Nothing>());
    else
      CHECK_THROWS(sycl::exception, errc::build, "COMPILER_NOT_AVAILABLE",
                   sycl::get_kernel_bundle<bundle_state::object>(in));
    return;
  }
  CHECK_THROWS(sycl::exception, errc::invalid,
               "device Fake device for tests has no online linker, so there are no bundles in "
               "state object",
               sycl::get_kernel_bundle<bundle_state::object>(in));
  CHECK_THROWS(sycl::exception, errc::invalid, "no online linker",
               (sycl::get_kernel_bundle<Nothing, bundle_state::object>(in)));
}

CASE("without an online compiler SPIR-V becomes no executable bundle") {
  const sycl::context in = check::queue().get_context();
  CHECK(sycl::has_kernel_bundle<bundle_state::executable>(in) == has_compiler());
  CHECK((sycl::has_kernel_bundle<Nothing, bundle_state::executable>(in) == has_compiler()));
  if (has_compiler())
    CHECK(sycl::get_kernel_bundle<bundle_state::executable>(in).has_kernel<Nothing>());
  else
    CHECK_THROWS(sycl::compile_program_error, errc::build, "COMPILER_NOT_AVAILABLE",
                 sycl::get_kernel_bundle<bundle_state::executable>(in));
}

CASE("without an online compiler a unit has its input module, and its kernels are not found") {
  if (has_compiler())
    SKIP("the device has one");
  const sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  CHECK(sycl::this_module::has_any_module(in));
  CHECK(sycl::this_module::has_module_in<module_state::input>(in));
  CHECK(!sycl::this_module::has_module_in<module_state::object>(in));
  CHECK(!sycl::this_module::has_module_in<module_state::executable>(in));
  const auto input = sycl::this_module::get<module_state::input>(in);
  const auto executable = sycl::this_module::get<module_state::executable>(in);
  CHECK(input.begin() != input.end() && executable.begin() == executable.end());
  CHECK_THROWS(sycl::compile_program_error, errc::build, "COMPILER_NOT_AVAILABLE",
               sycl::build(input));
  CHECK_THROWS(sycl::compile_program_error, errc::build, "COMPILER_NOT_AVAILABLE",
               sycl::compile(input));
  CHECK_THROWS(sycl::kernel_not_found, errc::build, "cannot be built", run_nothing(q));
  sycl::program p(in);
  CHECK_THROWS(sycl::compile_program_error, errc::build, "COMPILER_NOT_AVAILABLE",
               p.build_with_kernel_type<Nothing>());
  CHECK(p.get_state() == sycl::program_state::none);
}

CASE("without an online linker objects do not become executables") {
  if (has_linker() || !has_compiler())
    SKIP("the device has one, or no compiler");
  const sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  CHECK(sycl::this_module::has_module_in<module_state::executable>(in));
  const auto object = sycl::compile(sycl::this_module::get<module_state::input>(in));
  const std::vector<sycl::module<module_state::object>> objects = {object};
  CHECK_THROWS(sycl::link_program_error, errc::build, "LINKER_NOT_AVAILABLE", sycl::link(objects));
  run_nothing(q);
}

CHECK_MAIN
