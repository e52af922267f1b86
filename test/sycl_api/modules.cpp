// The proposal "SYCL Modules" (text 002): module, this_module, build and compile, dispatch,
// constants.
#include "check.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>
#include <thread>

using sycl::module_state;
template <module_state S> using mod = sycl::module<S>;
using input_module = mod<module_state::input>;
using object_module = mod<module_state::object>;
using executable_module = mod<module_state::executable>;

struct pair {
  float scale;
  char mode;
  friend bool operator==(const pair &a, const pair &b) {
    return a.scale == b.scale && a.mode == b.mode;
  }
};

sycl::spec_id<int> number(7);
sycl::spec_id<pair> both(pair{0.5F, 'x'});
sycl::spec_id<std::array<int, 2>> unset;
sycl::spec_id<int> foreign(1); /* no kernel uses it */

class Report;
class Plain;
class Given;
class Before;
class Nothing;
class NeverSet;
class OfModule;
class InGroup;
class Elsewhere; /* names no kernel */

namespace {

/* Returns the constants in the kernel Report; before(handler) is called first in its group. */
using group_function = std::function<void(sycl::handler &)>;
std::array<int, 4> report(sycl::queue q, const group_function &before) {
  std::array<int, 4> out = {-1, -1, -1, -1};
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(out.size()));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      before(cgh);
      auto two = cgh.get_spec_constant<std::array<int, 2>, unset>();
      auto mixed = cgh.get_spec_constant<both>();
      sycl::spec_constant<int, number> one;
      cgh.single_task<Report>([=] {
        sink[0] = one.get();
        sink[1] = sycl::get_spec_constant<pair, both>(mixed).mode;
        sink[2] = static_cast<int>(mixed.get().scale * 2);
        sink[3] = two.get()[1];
      });
    });
  }
  return out;
}

int plain(sycl::queue q, const group_function &before) {
  int out = -1;
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      before(cgh);
      cgh.single_task<Plain>([=] { sink[0] = 42; });
    });
  }
  return out;
}
const auto nothing = [](sycl::handler &) {};

/* Traits: whether a module type has a member that exists in one state only. */
template <class M, class = void> struct gives_kernels : std::false_type {};
template <class M>
struct gives_kernels<M, std::void_t<decltype(std::declval<M>().get_kernel(std::string())),
                                    decltype(std::declval<M>().template get_kernel<Report>()),
                                    decltype(std::declval<M>().template has_kernel<Report>()),
                                    decltype(std::declval<M>().has_kernel(std::string())),
                                    decltype(std::declval<M>().get_kernel_names())>>
    : std::true_type {};
template <class M, class = void> struct has_any : std::false_type {};
template <class M>
struct has_any<M, std::void_t<decltype(std::declval<M>().get_kernel_names())>> : std::true_type {};
template <class M, class = void> struct sets : std::false_type {};
template <class M>
struct sets<M,
            std::void_t<decltype(std::declval<M &>().template set_spec_constant<number>(1)),
                        decltype(std::declval<M &>().template set_spec_constant<int, number>(1))>>
    : std::true_type {};
template <class M, class = void> struct gets : std::false_type {};
template <class M>
struct gets<M, std::void_t<decltype(std::declval<M &>().template get_spec_constant<number>(
                               std::declval<sycl::handler &>())),
                           decltype(std::declval<M &>().template get_spec_constant<int, number>(
                               std::declval<sycl::handler &>()))>> : std::true_type {};
template <class M, class = void> struct is_dispatched : std::false_type {};
template <class M>
struct is_dispatched<
    M, std::void_t<decltype(std::declval<sycl::handler &>().use_module(std::declval<M>()))>>
    : std::true_type {};
template <class M, class = void> struct is_linked : std::false_type {};
template <class M>
struct is_linked<M, std::void_t<decltype(sycl::link(std::declval<std::vector<M>>()))>>
    : std::true_type {};

/* Returns the number of builds in the fake CUDA driver; -1 with other drivers. */
long builds() {
  void *const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!driver)
    return -1;
  void *const calls = dlsym(driver, "fake_cuda_calls");
  dlclose(driver);
  if (!calls)
    return -1;
  const auto count = reinterpret_cast<unsigned long (*)(const char *)>(calls);
  return static_cast<long>(count("cuModuleLoadDataEx"));
}

} // namespace

CASE("module: only factory functions make modules") {
  static_assert(!std::is_default_constructible_v<input_module>);
  static_assert(!std::is_constructible_v<input_module, sycl::context>);
  static_assert(!std::is_constructible_v<executable_module, sycl::context>);
}

CASE("module: members are available by state") {
  static_assert(gives_kernels<executable_module>::value);
  static_assert(!has_any<input_module>::value && !has_any<object_module>::value);
  static_assert(!gives_kernels<input_module>::value && !gives_kernels<object_module>::value);
  static_assert(sets<input_module>::value);
  static_assert(!sets<object_module>::value && !sets<executable_module>::value);
  static_assert(gets<executable_module>::value);
  static_assert(!gets<input_module>::value && !gets<object_module>::value);
  static_assert(is_dispatched<executable_module>::value);
  static_assert(!is_dispatched<input_module>::value && !is_dispatched<object_module>::value);
  static_assert(is_linked<object_module>::value);
  static_assert(!is_linked<input_module>::value && !is_linked<executable_module>::value);
  static_assert(noexcept(std::declval<input_module>().get_context()));
  static_assert(noexcept(std::declval<input_module>().has_spec_constant()));
  static_assert(noexcept(std::declval<input_module>().native_spec_constant()));
  static_assert(noexcept(std::declval<executable_module>().has_kernel<Report>()));
  static_assert(noexcept(std::declval<sycl::context>().get_modules<module_state::input>()));
}

CASE("module: the host device has no images and no constants") {
  const sycl::context in(sycl::device(static_cast<specpi_device>(nullptr)));
  const auto input = sycl::this_module::get<module_state::input>(in);
  const auto built = sycl::build(input);
  CHECK(input.begin() == input.end());
  CHECK(!input.has_spec_constant() && !input.native_spec_constant());
  CHECK(built.begin() == built.end() && built.get_kernel_names().empty());
  CHECK(!built.has_kernel<Report>());
  CHECK(!sycl::this_module::has_any_module(in));
  CHECK(!sycl::this_module::has_module_in<module_state::executable>(in));
  CHECK(sycl::link(std::vector<object_module>{sycl::compile(input)}).begin() == built.end());
  CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "Report", built.get_kernel<Report>());
}

CASE("module: bound to the context it was got for") {
  const sycl::context in = check::queue().get_context();
  const auto input = sycl::this_module::get<module_state::input>(in);
  CHECK(input.get_context() == in);
  CHECK(sycl::build(input).get_context() == in);
  CHECK(sycl::compile(input).get_context() == in);
  CHECK(sycl::link(std::vector<object_module>{sycl::compile(input)}).get_context() == in);
  CHECK(sycl::join(std::vector<input_module>{input}).get_context() == in);
}

CASE("module: images, kernels and constants of the unit") {
  const sycl::context in = check::queue().get_context();
  if (check::host())
    SKIP("the host device has no images");
  const auto input = sycl::this_module::get<module_state::input>(in);
  CHECK(input.end() - input.begin() == 1);
  CHECK(input.begin()->get_device() == check::device());
  CHECK(input.begin()->has_kernel<Report>());
  CHECK(input.begin()->has_spec_constant() && input.begin()->native_spec_constant());
  CHECK(input.has_spec_constant() && input.native_spec_constant());
  CHECK(sycl::compile(input).has_spec_constant());

  const auto built = sycl::build(input);
  CHECK(built.has_spec_constant() && built.native_spec_constant());
  CHECK(built.has_kernel<Report>() && built.has_kernel<Plain>() && !built.has_kernel<Elsewhere>());
  CHECK(built.has_kernel("_ZTS6Report") && !built.has_kernel("Report"));
  const std::vector<std::string> names = built.get_kernel_names();
  CHECK(std::count(names.begin(), names.end(), "_ZTS6Report") == 1);
  CHECK(std::count(names.begin(), names.end(), "_ZTS5Plain") == 1);
  CHECK(built.get_kernel<Plain>() == built.get_kernel("_ZTS5Plain"));
  CHECK(built.get_kernel<Plain>().get_context() == in);
  CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "9Elsewhere",
               built.get_kernel<Elsewhere>());
  CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "nobody", built.get_kernel("nobody"));
}

CASE("module: equal are those of one context, state and the same images") {
  const sycl::queue q = check::queue();
  const auto input = sycl::this_module::get<module_state::input>(q.get_context());
  const auto other = sycl::this_module::get<module_state::input>(check::queue().get_context());
  CHECK(input == sycl::this_module::get<module_state::input>(q.get_context()));
  CHECK(input != other);
  const input_module copy = input;
  CHECK(copy == input && !(copy != input));
  const auto built = sycl::build(input);
  CHECK(sycl::join(std::vector<executable_module>{built}) == built);
  CHECK(sycl::join(std::vector<executable_module>{built, built}) == built);
  if (!check::host())
    CHECK(sycl::build(input) != built);
}

CASE("module: a copy is the same module") {
  const sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input_module copy = input;
  copy.set_spec_constant<number>(31);
  const auto built = sycl::build(input);
  CHECK(report(q, [&](sycl::handler &cgh) { cgh.use_module(built); })[0] == 31);
}

CASE("this_module: what has_module_in promises get gives") {
  const sycl::context in = check::queue().get_context();
  const bool there = !check::host();
  CHECK(sycl::this_module::has_any_module(in) == there);
  CHECK(sycl::this_module::has_module_in<module_state::input>(in) == there);
  CHECK(sycl::this_module::has_module_in<module_state::object>(in) == there);
  CHECK(sycl::this_module::has_module_in<module_state::executable>(in) == there);
  const auto input = sycl::this_module::get<module_state::input>(in);
  const auto object = sycl::this_module::get<module_state::object>(in);
  const auto executable = sycl::this_module::get<module_state::executable>(in);
  CHECK((input.begin() != input.end()) == there);
  CHECK((object.begin() != object.end()) == there);
  CHECK((executable.begin() != executable.end()) == there);
  CHECK(executable.has_kernel<Report>() == there);
  CHECK(executable == sycl::this_module::get<module_state::executable>(in));
}

CASE("this_module: kernels are dispatched from it") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  CHECK((report(q, nothing) == std::array<int, 4>{7, 'x', 1, 0}));
  sycl::set_spec_constant<number>(input, 12);
  input.set_spec_constant<both>(pair{2.0F, 'y'});
  CHECK((report(q, nothing) == std::array<int, 4>{12, 'y', 4, 0}));
  const auto executable = sycl::this_module::get<module_state::executable>(q.get_context());
  CHECK(report(q, [&](sycl::handler &cgh) { cgh.use_module(executable); })[0] == 12);
  /* Setting the same value again builds nothing; another value does. */
  const auto now = [&] {
    return sycl::this_module::get<module_state::executable>(q.get_context());
  };
  input.set_spec_constant<number>(12);
  CHECK(report(q, [](auto &cgh) { cgh.template set_spec_constant<number>(12); })[0] == 12);
  CHECK(now() == executable);
  input.set_spec_constant<number>(13);
  CHECK((now() != executable) == !check::host());
  /* Another context has its own module, with its own values. */
  CHECK(report(check::queue(), nothing)[0] == 7);
}

CASE("build: defaults where no value is set") {
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  CHECK((report(q, [&](sycl::handler &cgh) { cgh.use_module(built); }) ==
         std::array<int, 4>{7, 'x', 1, 0}));
}

CASE("build: the last value that was set counts") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  sycl::set_spec_constant<int, number>(input, 1);
  sycl::set_spec_constant<number>(input, 2);
  input.set_spec_constant<int, number>(3);
  input.set_spec_constant<std::array<int, 2>, unset>({8, 9});
  const auto three = sycl::build(input);
  input.set_spec_constant<number>(4);
  const auto four = sycl::build(input);
  const auto run = [&](const executable_module &m) {
    return report(q, [&](sycl::handler &cgh) { cgh.use_module(m); });
  };
  CHECK((run(three) == std::array<int, 4>{3, 'x', 1, 9}));
  CHECK(run(four)[0] == 4);
  /* A constant that no image has can be set. */
  input.set_spec_constant<foreign>(5);
}

CASE("compile and link give what build gives") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<number>(55);
  const auto object = sycl::compile(input);
  input.set_spec_constant<number>(56);
  const auto linked = sycl::link(std::vector<object_module>{object});
  CHECK(report(q, [&](sycl::handler &cgh) { cgh.use_module(linked); })[0] == 55);
  CHECK(linked.has_kernel<Plain>() == !check::host());
}

CASE("link, join: no module, modules of several contexts") {
  const sycl::context one = check::queue().get_context();
  const sycl::context other = check::queue().get_context();
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "no module to link",
               sycl::link(std::vector<object_module>{}));
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "no module to join",
               sycl::join(std::vector<input_module>{}));
  const auto a = sycl::this_module::get<module_state::input>(one);
  const auto b = sycl::this_module::get<module_state::input>(other);
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "of one context",
               sycl::join(std::vector<input_module>{a, b}));
  const std::vector<object_module> objects{sycl::compile(a), sycl::compile(b)};
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "of one context", sycl::link(objects));
}

CASE("link: a constant with two values is refused, with both modules") {
  if (check::host())
    SKIP("modules of the host device have no constants");
  const sycl::context in = check::queue().get_context();
  auto input = sycl::this_module::get<module_state::input>(in);
  const auto one = sycl::compile(input);
  CHECK(sycl::link(std::vector<object_module>{one, one}).has_kernel<Report>());
  const std::vector<object_module> same_kernels{one, sycl::compile(input)};
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "kernel \"_ZTS",
               sycl::link(same_kernels));
  input.set_spec_constant<number>(8);
  const std::vector<object_module> both_values{one, sycl::compile(input)};
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "number has another value in module 1",
               sycl::link(both_values));
  CHECK_THROWS(sycl::link_program_error, sycl::errc::build, "than in module 0",
               sycl::link(both_values));
}

CASE("join: copies of all images") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<number>(1);
  const auto one = sycl::build(input);
  input_module copy = sycl::join(std::vector<input_module>{input});
  input.set_spec_constant<number>(2);
  const auto two = sycl::build(input);
  const auto all = sycl::join(std::vector<executable_module>{one, two});
  CHECK(all.end() - all.begin() == (check::host() ? 0 : 2));
  const auto run = [&](const executable_module &m) {
    return report(q, [&](sycl::handler &cgh) { cgh.use_module(m); })[0];
  };
  CHECK(run(all) == 1);
  CHECK(run(sycl::build(copy)) == 1);
  copy.set_spec_constant<number>(3);
  CHECK(run(sycl::build(copy)) == 3);
  CHECK(run(sycl::build(input)) == 2);
  if (check::host())
    return;
  CHECK(report(q, [&](sycl::handler &cgh) {
          cgh.use_module(all, [](auto, auto end) { return end[-1]; });
        })[0] == 2);
}

CASE("options: the log gets the compiler's words, debug and flags are taken") {
  const sycl::context in = check::queue().get_context();
  const auto input = sycl::this_module::get<module_state::input>(in);
  std::ostringstream words;
  namespace options = sycl::property::module::options;
  const options::log log(words);
  CHECK(&log.get_log_stream() == &words);
  static_assert(std::is_default_constructible_v<options::debug>);
  CHECK(sycl::build(input, options::debug(), log).has_kernel<Plain>() == !check::host());
  const auto object = sycl::compile(input, options::debug(), options::log(words));
  CHECK(sycl::link(std::vector<object_module>{object}, log).get_context() == in);
  const sycl::ext::specpi::property::module::options::flags bad("-no-such-option");
  if (check::host())
    return;
  words.str("");
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "-no-such-option",
               sycl::build(input, bad, log));
  CHECK_THROWS(sycl::compile_program_error, sycl::errc::build, "-no-such-option",
               sycl::compile(input, bad, log));
  if (in.get_backend() == sycl::backend::opencl)
    sycl::build(input, std::string("-cl-mad-enable"));
  else
    CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "OpenCL",
                 sycl::build(input, "-cl-mad-enable"));
}

CASE("context: get_modules has those that somebody has") {
  const sycl::context in = check::queue().get_context();
  CHECK(in.get_modules<module_state::object>().empty());
  const auto input = sycl::this_module::get<module_state::input>(in);
  CHECK(in.get_modules<module_state::input>() == std::vector<input_module>{input});
  {
    const auto object = sycl::compile(input);
    const auto copy = object;
    CHECK(in.get_modules<module_state::object>() == std::vector<object_module>{object});
    CHECK(in.get_modules<module_state::executable>().empty());
  }
  CHECK(in.get_modules<module_state::object>().empty());
  CHECK(check::queue().get_context().get_modules<module_state::input>().empty());
}

CASE("use_module: kernels come from it alone") {
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  CHECK(plain(q, [&](sycl::handler &cgh) { cgh.use_module(built); }) == 42);
  if (check::host())
    return;
  const auto empty = sycl::this_module::get<module_state::executable>(q.get_context(), "no unit");
  CHECK(empty.begin() == empty.end());
  CHECK_THROWS(sycl::kernel_not_found, sycl::errc::invalid, "_ZTS5Plain",
               plain(q, [&](sycl::handler &cgh) { cgh.use_module(empty); }));
}

CASE("use_module: nothing is built when a kernel is dispatched") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<number>(77077); /* this value is in no cache */
  specpi_cache_statistics before;
  specpi_cache_statistics after;
  const long first = builds();
  const auto built = sycl::build(input);
  const long count = builds();
  specpiCacheGetStatistics(&before);
  for (int i = 0; i < 2; i++)
    CHECK(plain(q, [&](sycl::handler &cgh) { cgh.use_module(built); }) == 42);
  specpiCacheGetStatistics(&after);
  CHECK(after.misses == before.misses && builds() == count);
  if (count >= 0)
    CHECK(count > first);
}

CASE("use_module: a kernel object has to be the module's") {
  sycl::queue q = check::queue();
  if (check::host())
    SKIP("modules of the host device have no kernel objects");
  const auto input = sycl::this_module::get<module_state::input>(q.get_context());
  const auto mine = sycl::build(input);
  const auto other = sycl::build(input);
  const auto run = [&](const executable_module *uses, const sycl::kernel &k) {
    int out = 0;
    {
      sycl::buffer<int> to(&out, sycl::range<1>(1));
      q.submit([&](sycl::handler &cgh) {
        auto sink = to.get_access<sycl::access::mode::write>(cgh);
        if (uses)
          cgh.use_module(*uses);
        cgh.single_task<Given>(k, [=] { sink[0] = 43; });
      });
    }
    return out;
  };
  CHECK(run(nullptr, mine.get_kernel<Given>()) == 43);
  CHECK(run(&mine, mine.get_kernel<Given>()) == 43);
  CHECK_THROWS(sycl::invalid_kernel, sycl::errc::invalid, "is not of the module",
               run(&mine, other.get_kernel<Given>()));
}

CASE("use_module: a selector chooses the image") {
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  const auto other = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  int calls = 0;
  const auto first = [&](executable_module::device_image_iterator begin,
                         executable_module::device_image_iterator end) {
    calls++;
    CHECK(begin != end);
    return *begin;
  };
  CHECK(plain(q, [&](sycl::handler &cgh) { cgh.use_module(built, first); }) == 42);
  CHECK(calls == (check::host() ? 0 : 1));
  if (check::host())
    return;
  const auto wrong = [&](auto, auto) { return *other.begin(); };
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "not of the module",
               plain(q, [&](sycl::handler &cgh) { cgh.use_module(built, wrong); }));
}

CASE("use_module: one module of the queue's context, before the command") {
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  const auto other =
      sycl::build(sycl::this_module::get<module_state::input>(check::queue().get_context()));
  CHECK_THROWS(sycl::invalid_object, sycl::errc::invalid, "another context",
               plain(q, [&](sycl::handler &cgh) { cgh.use_module(other); }));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "one module", plain(q, [&](auto &cgh) {
                 cgh.use_module(built);
                 cgh.use_module(built);
               }));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "before the group's command",
               q.submit([&](sycl::handler &cgh) {
                 cgh.single_task<Before>([=] {});
                 cgh.use_module(built);
               }));
}

CASE("handler: a value that is set stays in the unit's module") {
  sycl::queue q = check::queue();
  CHECK(report(q, [](auto &cgh) { cgh.template set_spec_constant<number>(21); })[0] == 21);
  const auto value = [&] {
    int got = 0;
    q.submit([&](sycl::handler &cgh) {
      got = cgh.get_spec_constant<int, number>().get();
      cgh.single_task<Nothing>([=] {});
    });
    return got;
  };
  CHECK(value() == 21);
  CHECK(report(q, nothing)[0] == 21);
  /* A command group that throws sets no value. */
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "second", report(q, [](auto &cgh) {
                 cgh.template set_spec_constant<number>(99);
                 cgh.template get_spec_constant<number>();
               }));
  CHECK(value() == 21);
}

CASE("handler: the default where no value was ever set") {
  sycl::queue q = check::queue();
  q.submit([&](sycl::handler &cgh) {
    CHECK((cgh.get_spec_constant<int, number>().get() == 7));
    CHECK((cgh.get_spec_constant<both>().get() == pair{0.5F, 'x'}));
    cgh.single_task<NeverSet>([=] {});
  });
}

CASE("handler: one placeholder for an id and group") {
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::this_module::get<module_state::input>(q.get_context()));
  const auto twice = [&](auto first, auto second) {
    CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "second call",
                 q.submit([&](sycl::handler &cgh) {
                   first(cgh);
                   second(cgh);
                 }));
  };
  const auto set = [](sycl::handler &cgh) { cgh.set_spec_constant<int, number>(1); };
  const auto set_auto = [](sycl::handler &cgh) { cgh.set_spec_constant<number>(1); };
  const auto get = [](sycl::handler &cgh) { cgh.get_spec_constant<int, number>(); };
  const auto get_auto = [](sycl::handler &cgh) { cgh.get_spec_constant<number>(); };
  const auto of_module = [&](sycl::handler &cgh) { built.get_spec_constant<int, number>(cgh); };
  const auto of_module_auto = [&](sycl::handler &cgh) { built.get_spec_constant<number>(cgh); };
  twice(set, set_auto);
  twice(set_auto, get);
  twice(get, get_auto);
  twice(get_auto, of_module);
  twice(of_module, of_module_auto);
  twice(of_module_auto, set);
}

CASE("handler: a value must be the one that the module was built with") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<number>(5);
  const auto built = sycl::build(input);
  const auto run = [&](int value, bool first) {
    return plain(q, [&](sycl::handler &cgh) {
      if (first)
        cgh.set_spec_constant<int, number>(value);
      cgh.use_module(built);
      if (!first)
        cgh.set_spec_constant<int, number>(value);
    });
  };
  CHECK(run(5, true) == 42 && run(5, false) == 42);
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "number is set to another value",
               run(6, true));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "number is set to another value",
               run(6, false));
}

CASE("handler: padding is no part of the value that the module was built with") {
  sycl::queue q = check::queue();
  const auto padded_with = [](int padding, char mode) {
    pair value;
    std::memset(static_cast<void *>(&value), padding, sizeof value);
    value.scale = 2.5F;
    value.mode = mode;
    return value;
  };
  const pair first = padded_with(0x11, 'p');
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<both>(first);
  const auto built = sycl::build(input);
  const auto run = [&](const pair &value) {
    CHECK(std::memcmp(&value, &first, sizeof value) != 0);
    return plain(q, [&](sycl::handler &cgh) {
      cgh.set_spec_constant<both>(value);
      cgh.use_module(built);
    });
  };
  CHECK(run(padded_with(0x22, 'p')) == 42);
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "both is set to another value",
               run(padded_with(0x11, 'q')));
}

CASE("module: get_spec_constant has the value it was built with") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<number>(66);
  const auto built = sycl::build(input);
  input.set_spec_constant<number>(67);
  int out = 0;
  {
    sycl::buffer<int> to(&out, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      auto sink = to.get_access<sycl::access::mode::write>(cgh);
      cgh.use_module(built);
      auto one = built.get_spec_constant<int, number>(cgh);
      CHECK(one.get() == 66);
      auto two = built.get_spec_constant<both>(cgh);
      CHECK(two.get().mode == 'x');
      cgh.single_task<OfModule>([=] { sink[0] = one.get(); });
    });
  }
  CHECK(out == 66);
}

CASE("module: constants are not set in a command group") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  const auto in_group = [&](const std::function<void()> &f) {
    q.submit([&](sycl::handler &cgh) {
      f();
      cgh.single_task<InGroup>([=] {});
    });
  };
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "in a command group",
               in_group([&] { sycl::set_spec_constant<number>(input, 1); }));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "in a command group",
               in_group([&] { sycl::set_spec_constant<int, number>(input, 1); }));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::invalid, "in a command group",
               in_group([&] { input.set_spec_constant<number>(1); }));
  CHECK(report(q, nothing)[0] == 7);
  input.set_spec_constant<number>(2);
  CHECK(report(q, nothing)[0] == 2);
}

CASE("module: several threads build one") {
  sycl::queue q = check::queue();
  const auto input = sycl::this_module::get<module_state::input>(q.get_context());
  std::vector<int> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&, i] {
      input_module mine = sycl::join(std::vector<input_module>{input});
      mine.set_spec_constant<number>(i % 2);
      std::vector<executable_module> built;
      if (i < 2)
        built.push_back(sycl::build(mine));
      else
        built.push_back(sycl::link(std::vector<object_module>{sycl::compile(mine)}));
      results[static_cast<std::size_t>(i)] =
          report(sycl::queue(q.get_context(), check::device()),
                 [&](sycl::handler &cgh) { cgh.use_module(built.front()); })[0];
      sycl::build(input);
      q.get_context().get_modules<module_state::executable>();
    });
  for (std::thread &t : threads)
    t.join();
  CHECK((results == std::vector<int>{0, 1, 0, 1}));
}

CHECK_MAIN
