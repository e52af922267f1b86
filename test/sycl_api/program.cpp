// The class program of SYCL 1.2.1 and its constants, by the proposal "SYCL Specialization
// Constant", section "Building Programs with Specialization Constants".
#include "check.hpp"

#include "../support/embed.h"

#include <cstdint>
#include <thread>

using sycl::experimental::spec_const_error;
using sycl::experimental::spec_id;

#ifndef __SYCL_DEVICE_ONLY__
SPECPI_EMBED(numbered, "numbered.spv")
#else
extern const unsigned char numbered_begin[];
extern const unsigned char numbered_end[];
#endif

spec_id<int> scale(2);
static spec_id<float> offset(0.5F);

class Scaled;
class Plain;
class Missing;

/* Runs a program's kernel with placeholders from the handler; returns the kernel's result. */
static float launch(const sycl::queue &on, const sycl::kernel &k) {
  float out = 0;
  {
    sycl::buffer<float, 1> to(&out, sycl::range<1>(1));
    sycl::queue q = on;
    q.submit([&](sycl::handler &cgh) {
      auto a = to.get_access<sycl::access::mode::write>(cgh);
      const auto s = cgh.get_spec_constant<int, &scale>();
      const auto o = cgh.get_spec_constant<float, offset>();
      cgh.single_task<Scaled>(k, [=] { a[0] = static_cast<float>(s.get()) * 10 + o; });
    });
  }
  return out;
}

static float launch_plain(const sycl::queue &on, const sycl::kernel &k) {
  float out = 0;
  {
    sycl::buffer<float, 1> to(&out, sycl::range<1>(1));
    sycl::queue q = on;
    q.submit([&](sycl::handler &cgh) {
      auto a = to.get_access<sycl::access::mode::write>(cgh);
      cgh.parallel_for<Plain>(k, sycl::range<1>(1), [=](sycl::item<1> at) { a[at.get_id()] = 77; });
    });
  }
  return out;
}

static_assert(!std::is_default_constructible_v<sycl::program>);
static_assert(noexcept(std::declval<const sycl::program &>().native_spec_constant()));

CASE("a new program is in state none and of its context's devices") {
  const sycl::queue q = check::queue();
  const sycl::program p(q.get_context());
  CHECK(p.get_state() == sycl::program_state::none);
  CHECK(p.get_context() == q.get_context());
  CHECK(p.get_devices() == q.get_context().get_devices());
  CHECK(p.is_host() == check::host());
  CHECK(!p.has_kernel<Scaled>());
  const sycl::program of_one(q.get_context(), {q.get_device()});
  CHECK(of_one.get_devices() == std::vector<sycl::device>{q.get_device()});
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "at least one device",
               sycl::program(q.get_context(), std::vector<sycl::device>{}));
  if (!check::host())
    CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "host device",
                 sycl::program(q.get_context(), {sycl::device(sycl::host_selector())}));
}

CASE("copies of a program are the same program") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  const sycl::program copy = p;
  CHECK(copy == p);
  CHECK(std::hash<sycl::program>()(copy) == std::hash<sycl::program>()(p));
  CHECK(sycl::program(q.get_context()) != p);
  p.build_with_kernel_type<Scaled>();
  CHECK(copy.get_state() == sycl::program_state::linked);
}

CASE("a program builds a kernel with its values, defaults for what is not set") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  const auto placeholder = p.set_spec_constant<int, scale>(5);
  CHECK(placeholder.get() == 5);
  p.build_with_kernel_type<Scaled>();
  CHECK(p.get_state() == sycl::program_state::linked);
  CHECK(p.has_kernel<Scaled>());
  CHECK(launch(q, p.get_kernel<Scaled>()) == 50.5F);
}

CASE("a constant is set again before the build, and the last value counts") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  p.set_spec_constant<int, &scale>(1);
  p.set_spec_constant<float, offset>(0.25F);
  p.set_spec_constant<scale>(3);
  p.compile_with_kernel_type<Scaled>();
  p.link();
  CHECK(launch(q, p.get_kernel<Scaled>()) == 30.25F);
}

CASE("programs build one kernel with different values") {
  const sycl::queue q = check::queue();
  sycl::program a(q.get_context());
  sycl::program b(q.get_context());
  a.set_spec_constant<int, scale>(6);
  b.set_spec_constant<int, scale>(7);
  a.build_with_kernel_type<Scaled>();
  b.build_with_kernel_type<Scaled>();
  CHECK(launch(q, a.get_kernel<Scaled>()) == 60.5F);
  CHECK(launch(q, b.get_kernel<Scaled>()) == 70.5F);
}

CASE("a constant cannot be set after the program is compiled or built") {
  const sycl::queue q = check::queue();
  sycl::program built(q.get_context());
  built.set_spec_constant<int, scale>(8);
  built.build_with_kernel_type<Scaled>();
  CHECK_THROWS(spec_const_error, sycl::errc::build, "scale", built.set_spec_constant<scale>(9));
  CHECK_THROWS(spec_const_error, sycl::errc::build, "which is linked",
               built.set_spec_constant<offset>(1));
  CHECK(launch(q, built.get_kernel<Scaled>()) == 80.5F);
  sycl::program compiled(q.get_context());
  compiled.compile_with_kernel_type<Scaled>();
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "which is compiled",
               compiled.set_spec_constant<scale>(9));
}

CASE("a handler does not set constants of a program's kernel") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  p.build_with_kernel_type<Scaled>();
  const sycl::kernel k = p.get_kernel<Scaled>();
  sycl::queue to = q;
  CHECK_THROWS(spec_const_error, sycl::errc::build,
               "6Scaled, whose program or kernel bundle was built before",
               to.submit([&](sycl::handler &cgh) {
                 const auto s = cgh.set_spec_constant<int, scale>(4);
                 cgh.single_task<class Refused>(k, [=] { static_cast<void>(s.get()); });
               }));
}

CASE("a step that the state does not allow is an error and changes nothing") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state compiled", p.link());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state linked",
               p.get_kernel<Scaled>());
  p.compile_with_kernel_type<Scaled>();
  CHECK(p.get_state() == sycl::program_state::compiled);
  CHECK(p.has_kernel<Scaled>());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state linked",
               p.get_kernel<Scaled>());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state none",
               p.build_with_kernel_type<Plain>());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state none",
               p.compile_with_kernel_type<Plain>());
  p.link();
  CHECK(p.get_state() == sycl::program_state::linked);
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state compiled", p.link());
}

CASE("compiled programs are linked to one, and each kernel keeps its values") {
  const sycl::queue q = check::queue();
  sycl::program a(q.get_context());
  sycl::program b(q.get_context());
  a.set_spec_constant<int, scale>(11);
  a.compile_with_kernel_type<Scaled>();
  b.set_spec_constant<int, scale>(12);
  b.compile_with_kernel_type<Plain>();
  const sycl::program both(std::vector<sycl::program>{a, b});
  CHECK(both.get_state() == sycl::program_state::linked);
  CHECK(launch(q, both.get_kernel<Scaled>()) == 110.5F);
  CHECK(launch_plain(q, both.get_kernel<Plain>()) == 77);
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid,
               "there is no kernel none in the program of kernel ", both.get_kernel("none"));
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "at least one",
               sycl::program(std::vector<sycl::program>{}));
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state compiled",
               sycl::program(std::vector<sycl::program>{a, both}));
  const sycl::queue elsewhere = check::queue();
  sycl::program c(elsewhere.get_context());
  c.compile_with_kernel_type<Plain>();
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "one context",
               sycl::program(std::vector<sycl::program>{a, c}));
}

CASE("a program remembers the options of its steps") {
  const sycl::queue q = check::queue();
  sycl::program built(q.get_context());
  built.build_with_kernel_type<Plain>("-cl-mad-enable");
  CHECK(built.get_build_options() == "-cl-mad-enable");
  CHECK(built.get_compile_options().empty());
  sycl::program p(q.get_context());
  p.compile_with_kernel_type<Plain>("-cl-mad-enable");
  CHECK(p.get_compile_options() == "-cl-mad-enable");
  CHECK(p.get_link_options().empty());
  CHECK(p.get_build_options().empty());
}

CASE("a kernel tells what its work-groups can be, on every device") {
  const sycl::queue q = check::queue();
  const sycl::device d = q.get_device();
  sycl::program p(q.get_context());
  p.build_with_kernel_type<Plain>();
  const sycl::kernel k = p.get_kernel<Plain>();
  namespace query = sycl::info::kernel_device_specific;
  const std::size_t most = k.get_info<query::work_group_size>(d);
  CHECK(most >= 1 && most <= d.get_info<sycl::info::device::max_work_group_size>());
  CHECK(k.get_work_group_info<query::work_group_size>(d) == most);
  CHECK(k.get_info<query::compile_work_group_size>(d) == sycl::range<3>(0, 0, 0));
  CHECK(k.get_info<query::preferred_work_group_size_multiple>(d) >= 1);
  if (check::host())
    CHECK(k.get_info<query::private_mem_size>(d) == 0 && k.get_info<query::local_mem_size>(d) == 0);
}

CASE("a program without the kernel is an error") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  if (!check::host()) {
    CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "Missing",
                 p.build_with_kernel_type<Missing>());
    CHECK(p.get_state() == sycl::program_state::none);
  }
  p.build_with_kernel_type<Plain>();
  CHECK(!p.has_kernel<Missing>());
  CHECK(!p.has_kernel("nothing"));
  CHECK(p.has_kernel(sycl::detail::kernel_name<Plain>()));
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "nothing", p.get_kernel("nothing"));
  CHECK(p.get_kernel(sycl::detail::kernel_name<Plain>()) == p.get_kernel<Plain>());
}

CASE("a compiler that refuses is an error and leaves the program as it was") {
  if (check::host())
    SKIP("the host device has no compiler");
  if (check::device().get_backend() != sycl::backend::opencl)
    SKIP("other backends than OpenCL ignore options that they do not know");
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "",
               p.build_with_kernel_type<Plain>("-no-such-option"));
  CHECK(p.get_state() == sycl::program_state::none);
  p.build_with_kernel_type<Plain>();
}

CASE("native_spec_constant is true where a build puts values into the code") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  CHECK(p.native_spec_constant() == !check::host());
  p.build_with_kernel_type<Scaled>();
  CHECK(p.native_spec_constant() == !check::host());
}

CASE("threads set constants of one program and build others") {
  const sycl::queue q = check::queue();
  sycl::program shared(q.get_context());
  std::vector<std::thread> threads;
  std::vector<float> got(2);
  for (int i = 0; i < 2; i++)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 100; j++)
        shared.set_spec_constant<int, scale>(i);
      sycl::program mine(q.get_context());
      mine.set_spec_constant<int, scale>(20 + i);
      mine.build_with_kernel_type<Scaled>();
      got[static_cast<std::size_t>(i)] = launch(q, mine.get_kernel<Scaled>());
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(got[0] == 200.5F);
  CHECK(got[1] == 210.5F);
}

/* ---- Programs of other compilers ---- */

using number_42 = sycl::experimental::spec_constant_id<42>;
using number_7 = sycl::experimental::spec_constant_id<7>;

/* Returns whether the device accepts SPIR-V. CUDA's plugin does if it finds specpi-codegen. */
static bool takes_il() {
  if (check::host())
    return false;
  sycl::program p(check::queue().get_context());
  try {
    p.build_with_il(numbered_begin, SPECPI_EMBED_SIZE(numbered));
  } catch (const sycl::kernel_not_found &) {
    return false;
  }
  return true;
}

/* Runs the kernel "numbered", of numbered.spvasm or of a source; returns its results. */
static std::vector<std::uint32_t> launch_numbered(const sycl::queue &on, const sycl::kernel &k) {
  std::vector<std::uint32_t> out(2);
  {
    sycl::buffer<std::uint32_t, 1> to(out.data(), sycl::range<1>(2));
    sycl::queue q = on;
    q.submit([&](sycl::handler &cgh) {
      auto a = to.get_access<sycl::access::mode::write>(cgh);
      cgh.set_args(a, std::uint32_t(3));
      cgh.single_task(k);
    });
  }
  return out;
}

CASE("spec_constant_id names a constant of a program of any compiler by its number") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  const void *const il = numbered_begin;
  const std::size_t size = SPECPI_EMBED_SIZE(numbered);
  if (!takes_il()) {
    if (check::host())
      CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "no IL",
                   p.build_with_il(il, size));
    else
      CHECK_THROWS(sycl::kernel_not_found, sycl::errc::kernel_not_supported, "takes no SPIR-V",
                   p.build_with_il(il, size));
    CHECK(p.get_state() == sycl::program_state::none);
    return;
  }
  const auto placeholder = p.set_spec_constant<number_42>(std::uint32_t(4));
  CHECK(placeholder.get() == 4);
  p.set_spec_constant<number_7>(false);
  p.build_with_il(il, size);
  CHECK(p.get_state() == sycl::program_state::linked && p.has_kernel("numbered"));
  CHECK((launch_numbered(q, p.get_kernel("numbered")) == std::vector<std::uint32_t>{43, 0}));
  CHECK_THROWS(spec_const_error, sycl::errc::build, "which is linked",
               p.set_spec_constant<number_42>(std::uint32_t(5)));
  /* Compiling and linking in two steps uses the defaults. */
  sycl::program other(q.get_context());
  other.compile_with_il(il, size);
  CHECK(other.get_state() == sycl::program_state::compiled);
  other.link();
  CHECK((launch_numbered(q, other.get_kernel("numbered")) == std::vector<std::uint32_t>{13, 1}));
}

CASE("a number that a program of any compiler does not have, or not of that size") {
  if (!takes_il())
    SKIP("the device takes no IL");
  const sycl::queue q = check::queue();
  const void *const il = numbered_begin;
  const std::size_t size = SPECPI_EMBED_SIZE(numbered);
  sycl::program unknown(q.get_context());
  unknown.set_spec_constant<sycl::experimental::spec_constant_id<43>>(1);
  CHECK_THROWS(spec_const_error, sycl::errc::build, "with number 43",
               unknown.build_with_il(il, size));
  CHECK_THROWS(spec_const_error, sycl::errc::build, "it has 42, 7",
               unknown.compile_with_il(il, size));
  CHECK(unknown.get_state() == sycl::program_state::none);
  sycl::program wide(q.get_context());
  wide.set_spec_constant<number_42>(std::uint64_t(1));
  CHECK_THROWS(spec_const_error, sycl::errc::build, "takes 4 bytes", wide.build_with_il(il, size));
  sycl::program bad(q.get_context());
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "SPIR-V",
               bad.build_with_il("no SPIR-V at all, but text", 24));
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "SPIR-V",
               bad.build_with_il(il, size - 6));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "il is NULL",
               bad.build_with_il(nullptr, size));
  CHECK(bad.get_state() == sycl::program_state::none);
  bad.build_with_il(il, size);
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "state none",
               bad.build_with_il(il, size));
}

CASE("a program of a source in OpenCL C") {
  const sycl::queue q = check::queue();
  sycl::program p(q.get_context());
  const std::string source = "kernel void numbered(global uint *out, uint more) {\n"
                             "  out[0] = TENS * 10 + more;\n"
                             "  out[1] = 0;\n"
                             "}\n";
  if (check::host() || check::device().get_backend() != sycl::backend::opencl) {
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
                 p.build_with_source(source));
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
                 p.compile_with_source(source));
    return;
  }
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "TENS", p.build_with_source(source));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "size is 0", p.build_with_source(""));
  CHECK(p.get_state() == sycl::program_state::none);
  p.build_with_source(source, "-DTENS=5");
  CHECK(p.get_build_options() == "-DTENS=5");
  CHECK((launch_numbered(q, p.get_kernel("numbered")) == std::vector<std::uint32_t>{53, 0}));
  sycl::program compiled(q.get_context());
  compiled.compile_with_source(source, "-DTENS=6");
  compiled.link();
  CHECK((launch_numbered(q, compiled.get_kernel("numbered")) == std::vector<std::uint32_t>{63, 0}));
  sycl::program with_number(q.get_context());
  with_number.set_spec_constant<number_42>(1);
  CHECK_THROWS(spec_const_error, sycl::errc::build, "it has none",
               with_number.build_with_source(source, "-DTENS=5"));
}

CASE("a program gives its binaries, its context and its devices") {
  const sycl::queue q = check::queue();
  sycl::program a(q.get_context());
  sycl::program b(q.get_context());
  CHECK(a.get_info<sycl::info::program::context>() == q.get_context());
  CHECK(a.get_info<sycl::info::program::devices>() == q.get_context().get_devices());
  CHECK(a.get_binaries().empty());
  a.set_spec_constant<int, scale>(31);
  b.set_spec_constant<int, scale>(32);
  a.build_with_kernel_type<Scaled>();
  b.build_with_kernel_type<Scaled>();
  const auto of_a = a.get_binaries();
  CHECK(of_a.size() == (check::host() ? 0 : a.get_devices().size()));
  for (const std::vector<char> &one : of_a)
    CHECK(!one.empty());
  CHECK(check::host() || of_a != b.get_binaries());
}

CHECK_MAIN
