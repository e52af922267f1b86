// The proposal "SYCL Modules": modules created from OpenCL programs, and OpenCL objects of modules.
#include "check.hpp"

#include <sycl/opencl.hpp>

#include <dlfcn.h>

#include <sstream>
#include <stdexcept>

using sycl::module_state;
using input_module = sycl::module<module_state::input>;
using object_module = sycl::module<module_state::object>;
using executable_module = sycl::module<module_state::executable>;
namespace opencl = sycl::opencl;

class Interop;
sycl::spec_id<int> interop_value(3);

namespace {

const std::string source = "kernel void fill(global int *out) { out[0] = 41; }\n";

/* Returns a function of OpenCL by its name. */
template <class F> F *function(const char *name) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *found = library ? dlsym(library, name) : nullptr;
  if (!found)
    throw std::runtime_error(std::string("OpenCL has no ") + name);
  dlclose(library);
  return reinterpret_cast<F *>(found);
}
using program = opencl::cl_program;
unsigned references(program of) {
  unsigned count = 0;
  function<int(program, unsigned, std::size_t, void *, std::size_t *)>("clGetProgramInfo")(
      of, 0x1160, sizeof count, &count, nullptr);
  return count;
}
void release(program of) {
  function<int(program)>("clReleaseProgram")(of);
}
program create_native(const sycl::context &in) {
  opencl::cl_context context = sycl::get_native<sycl::backend::opencl>(in);
  const char *text = source.c_str();
  int code = 0;
  const program made =
      function<program(opencl::cl_context, unsigned, const char **, const std::size_t *, int *)>(
          "clCreateProgramWithSource")(context, 1, &text, nullptr, &code);
  function<int(opencl::cl_context)>("clReleaseContext")(context);
  CHECK(code == 0);
  return made;
}
int build_native(program of) {
  return function<int(program, unsigned, const void *, const char *, void *, void *)>(
      "clBuildProgram")(of, 0, nullptr, "", nullptr, nullptr);
}
int compile_native(program of) {
  return function<int(program, unsigned, const void *, const char *, unsigned, const void *,
                      const char **, void *, void *)>("clCompileProgram")(
      of, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr);
}

bool is_opencl() {
  return !check::host() && check::device().get_backend() == sycl::backend::opencl;
}
#define OPENCL_ONLY                                                                                \
  if (!is_opencl())                                                                                \
  SKIP("that is for the OpenCL backend")

} // namespace

CASE("opencl: for contexts of other backends it is not supported") {
  if (is_opencl())
    SKIP("the device is of the OpenCL backend");
  const sycl::context in = check::queue().get_context();
  const auto none = sycl::this_module::get<module_state::input>(in);
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               opencl::create_with_source(in, source));
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               opencl::create_program_with_il(in, {nullptr, 0}));
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               opencl::create_program_with_binary(in, {nullptr, 0}));
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               opencl::create_program_with_builtin_kernels(in, {"any"}));
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               opencl::import <module_state::input>(in, nullptr));
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
               sycl::get_native<sycl::backend::opencl>(in));
}

CASE("opencl: the native types") {
  using sycl::backend;
  static_assert(std::is_same_v<sycl::interop<backend::opencl, input_module>::native_type, program>);
  static_assert(
      std::is_same_v<sycl::interop<backend::opencl, object_module>::native_type, program>);
  static_assert(
      std::is_same_v<sycl::interop<backend::opencl, executable_module>::native_type, program>);
  static_assert(
      std::is_same_v<sycl::interop<backend::opencl, sycl::kernel>::native_type, opencl::cl_kernel>);
  static_assert(std::is_same_v<opencl::binary_blob_t, std::pair<const char *, std::size_t>>);
}

CASE("opencl: create_with_source") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  const input_module input = opencl::create_with_source(in, source);
  CHECK(!input.has_spec_constant() && !input.native_spec_constant());
  const auto built = sycl::build(input, std::string("-cl-mad-enable"));
  CHECK(built.get_kernel_names() == std::vector<std::string>{"fill"});
  CHECK(built.has_kernel("fill") && built.get_kernel("fill").name() == "fill");
  CHECK(sycl::link(std::vector<object_module>{sycl::compile(input)}).has_kernel("fill"));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "size is 0",
               opencl::create_with_source(in, ""));
}

CASE("opencl: what does not compile, or not link") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  std::ostringstream words;
  const sycl::property::module::options::log log(words);
  const auto bad = opencl::create_with_source(in, "kernel void fill(global int *o) { *o = no; }");
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "no", sycl::build(bad, log));
  CHECK(words.str().find("no") != std::string::npos);
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "no", sycl::compile(bad));
  const auto open = opencl::create_with_source(
      in, "int nobody(int); kernel void fill(global int *o) { *o = nobody(1); }");
  const auto object = sycl::compile(open);
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "nobody",
               sycl::link(std::vector<object_module>{object}));
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "nobody", sycl::build(open));
  const auto none = opencl::create_with_source(in, "int f(int x) { return x; }");
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "at least one kernel",
               sycl::build(none));
}

CASE("opencl: the log has the compiler's words when it compiles, too") {
  OPENCL_ONLY;
  std::ostringstream words;
  const auto input =
      opencl::create_with_source(check::queue().get_context(), "#warning look here\n" + source);
  sycl::build(input, sycl::property::module::options::log(words));
  CHECK(words.str().find("look here") != std::string::npos);
}

CASE("opencl: debug and flags are the driver's options") {
  OPENCL_ONLY;
  const auto input = opencl::create_with_source(check::queue().get_context(), source);
  const auto built =
      sycl::build(input, sycl::property::module::options::debug(), std::string("-cl-mad-enable"));
  const program native = sycl::get_native<sycl::backend::opencl>(built);
  const opencl::cl_device_id device = sycl::get_native<sycl::backend::opencl>(check::device());
  char options[256] = "";
  const int code =
      function<int(program, opencl::cl_device_id, unsigned, std::size_t, void *, std::size_t *)>(
          "clGetProgramBuildInfo")(native, device, 0x1182, sizeof options, options, nullptr);
  release(native);
  const std::string words = std::string(" ") + options + " ";
  CHECK(code == 0 && words.find(" -g ") != words.npos);
  CHECK(words.find(" -cl-mad-enable ") != words.npos);
}

CASE("opencl: create_program_with_il, and its numbered constants") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  const auto mine = sycl::this_module::get<module_state::input>(in);
  const auto &bundle = mine.begin()->impl();
  const auto images = sycl::detail::list<specpi_image>(specpiBundleGetImages, bundle->bundle());
  std::size_t size = 0;
  const auto *bytes = static_cast<const char *>(specpiImageGetBytes(images.front(), &size));
  const input_module il = opencl::create_program_with_il(in, {bytes, size});
  CHECK(il.has_spec_constant() && il.native_spec_constant());
  const auto built = sycl::build(il);
  CHECK(built.has_kernel<Interop>());
  int out = 0;
  sycl::queue q(in, check::device());
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      cgh.use_module(built);
      auto value = cgh.get_spec_constant<int, interop_value>();
      cgh.single_task<Interop>([=] { sink[0] = value.get(); });
    });
  }
  CHECK(out == 3);
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "SPIR-V",
               opencl::create_program_with_il(in, {"no SPIR-V at all, but text", 24}));
}

CASE("opencl: create_program_with_binary") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  const program native =
      sycl::get_native<sycl::backend::opencl>(sycl::build(opencl::create_with_source(in, source)));
  std::size_t size = 0;
  const auto info =
      function<int(program, unsigned, std::size_t, void *, std::size_t *)>("clGetProgramInfo");
  info(native, 0x1165, sizeof size, &size, nullptr);
  std::vector<char> bytes(size);
  char *place = bytes.data();
  info(native, 0x1166, sizeof place, &place, nullptr);
  release(native);
  const auto input = opencl::create_program_with_binary(in, {bytes.data(), bytes.size()});
  CHECK(sycl::build(input).has_kernel("fill"));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "size is 0",
               opencl::create_program_with_binary(in, {bytes.data(), 0}));
}

CASE("opencl: create_program_with_builtin_kernels") {
  OPENCL_ONLY;
  /* Intel's CPU runtime has none: CL_DEVICE_BUILT_IN_KERNELS is "". */
  const sycl::context in = check::queue().get_context();
  CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "no built-in kernel \"any\"",
               opencl::create_program_with_builtin_kernels(in, {"any"}));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "count is 0",
               opencl::create_program_with_builtin_kernels(in, {}));
}

CASE("opencl: get_native is fit for what its state says") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  auto input = sycl::this_module::get<module_state::input>(in);
  input.set_spec_constant<interop_value>(17);
  const program to_build = sycl::get_native<sycl::backend::opencl>(input);
  CHECK(references(to_build) == 1);
  CHECK(build_native(to_build) == 0);
  const auto imported = opencl::import <module_state::executable>(in, to_build);
  CHECK(imported.has_kernel<Interop>());
  release(to_build);
  const program to_compile = sycl::get_native<sycl::backend::opencl>(input);
  CHECK(to_compile != to_build && compile_native(to_compile) == 0);
  release(to_compile);
  const program to_link = sycl::get_native<sycl::backend::opencl>(sycl::compile(input));
  CHECK(references(to_link) == 1);
  release(to_link);

  const auto built = sycl::build(input);
  const opencl::cl_kernel kernel =
      sycl::get_native<sycl::backend::opencl>(built.get_kernel<Interop>());
  CHECK(kernel);
  function<int(opencl::cl_kernel)>("clReleaseKernel")(kernel);
  const opencl::cl_device_id device = sycl::get_native<sycl::backend::opencl>(check::device());
  CHECK(device);
}

CASE("opencl: import checks the state and counts a reference") {
  OPENCL_ONLY;
  const sycl::context in = check::queue().get_context();
  const program native = create_native(in);
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "no binary",
               opencl::import <module_state::object>(in, native));
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "no binary",
               opencl::import <module_state::executable>(in, native));
  {
    const auto input = opencl::import <module_state::input>(in, native);
    CHECK(references(native) == 2);
    CHECK(sycl::build(input).has_kernel("fill"));
    const program same = sycl::get_native<sycl::backend::opencl>(input);
    CHECK(same == native);
    release(same);
  }
  CHECK(references(native) == 1);
  CHECK(compile_native(native) == 0);
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "clLinkProgram",
               opencl::import <module_state::executable>(in, native));
  {
    const auto object = opencl::import <module_state::object>(in, native);
    CHECK(references(native) == 2);
    CHECK(sycl::link(std::vector<object_module>{object}).has_kernel("fill"));
  }
  release(native);
  const program built = create_native(in);
  CHECK(build_native(built) == 0);
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "clCompileProgram",
               opencl::import <module_state::object>(in, built));
  CHECK(opencl::import <module_state::executable>(in, built).has_kernel("fill"));
  release(built);
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "program is NULL",
               opencl::import <module_state::input>(in, nullptr));
}

CASE("opencl: a program of a cl_program that was compiled or linked") {
  const sycl::context in = check::queue().get_context();
  if (!is_opencl()) {
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
                 sycl::program(in, program(nullptr)));
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "opencl",
                 sycl::program(in).get());
    return;
  }
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "program is NULL",
               sycl::program(in, program(nullptr)));
  const program native = create_native(in);
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "compiled or linked",
               sycl::program(in, native));
  CHECK_THROWS(sycl::invalid_object_error, sycl::errc::invalid, "has 0", sycl::program(in).get());
  CHECK(references(native) == 1);
  CHECK(compile_native(native) == 0);
  {
    sycl::program compiled(in, native);
    CHECK(references(native) == 2);
    CHECK(compiled.get_state() == sycl::program_state::compiled);
    const program same = compiled.get();
    CHECK(same == native && references(native) == 3);
    release(same);
    compiled.link();
    CHECK(compiled.get_state() == sycl::program_state::linked && compiled.has_kernel("fill"));
  }
  CHECK(references(native) == 1);
  release(native);
  const program built = create_native(in);
  CHECK(build_native(built) == 0);
  {
    const sycl::program linked(in, built);
    CHECK(linked.get_state() == sycl::program_state::linked);
    CHECK(linked.get_devices() == std::vector<sycl::device>{check::device()});
    CHECK(linked.has_kernel("fill") && linked.get_kernel("fill").name() == "fill");
    CHECK(!linked.has_kernel("none"));
    CHECK(linked.get_binaries().size() == 1);
    CHECK_THROWS(sycl::experimental::spec_const_error, sycl::errc::build, "which is linked",
                 sycl::program(linked).set_spec_constant<interop_value>(1));
    const program same = sycl::get_native<sycl::backend::opencl>(linked);
    CHECK(same == built);
    release(same);
  }
  release(built);
}

CHECK_MAIN
