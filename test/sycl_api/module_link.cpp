// The proposal "SYCL Modules": units that call SYCL_EXTERNAL functions of each other, and images
// with emulated or fixed constants. This unit's kernels call functions of module_link_part.cpp.
#include "module_link.hpp"

using sycl::module_state;
using input_module = sycl::module<module_state::input>;
using object_module = sycl::module<module_state::object>;
using executable_module = sycl::module<module_state::executable>;

class Caller;
sycl::spec_id<int> caller_factor(2);

namespace {

int call(sycl::queue q, const executable_module *uses) {
  int out = -1;
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      if (uses)
        cgh.use_module(*uses);
      auto factor = cgh.get_spec_constant<caller_factor>();
      cgh.single_task<Caller>([=] { sink[0] = factor.get() * scaled(10); });
    });
  }
  return out;
}

bool has_image_that_calls(const executable_module &m) {
  return m.has_kernel<Caller>();
}

} // namespace

CASE("link: units that need each other become one module, with the constants of both") {
  sycl::queue q = check::queue();
  auto mine = sycl::this_module::get<module_state::input>(q.get_context());
  auto part = module_of_part(q.get_context());
  mine.set_spec_constant<caller_factor>(3);
  sycl::set_spec_constant<part_factor>(part, 5);
  const auto linked =
      sycl::link(std::vector<object_module>{sycl::compile(mine), sycl::compile(part)});
  CHECK(linked.has_spec_constant() == !check::host());
  CHECK(has_image_that_calls(linked) == !check::host());
  if (check::host())
    return; /* function objects call the host's functions, which the system's linker resolved */
  CHECK(call(q, &linked) == 150);
  q.submit([&](sycl::handler &cgh) {
    cgh.use_module(linked);
    CHECK((cgh.get_spec_constant<int, part_factor>().get() == 5));
    CHECK((cgh.get_spec_constant<int, caller_factor>().get() == 3));
    run_part(cgh);
  });
}

CASE("link: a function that nobody defines is an error") {
  if (check::host())
    SKIP("the host device has no images");
  const sycl::context in = check::queue().get_context();
  const auto mine = sycl::this_module::get<module_state::input>(in);
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "scaled",
               sycl::link(std::vector<object_module>{sycl::compile(mine)}));
}

CASE("link: an executable has at least one kernel") {
  if (check::host())
    SKIP("the host device has no images");
  const sycl::context in = check::queue().get_context();
  const auto functions = module_of_functions(in);
  CHECK(functions.begin() != functions.end());
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "at least one kernel",
               sycl::link(std::vector<object_module>{sycl::compile(functions)}));
  CHECK(has_executable_of_functions(in) == 0);
}

CASE("this_module: a unit that needs another is built with it") {
  sycl::queue q = check::queue();
  CHECK(sycl::this_module::has_module_in<module_state::object>(q.get_context()) == !check::host());
  CHECK(sycl::this_module::has_module_in<module_state::executable>(q.get_context()) ==
        !check::host());
  if (check::host())
    SKIP("the host device has no images");
  const auto built = sycl::this_module::get<module_state::executable>(q.get_context());
  CHECK(call(q, &built) == 20);
}

CASE("this_module: a unit without kernels has objects and no executable module") {
  const sycl::context in = check::queue().get_context();
  CHECK(has_objects_of_functions(in) == !check::host());
  CHECK(has_executable_of_functions(in) == 0);
}

CASE("dispatch: executable, object, input, else kernel_not_found") {
  if (check::host())
    SKIP("the host device runs function objects");
  sycl::queue q = check::queue();
  CHECK(call(q, nullptr) == 20);
  int out = 0;
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) { run_part_into(cgh, to); });
  }
  CHECK(out == 7);
}

CASE("this_module: means the unit of the caller") {
  const sycl::context in = check::queue().get_context();
  const auto mine = sycl::this_module::get<module_state::input>(in);
  const auto part = module_of_part(in);
  if (check::host())
    SKIP("the host device has no images");
  CHECK(mine != part);
  CHECK(mine.begin()->has_kernel<Caller>() && !part.begin()->has_kernel<Caller>());
  CHECK(in.get_modules<module_state::input>().size() == 2);
}

CASE("join: other kernels or symbols are refused") {
  if (check::host())
    SKIP("modules of the host device are empty");
  const sycl::context in = check::queue().get_context();
  const auto mine = sycl::this_module::get<module_state::input>(in);
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "same kernels and symbols",
               sycl::join(std::vector<input_module>{mine, module_of_part(in)}));
}

CASE("link: the host device refuses what the linkers of devices refuse") {
  const sycl::context in = check::queue().get_context();
  const object_module mine = sycl::compile(sycl::this_module::get<module_state::input>(in));
  const auto link_one = [](const object_module &one) { sycl::link(std::vector{one}); };
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "scaled", link_one(mine));
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "at least one kernel",
               link_one(sycl::compile(module_of_functions(in))));
  sycl::link(std::vector{mine, sycl::compile(module_of_part(in))});
}

CASE("module: constants in a buffer have their values as an argument") {
  sycl::queue q = check::queue();
  auto emulated = module_of_emulated(q.get_context());
  CHECK(emulated.has_spec_constant() == !check::host());
  CHECK(!emulated.native_spec_constant());
  CHECK(run_emulated(q, nullptr) == 4);
  sycl::set_spec_constant<emulated_value>(emulated, 44);
  const auto built = sycl::build(emulated);
  CHECK(!built.native_spec_constant());
  sycl::set_spec_constant<emulated_value>(emulated, 45);
  CHECK(run_emulated(q, &built) == 44);
  CHECK(run_emulated(q, nullptr) == 45);
}

CASE("module: an image that was compiled with the defaults has no constants") {
  sycl::queue q = check::queue();
  auto fixed = module_of_fixed(q.get_context());
  CHECK(!fixed.has_spec_constant() && !fixed.native_spec_constant());
  sycl::set_spec_constant<fixed_value>(fixed, 66);
  const auto built = sycl::build(fixed);
  CHECK(run_fixed(q, built) == (check::host() ? 66 : 6));
}

CHECK_MAIN
