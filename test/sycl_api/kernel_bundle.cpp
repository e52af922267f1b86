/*
 * Kernel bundles: SYCL 2020, 4.9.4.5 and 4.11, and their constants by the proposal "Specialization
 * constants". bundle_units.hpp describes the other units.
 */
#include "bundle_units.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <thread>
#include <unordered_set>

using sycl::bundle_state;
using sycl::errc;
template <bundle_state State> using bundle = sycl::kernel_bundle<State>;
using input = bundle<bundle_state::input>;
using object = bundle<bundle_state::object>;
using executable = bundle<bundle_state::executable>;

class Scale;
class Plain;
namespace {
class Same;
constexpr sycl::specialization_id<int> offset_id{3};
constexpr sycl::specialization_id<int> unused_id{9};

const preparation nothing = [](sycl::handler &) {};

int run_scale(sycl::queue q, const preparation &prepare) {
  return run_kernel<Scale>(q, prepare, [](sycl::kernel_handler h) {
    return h.get_specialization_constant<factor_id>() * 10 +
           h.get_specialization_constant<offset_id>();
  });
}
int run_plain(sycl::queue q, const preparation &prepare) {
  return run_kernel<Plain>(q, prepare, [](sycl::kernel_handler) { return 77; });
}
int run_same(sycl::queue q, const preparation &prepare) {
  return run_kernel<Same>(q, prepare, [](sycl::kernel_handler h) {
    const ending e = h.get_specialization_constant<ending_id>();
    return e.c == 'x' && e.d == 0.5 ? 1 : static_cast<int>(e.d) + e.c;
  });
}

preparation with(const executable &of) {
  return [of](sycl::handler &cgh) { cgh.use_kernel_bundle(of); };
}
template <class Name, bundle_state State> bundle<State> of_kernel(const sycl::queue &q) {
  return sycl::get_kernel_bundle<Name, State>(q.get_context());
}
input scale_input(const sycl::queue &q) {
  return of_kernel<Scale, bundle_state::input>(q);
}
template <class List, class Element> bool has(const List &list, const Element &element) {
  return std::find(list.begin(), list.end(), element) != list.end();
}

/* Returns all devices of the tested device's backend, the tested device first. */
std::vector<sycl::device> same_backend() {
  std::vector<sycl::device> devices = {check::device()};
  for (const sycl::device &d : sycl::device::get_devices())
    if (d.get_backend() == devices.front().get_backend() && d != devices.front())
      devices.push_back(d);
  return devices;
}
/* Returns a device that is not in the context of the tested device. */
sycl::device foreign_device() {
  if (!check::host())
    return sycl::device(static_cast<specpi_device>(nullptr));
  static const auto *const other = reinterpret_cast<specpi_device>(&foreign_device);
  return sycl::device(other);
}

} // namespace

/* ---- Getting bundles ---- */

namespace {

template <class T, class = void> constexpr bool can_set = false;
template <class T>
constexpr bool can_set<
    T,
    std::void_t<decltype(std::declval<T &>().template set_specialization_constant<factor_id>(1))>> =
    true;
template <class T, class = void> constexpr bool can_get_kernel = false;
template <class T>
constexpr bool can_get_kernel<
    T, std::void_t<decltype(std::declval<T &>().get_kernel(std::declval<sycl::kernel_id>()))>> =
    true;
template <class T, class = void> constexpr bool can_get_named = false;
template <class T>
constexpr bool
    can_get_named<T, std::void_t<decltype(std::declval<T &>().template get_kernel<Scale>())>> =
        true;
static_assert(can_set<input> && !can_set<object> && !can_set<executable>);
static_assert(!can_get_kernel<input> && !can_get_kernel<object> && can_get_kernel<executable>);
static_assert(!can_get_named<input> && !can_get_named<object> && can_get_named<executable>);

template <class T>
constexpr bool is_reference = !std::is_default_constructible_v<T> && !std::is_aggregate_v<T> &&
                              std::is_copy_constructible_v<T> && std::is_move_constructible_v<T> &&
                              std::is_copy_assignable_v<T> && std::is_move_assignable_v<T>;
static_assert(is_reference<sycl::kernel_id> && is_reference<sycl::kernel>);
static_assert(is_reference<input> && is_reference<object> && is_reference<executable>);
static_assert(is_reference<sycl::device_image<bundle_state::object>>);
using iterator = input::device_image_iterator;
static_assert(std::is_base_of_v<std::forward_iterator_tag,
                                std::iterator_traits<iterator>::iterator_category>);
static_assert(std::is_same_v<std::iterator_traits<iterator>::reference,
                             const sycl::device_image<bundle_state::input> &>);

} // namespace

CASE("kernel ids are equal for the same kernel, and name it") {
  const sycl::kernel_id scale = sycl::get_kernel_id<Scale>();
  const sycl::kernel_id copy = scale;
  CHECK(scale == copy && scale == sycl::get_kernel_id<Scale>());
  CHECK(scale != sycl::get_kernel_id<Plain>());
  CHECK(std::hash<sycl::kernel_id>()(scale) == std::hash<sycl::kernel_id>()(copy));
  CHECK(std::strstr(scale.get_name(), "Scale"));
}

CASE("types of one name in two units name two kernels") {
  const sycl::kernel_id here = sycl::get_kernel_id<Same>();
  CHECK(std::strcmp(here.get_name(), other_same().get_name()) == 0);
  CHECK(here != other_same());
  const std::vector<sycl::kernel_id> all = sycl::get_kernel_ids();
  CHECK(has(all, here) && has(all, other_same()));
  sycl::queue q = check::queue();
  const executable both =
      sycl::get_kernel_bundle<bundle_state::executable>(q.get_context(), {here, other_same()});
  CHECK(run_same(q, with(both)) == 1);
  CHECK(run_other_same(q, with(both)) == 2);
}

CASE("get_kernel_ids has each kernel of the application once") {
  const std::vector<sycl::kernel_id> all = sycl::get_kernel_ids();
  for (const sycl::kernel_id &id :
       {sycl::get_kernel_id<Scale>(), sycl::get_kernel_id<Plain>(),
        sycl::get_kernel_id<OtherScale>(), sycl::get_kernel_id<Emulated>()})
    CHECK(std::count(all.begin(), all.end(), id) == 1);
}

template <bundle_state State> static void check_all_kernels() {
  sycl::queue q = check::queue();
  const bundle<State> all = sycl::get_kernel_bundle<State>(q.get_context());
  CHECK(all.get_context() == q.get_context());
  CHECK(all.get_backend() == q.get_device().get_backend());
  CHECK(all.get_devices() == q.get_context().get_devices());
  CHECK(all.empty() == check::host());
  CHECK((all.begin() == all.end()) == check::host());
  const std::vector<sycl::kernel_id> ids = all.get_kernel_ids();
  CHECK(ids.size() == sycl::get_kernel_ids().size());
  for (const sycl::kernel_id &id : sycl::get_kernel_ids()) {
    CHECK(has(ids, id) && all.has_kernel(id) && all.has_kernel(id, q.get_device()));
    const auto count = std::count_if(all.begin(), all.end(), [&](const auto &image) {
      return image.has_kernel(id, q.get_device());
    });
    CHECK(check::host() ? count == 0 : count >= 1);
  }
  CHECK(all.template has_kernel<Scale>() && all.template has_kernel<Scale>(q.get_device()));
  CHECK(check::host() || !all.template has_kernel<class NoSuchKernel>());
  CHECK(!all.template has_kernel<Scale>(foreign_device()));
}

CASE("a bundle of a context has all kernels of all units, in each state") {
  check_all_kernels<bundle_state::input>();
  check_all_kernels<bundle_state::object>();
  check_all_kernels<bundle_state::executable>();
}

CASE("a bundle of some kernels has the images with these kernels") {
  sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  const std::vector<sycl::device> devices = {q.get_device(), q.get_device()};
  const std::vector<sycl::kernel_id> ids = {sycl::get_kernel_id<Scale>()};
  const input some[] = {
      sycl::get_kernel_bundle<bundle_state::input>(in, ids),
      sycl::get_kernel_bundle<bundle_state::input>(in, devices, ids),
      sycl::get_kernel_bundle<Scale, bundle_state::input>(in),
      sycl::get_kernel_bundle<Scale, bundle_state::input>(in, devices),
  };
  for (const input &one : some) {
    CHECK(one == some[0] && one.has_kernel<Scale>());
    CHECK(one.get_devices().size() == 1);
    /* The image also has the unit's other kernels. */
    CHECK(one.has_kernel<Plain>() && one.has_kernel<OtherScale>() == check::host());
  }
  CHECK(sycl::get_kernel_bundle<bundle_state::input>(in, devices) ==
        sycl::get_kernel_bundle<bundle_state::input>(in));
  CHECK(sycl::get_kernel_bundle<bundle_state::input>(in, std::vector<sycl::kernel_id>()).empty());
}

CASE("a selector is called once for each image, and what it selects is in the bundle") {
  sycl::queue q = check::queue();
  const input all = sycl::get_kernel_bundle<bundle_state::input>(q.get_context());
  std::vector<sycl::device_image<bundle_state::input>> asked;
  const auto selector = [&](const sycl::device_image<bundle_state::input> &image) {
    asked.push_back(image);
    return image.has_kernel(sycl::get_kernel_id<OtherScale>());
  };
  const input some = sycl::get_kernel_bundle<bundle_state::input>(q.get_context(), selector);
  CHECK(asked.size() == static_cast<std::size_t>(std::distance(all.begin(), all.end())));
  CHECK(std::unordered_set<sycl::device_image<bundle_state::input>>(asked.begin(), asked.end())
            .size() == asked.size());
  CHECK((some == of_kernel<OtherScale, bundle_state::input>(q)));
  const std::vector<sycl::device> devices = {q.get_device()};
  CHECK(some == sycl::get_kernel_bundle<bundle_state::input>(q.get_context(), devices, selector));
  /* All images of the application are in state input, and a selector compiles nothing. */
  const auto every = [](const sycl::device_image<bundle_state::executable> &) { return true; };
  CHECK(sycl::get_kernel_bundle<bundle_state::executable>(q.get_context(), every).empty());
}

CASE("has_kernel_bundle and is_compatible say what get_kernel_bundle finds") {
  sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  const std::vector<sycl::device> devices = {q.get_device()};
  const std::vector<sycl::kernel_id> known = {sycl::get_kernel_id<Scale>()};
  const std::vector<sycl::kernel_id> unknown = {sycl::get_kernel_id<class NoSuchKernel>()};
  CHECK(sycl::has_kernel_bundle<bundle_state::input>(in));
  CHECK(sycl::has_kernel_bundle<bundle_state::object>(in, devices));
  CHECK(sycl::has_kernel_bundle<bundle_state::executable>(in, known));
  CHECK(sycl::has_kernel_bundle<bundle_state::input>(in, devices, known));
  CHECK((sycl::has_kernel_bundle<Scale, bundle_state::object>(in)));
  CHECK((sycl::has_kernel_bundle<Scale, bundle_state::object>(in, devices)));
  CHECK(sycl::is_compatible(known, q.get_device()));
  CHECK(sycl::is_compatible<Scale>(q.get_device()));
  CHECK(sycl::has_kernel_bundle<bundle_state::input>(in, unknown) == check::host());
  CHECK(sycl::is_compatible(unknown, q.get_device()) == check::host());
}

CASE("devices that are not the context's, none at all, and unknown kernels are errors") {
  sycl::queue q = check::queue();
  const sycl::context in = q.get_context();
  const std::vector<sycl::device> none;
  const std::vector<sycl::device> foreign = {q.get_device(), foreign_device()};
  const char *const sentence = "there has to be a device";
  const auto get = [&](const auto &...with) {
    sycl::get_kernel_bundle<bundle_state::executable>(in, with...);
  };
  const auto ask = [&](const auto &...with) {
    sycl::has_kernel_bundle<bundle_state::executable>(in, with...);
  };
  const std::vector<sycl::kernel_id> ids = {sycl::get_kernel_id<Scale>()};
  const auto selector = [](const sycl::device_image<bundle_state::executable> &) { return true; };
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, get(none));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, get(none, ids));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, get(none, selector));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, ask(none));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, ask(none, ids));
  if (!check::host()) {
    const char *const outside = "is neither in the context nor a part of a device in it";
    CHECK_THROWS(sycl::exception, errc::invalid, outside, get(foreign));
    CHECK_THROWS(sycl::exception, errc::invalid, outside, get(foreign, ids));
    CHECK_THROWS(sycl::exception, errc::invalid, outside, get(foreign, selector));
    CHECK_THROWS(sycl::exception, errc::invalid, outside, ask(foreign));
    CHECK_THROWS(sycl::exception, errc::invalid, outside, ask(foreign, ids));
    CHECK_THROWS(sycl::kernel_not_found, errc::invalid, "none of the devices has an image",
                 get(std::vector<sycl::kernel_id>{sycl::get_kernel_id<class NoSuchKernel>()}));
  }
}

/* ---- Constants ---- */

CASE("a bundle says which constants its images use, and whether natively") {
  sycl::queue q = check::queue();
  const bool images = !check::host();
  const input scale = scale_input(q);
  CHECK(scale.contains_specialization_constants() == images);
  CHECK(scale.native_specialization_constant() == images);
  CHECK(scale.has_specialization_constant<factor_id>() == images);
  CHECK(scale.has_specialization_constant<offset_id>() == images);
  CHECK(!scale.has_specialization_constant<unused_id>());
  const input emulated = of_kernel<Emulated, bundle_state::input>(q);
  CHECK(emulated.contains_specialization_constants() == images);
  CHECK(!emulated.native_specialization_constant());
  CHECK(emulated.has_specialization_constant<own_id>() == images);
  CHECK(!sycl::join(std::vector{scale, emulated}).native_specialization_constant());
  const input caller = of_kernel<Caller, bundle_state::input>(q);
  /* These are constants of the unit that Caller's unit is linked with. */
  CHECK(caller.has_specialization_constant<factor_id>() == images);
  CHECK(caller.native_specialization_constant() == images);
  const executable built = sycl::build(scale);
  CHECK(built.native_specialization_constant() == images);
  CHECK(built.has_specialization_constant<factor_id>() == images);
}

CASE("a value that is set in a bundle is in what is made of it, and seen by its kernels") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  CHECK(in.get_specialization_constant<factor_id>() == 2);
  in.set_specialization_constant<factor_id>(4);
  in.set_specialization_constant<factor_id>(5);
  CHECK(in.get_specialization_constant<factor_id>() == 5);
  CHECK(in.get_specialization_constant<offset_id>() == 3);
  const object compiled = sycl::compile(in);
  const executable built = sycl::build(in);
  /* A value that is set now has no effect on the bundles made before. */
  in.set_specialization_constant<factor_id>(6);
  const executable linked = sycl::link(compiled);
  CHECK(compiled.get_specialization_constant<factor_id>() == 5);
  CHECK(built.get_specialization_constant<factor_id>() == 5);
  CHECK(linked.get_specialization_constant<factor_id>() == 5);
  CHECK(linked.get_specialization_constant<offset_id>() == 3);
  CHECK(in.get_specialization_constant<factor_id>() == 6);
  CHECK(run_scale(q, with(built)) == 53);
  CHECK(run_scale(q, with(linked)) == 53);
  CHECK(run_scale(q, with(sycl::build(in))) == 63);
  CHECK(run_scale(q, nothing) == 23);
}

CASE("a copy is the same bundle, and another one has its own values") {
  sycl::queue q = check::queue();
  input first = scale_input(q);
  input copy = first;
  input other = scale_input(q);
  copy.set_specialization_constant<offset_id>(8);
  CHECK(first.get_specialization_constant<offset_id>() == 8);
  CHECK(other.get_specialization_constant<offset_id>() == 3);
  CHECK(run_scale(q, with(sycl::build(other))) == 23);
}

CASE("bundles that are got as objects or executables have the defaults") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  in.set_specialization_constant<factor_id>(8);
  const auto objects = of_kernel<Scale, bundle_state::object>(q);
  const auto executables = of_kernel<Scale, bundle_state::executable>(q);
  CHECK(objects.get_specialization_constant<factor_id>() == 2);
  CHECK(executables.get_specialization_constant<factor_id>() == 2);
  CHECK(run_scale(q, with(executables)) == 23);
  CHECK(run_scale(q, with(sycl::link(objects))) == 23);
}

CASE("a value applies to all images of a bundle that use the constant") {
  sycl::queue q = check::queue();
  input in = sycl::get_kernel_bundle<bundle_state::input>(
      q.get_context(), {sycl::get_kernel_id<Scale>(), sycl::get_kernel_id<OtherScale>(),
                        sycl::get_kernel_id<Emulated>()});
  in.set_specialization_constant<factor_id>(6);
  const executable built = sycl::build(in);
  CHECK(run_scale(q, with(built)) == 63);
  CHECK(run_other_scale(q, with(built)) == 600);
  CHECK(run_emulated(q, with(built)) == 6007);
  CHECK(run_emulated(q, nothing) == 2007);
}

CASE("a constant that no image uses may be set, and keeps its value") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  in.set_specialization_constant<unused_id>(10);
  CHECK(in.get_specialization_constant<unused_id>() == 10);
  const executable built = sycl::build(in);
  CHECK(built.get_specialization_constant<unused_id>() == 10);
  CHECK(run_scale(q, with(built)) == 23);
}

CASE("a constant with padding at its end keeps all its members") {
  sycl::queue q = check::queue();
  input in = of_kernel<Same, bundle_state::input>(q);
  in.set_specialization_constant<ending_id>(ending{40, 2});
  CHECK(in.get_specialization_constant<ending_id>().c == 2);
  const executable built = sycl::build(in);
  CHECK(built.get_specialization_constant<ending_id>().d == 40);
  CHECK(run_same(q, with(built)) == 42);
}

/* ---- Command groups ---- */

CASE("a command group takes its kernel from the bundle, and has no values of its own") {
  sycl::queue q = check::queue();
  const executable built = of_kernel<Scale, bundle_state::executable>(q);
  CHECK(run_scale(q, [&](sycl::handler &cgh) {
          CHECK(cgh.get_specialization_constant<factor_id>() == 2);
          cgh.use_kernel_bundle(built);
          const char *const sentence = "the command group uses a kernel bundle";
          CHECK_THROWS(sycl::exception, errc::invalid, sentence,
                       cgh.set_specialization_constant<factor_id>(1));
          CHECK_THROWS(sycl::exception, errc::invalid, sentence,
                       cgh.get_specialization_constant<factor_id>());
        }) == 23);
}

CASE("use_kernel_bundle after a constant was set is an error, and changes nothing") {
  sycl::queue q = check::queue();
  const executable built = of_kernel<Scale, bundle_state::executable>(q);
  CHECK(run_scale(q, [&](sycl::handler &cgh) {
          cgh.set_specialization_constant<factor_id>(7);
          CHECK_THROWS(sycl::exception, errc::invalid, "was set in a command group",
                       cgh.use_kernel_bundle(built));
          CHECK(cgh.get_specialization_constant<factor_id>() == 7);
        }) == 73);
}

CASE("use_kernel_bundle with a bundle of another context is an error") {
  sycl::queue q = check::queue();
  const executable other = of_kernel<Scale, bundle_state::executable>(check::queue());
  CHECK(run_scale(q, [&](sycl::handler &cgh) {
          CHECK_THROWS(sycl::exception, errc::invalid, "another context than the queue",
                       cgh.use_kernel_bundle(other));
        }) == 23);
}

CASE("of two bundles of a command group the last one counts") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  in.set_specialization_constant<factor_id>(5);
  const executable first = sycl::build(in);
  in.set_specialization_constant<factor_id>(6);
  const executable last = sycl::build(in);
  CHECK(run_scale(q, [&](sycl::handler &cgh) {
          cgh.use_kernel_bundle(first);
          cgh.use_kernel_bundle(last);
        }) == 63);
}

CASE("a kernel that the bundle does not have is an error when it is given") {
  sycl::queue q = check::queue();
  const executable built = of_kernel<OtherScale, bundle_state::executable>(q);
  CHECK(run_other_scale(q, with(built)) == 200);
  if (check::host())
    CHECK(run_scale(q, with(built)) == 23); /* the host device runs the function object */
  else
    CHECK_THROWS(sycl::exception, errc::kernel_not_supported, "of the command group has no kernel",
                 run_scale(q, with(built)));
}

/* ---- Kernels ---- */

CASE("a kernel of a bundle knows it, and is launched with its values") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  in.set_specialization_constant<factor_id>(9);
  const executable built = sycl::build(in);
  const sycl::kernel scale = built.get_kernel<Scale>();
  CHECK(scale == built.get_kernel(sycl::get_kernel_id<Scale>()));
  CHECK(scale != built.get_kernel<Plain>());
  CHECK(run_plain(q, with(built)) == 77);
  CHECK(scale.get_context() == q.get_context());
  CHECK(scale.get_backend() == built.get_backend());
  CHECK(scale.get_kernel_bundle() == built);
  CHECK(scale.get_kernel_bundle().get_specialization_constant<factor_id>() == 9);
  int result = -1;
  {
    sycl::buffer<int, 1> out(&result, sycl::range<1>(1));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      cgh.single_task<class ByObject>(
          built.get_kernel<class ByObject>(),
          [=](sycl::kernel_handler h) { there[0] = h.get_specialization_constant<factor_id>(); });
    });
  }
  CHECK(result == 9);
  CHECK_THROWS(sycl::experimental::spec_const_error, errc::build,
               "5Scale, whose program or kernel bundle was built before",
               q.submit([&](sycl::handler &cgh) {
                 cgh.set_specialization_constant<factor_id>(8);
                 cgh.single_task<class WithValue>(scale, [=] {});
               }));
  if (!check::host())
    CHECK_THROWS(sycl::exception, errc::invalid, "the bundle has no kernel",
                 built.get_kernel<OtherScale>());
}

/* ---- Joining, compiling, linking, building ---- */

CASE("join gives the images of all bundles, each once, and their values") {
  sycl::queue q = check::queue();
  input scale = scale_input(q);
  input other = of_kernel<OtherScale, bundle_state::input>(q);
  scale.set_specialization_constant<offset_id>(4);
  other.set_specialization_constant<factor_id>(5);
  const input joined = sycl::join(std::vector{scale, other, scale});
  CHECK(joined.get_context() == q.get_context() && joined.get_devices() == scale.get_devices());
  CHECK(std::distance(joined.begin(), joined.end()) ==
        std::distance(scale.begin(), scale.end()) + std::distance(other.begin(), other.end()));
  CHECK(joined.has_kernel<Scale>() && joined.has_kernel<OtherScale>());
  CHECK(joined.get_specialization_constant<offset_id>() == 4);
  CHECK(joined.get_specialization_constant<factor_id>() == 5);
  const executable built = sycl::build(joined);
  CHECK(run_scale(q, with(built)) == 54);
  CHECK(run_other_scale(q, with(built)) == 500);
  const executable defaults = of_kernel<Scale, bundle_state::executable>(q);
  CHECK(sycl::join(std::vector{defaults, of_kernel<Scale, bundle_state::executable>(q)}) ==
        defaults);
  if (!check::host())
    CHECK(run_scale(q, with(sycl::join(std::vector{defaults, built}))) == 23);
}

CASE("bundles of different contexts cannot be joined or linked, nor can none") {
  sycl::queue q = check::queue();
  sycl::queue p = check::queue();
  CHECK_THROWS(sycl::exception, errc::invalid, "of the same context and the same devices",
               sycl::join(std::vector{scale_input(q), scale_input(p)}));
  CHECK_THROWS(sycl::exception, errc::invalid, "no bundle to join",
               sycl::join(std::vector<input>()));
  const object here = of_kernel<Scale, bundle_state::object>(q);
  CHECK_THROWS(
      sycl::exception, errc::invalid, "of one context",
      sycl::link(std::vector{here, of_kernel<Scale, bundle_state::object>(p)}, {q.get_device()}));
  CHECK_THROWS(sycl::exception, errc::invalid, "no bundle to link",
               sycl::link(std::vector<object>(), {q.get_device()}));
}

CASE("bundles are compiled, linked and built for their own devices") {
  sycl::queue q = check::queue();
  const input in = scale_input(q);
  const object compiled = sycl::compile(in, {q.get_device(), q.get_device()});
  CHECK(compiled.get_devices().size() == 1 && compiled.get_context() == q.get_context());
  const std::vector<sycl::device> none;
  const char *const sentence = "there is no device to compile, link or build for";
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, sycl::compile(in, none));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, sycl::build(in, none));
  CHECK_THROWS(sycl::exception, errc::invalid, sentence, sycl::link(compiled, none));
  if (!check::host()) {
    const std::vector<sycl::device> foreign = {foreign_device()};
    const char *const other = "is not one of the bundle's";
    CHECK_THROWS(sycl::exception, errc::invalid, other, sycl::compile(in, foreign));
    CHECK_THROWS(sycl::exception, errc::invalid, other, sycl::build(in, foreign));
    CHECK_THROWS(sycl::exception, errc::invalid, other, sycl::link(std::vector{compiled}, foreign));
  }
}

CASE("objects of two units are linked, and their kernels keep their values") {
  sycl::queue q = check::queue();
  input scale = scale_input(q);
  input other = of_kernel<OtherScale, bundle_state::input>(q);
  scale.set_specialization_constant<factor_id>(3);
  other.set_specialization_constant<factor_id>(4);
  const executable linked = sycl::link(std::vector{sycl::compile(scale), sycl::compile(other)});
  CHECK(linked.has_kernel<Scale>() && linked.has_kernel<OtherScale>());
  /* If both bundles have a value, the query returns that of the first. */
  CHECK(linked.get_specialization_constant<factor_id>() == 3);
  CHECK(run_scale(q, with(linked)) == 33);
  if (!check::host())
    CHECK(run_other_scale(q, with(linked)) == 400);
}

CASE("a kernel that calls a function of another unit is linked with it") {
  sycl::queue q = check::queue();
  const executable all = sycl::get_kernel_bundle<bundle_state::executable>(q.get_context());
  CHECK(run_caller(q, with(all)) == 42);
  CHECK(run_caller(q, with(of_kernel<Caller, bundle_state::executable>(q))) == 42);
  const auto caller = of_kernel<Caller, bundle_state::object>(q);
  const auto other = of_kernel<OtherScale, bundle_state::object>(q);
  CHECK(run_caller(q, with(sycl::link(std::vector{caller, other}))) == 42);
  CHECK(run_caller(q, with(sycl::build(sycl::join(
                          std::vector{of_kernel<Caller, bundle_state::input>(q),
                                      of_kernel<OtherScale, bundle_state::input>(q)})))) == 42);
}

CASE("what cannot be linked is errc::build") {
  sycl::queue q = check::queue();
  if (check::host())
    SKIP("the host device builds nothing");
  const input caller = of_kernel<Caller, bundle_state::input>(q);
  CHECK_THROWS(sycl::exception, errc::build, "twice", sycl::link(sycl::compile(caller)));
}

/* ---- Equality ---- */

CASE("bundles are equal with the same context, devices and images") {
  sycl::queue q = check::queue();
  sycl::queue p = check::queue();
  const input first = scale_input(q);
  const input same = scale_input(q);
  CHECK(first == same && std::hash<input>()(first) == std::hash<input>()(same));
  CHECK(first != scale_input(p));
  CHECK((first == of_kernel<OtherScale, bundle_state::input>(q)) == check::host());
  const auto one = of_kernel<Scale, bundle_state::executable>(q);
  CHECK((one == of_kernel<Scale, bundle_state::executable>(q)));
  CHECK((one == sycl::build(first)) == check::host());
}

/* ---- Several devices ---- */

CASE("a bundle of several devices has images for each, which can be built for some") {
  const std::vector<sycl::device> devices = same_backend();
  if (devices.size() < 2)
    SKIP("the backend has one device here");
  const sycl::context in(devices);
  input all = sycl::get_kernel_bundle<Scale, bundle_state::input>(in);
  CHECK(all.get_devices() == devices);
  all.set_specialization_constant<factor_id>(7);
  for (const sycl::device &d : devices)
    CHECK(all.has_kernel<Scale>(d));
  const executable both = sycl::build(all);
  const executable last = sycl::build(all, {devices.back()});
  CHECK(last.get_devices() == std::vector{devices.back()});
  CHECK(last.has_kernel<Scale>(devices.back()) && !last.has_kernel<Scale>(devices.front()));
  for (const sycl::device &d : devices) {
    sycl::queue q(in, d);
    CHECK(run_scale(q, with(both)) == 73);
  }
  sycl::queue q(in, devices.back());
  CHECK(run_scale(q, with(last)) == 73);
  sycl::queue p(in, devices.front());
  CHECK_THROWS(sycl::exception, errc::kernel_not_supported, "of the command group has no kernel",
               run_scale(p, with(last)));
  const input one = sycl::get_kernel_bundle<Scale, bundle_state::input>(in, {devices.front()});
  CHECK(one != all);
  CHECK_THROWS(sycl::exception, errc::invalid, "the same devices",
               sycl::join(std::vector{one, all}));
  /* Objects are linked for the devices that they have in common. */
  const object some = sycl::compile(all, {devices.front()});
  CHECK(sycl::link(std::vector{sycl::compile(all), some}).get_devices() ==
        std::vector{devices.front()});
}

CASE("a bundle can be of a part of a device in the context") {
  sycl::queue q = check::queue();
  std::size_t count = 0;
  specpi_device parts[16];
  if (specpiDevicesGet("*:*.*", 16, parts, &count) != SPECPI_SUCCESS)
    count = 0;
  for (std::size_t i = 0; i < count && i < 16; i++) {
    const sycl::device part(parts[i]);
    if (check::host() || specpiDeviceGetParent(parts[i]) != q.get_device().handle())
      continue;
    const executable built =
        sycl::get_kernel_bundle<Scale, bundle_state::executable>(q.get_context(), {part});
    CHECK(built.get_devices() == std::vector{part});
    CHECK(built.has_kernel<Scale>(part) && !built.has_kernel<Scale>(q.get_device()));
    return;
  }
  SKIP("the device has no parts");
}

/* ---- Threads ---- */

CASE("threads set, build and run one bundle") {
  sycl::queue q = check::queue();
  input in = scale_input(q);
  std::array<bool, 4> good{};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < good.size(); i++)
    threads.emplace_back([&, i] {
      in.set_specialization_constant<factor_id>(static_cast<int>(i % 2));
      const executable built = sycl::build(in);
      const int factor = built.get_specialization_constant<factor_id>();
      good[i] = factor < 2 && run_scale(q, with(built)) == factor * 10 + 3;
    });
  for (std::thread &t : threads)
    t.join();
  CHECK(std::all_of(good.begin(), good.end(), [](bool b) { return b; }));
}

CHECK_MAIN
