// Kernels that call functions and read constants of other units, in a static and in a shared
// library: in plain launches and in kernel bundles.
#include "linked.hpp"

#include "../support/scratch.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

using sycl::bundle_state;
using sycl::errc;
using input = sycl::kernel_bundle<bundle_state::input>;
using executable = sycl::kernel_bundle<bundle_state::executable>;

class Reads;
class Calls;
class Both;

namespace {

void nothing(sycl::handler &) {}

int read(sycl::queue q, const preparation &prepare) {
  return run_kernel<Reads>(q, prepare, [](sycl::kernel_handler h) {
    const pair there = h.get_specialization_constant<both>();
    return h.get_specialization_constant<far>() + 100 * int(there.first == 'b') +
           int(there.second * 1000) + 10000 * h.get_specialization_constant<box::open>();
  });
}

int call(sycl::queue q, const preparation &prepare) {
  return run_kernel<Calls>(q, prepare,
                           [](sycl::kernel_handler h) { return scaled_and_moved(10, h); });
}

auto with(const executable &bundle) {
  return [&](sycl::handler &cgh) { cgh.use_kernel_bundle(bundle); };
}

template <class Name, bundle_state State> sycl::kernel_bundle<State> bundle_of(sycl::queue q) {
  return sycl::get_kernel_bundle<Name, State>(q.get_context());
}

specpi_cache_statistics statistics() {
  specpi_cache_statistics now;
  CHECK(specpiCacheGetStatistics(&now) == SPECPI_SUCCESS);
  return now;
}

} // namespace

CASE("a constant that another unit defines has its default there, and can be set") {
  sycl::queue q = check::queue();
  CHECK(read(q, nothing) == 10605);
  CHECK(read(q, [](sycl::handler &cgh) {
          cgh.set_specialization_constant<far>(7);
          CHECK(cgh.get_specialization_constant<far>() == 7);
          CHECK(cgh.get_specialization_constant<both>().second == 0.5);
        }) == 10607);
  CHECK(read(q, [](sycl::handler &cgh) {
          cgh.set_specialization_constant<both>(pair{'x', 0.25});
          cgh.set_specialization_constant<box::open>(false);
        }) == 255);
  CHECK(read(q, nothing) == 10605);
}

CASE("a plain launch finds functions of other units, and what these call") {
  sycl::queue q = check::queue();
  CHECK(call(q, nothing) == 1100);
  CHECK(call(q, [](sycl::handler &cgh) { cgh.set_specialization_constant<far>(7); }) == 1140);
  CHECK(call(q, [](sycl::handler &cgh) {
          cgh.set_specialization_constant<gain>(3);
          cgh.set_specialization_constant<distance>(1);
        }) == 151);
  CHECK(call(q, nothing) == 1100);
}

CASE("a launch of many items calls functions of other units") {
  sycl::queue q = check::queue();
  int results[8] = {};
  {
    sycl::buffer<int, 1> out(results, sycl::range<1>(8));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor there{out, cgh, sycl::write_only};
      cgh.set_specialization_constant<far>(1);
      cgh.parallel_for<Both>(sycl::range<1>(8), [=](sycl::id<1> i, sycl::kernel_handler h) {
        there[i] = scaled(int(i[0]), h) + h.get_specialization_constant<far>();
      });
    });
  }
  for (int i = 0; i < 8; i++)
    CHECK(results[i] == 2 * i + 1);
}

CASE("a kernel bundle of a kernel alone is linked with what it needs") {
  sycl::queue q = check::queue();
  CHECK(call(q, with(bundle_of<Calls, bundle_state::executable>(q))) == 1100);
  input in = bundle_of<Calls, bundle_state::input>(q);
  in.set_specialization_constant<far>(1);
  in.set_specialization_constant<gain>(4);
  CHECK(in.get_specialization_constant<gain>() == 4);
  CHECK(in.has_specialization_constant<distance>() == !check::host());
  const executable built = sycl::build(in);
  CHECK(built.get_specialization_constant<far>() == 1);
  CHECK(built.get_specialization_constant<distance>() == 1000);
  CHECK(call(q, with(built)) == 1040);
  in.set_specialization_constant<far>(2);
  CHECK(call(q, with(sycl::build(in))) == 1080);
  CHECK(call(q, with(built)) == 1040);
  CHECK(read(q, with(sycl::build(bundle_of<Reads, bundle_state::input>(q)))) == 10605);
}

CASE("a module of a unit is built with what it needs") {
  sycl::queue q = check::queue();
  using sycl::module_state;
  auto mine = sycl::this_module::get<module_state::input>(q.get_context());
  CHECK(sycl::this_module::has_module_in<module_state::executable>(q.get_context()) !=
        check::host());
  if (check::host())
    SKIP("modules of the host device are empty");
  const auto built = sycl::build(mine);
  CHECK(call(q, [&](sycl::handler &cgh) { cgh.use_module(built); }) == 1100);
}

CASE("constants in a buffer, in another unit, and in a function of it, have the same value") {
  sycl::queue q = check::queue();
  CHECK(run_emulated(q, nothing) == 100305);
  CHECK(run_emulated(q, [](sycl::handler &cgh) {
          cgh.set_specialization_constant<far>(6);
          cgh.set_specialization_constant<own>(9);
        }) == 120906);
  CHECK(run_emulated(q, [](sycl::handler &cgh) { cgh.set_specialization_constant<gain>(1); }) ==
        50305);
}

CASE("a function that is nowhere is named, with who calls it and where") {
  sycl::queue q = check::queue();
  if (check::host()) {
    CHECK(run_nowhere(q) == 12);
    return;
  }
  CHECK_THROWS(sycl::kernel_not_found, errc::build,
               "defines function 'nowhere(int)', which kernel 'Nowhere' calls (", run_nowhere(q));
  CHECK_THROWS(sycl::exception, errc::build, "linked_nowhere.cpp:13), in '", run_nowhere(q));
  CHECK_THROWS(sycl::exception, errc::build, "'nowhere(int)', which kernel 'Nowhere' calls (",
               (bundle_of<Nowhere, bundle_state::executable>(q)));
  const input alone = bundle_of<Nowhere, bundle_state::input>(q);
  CHECK(!alone.contains_specialization_constants() && !alone.native_specialization_constant());
  CHECK_THROWS(sycl::exception, errc::build, "none of the images that are linked for ",
               sycl::link(sycl::compile(alone)));
  /* The other kernels still run. */
  CHECK(call(q, nothing) == 1100);
}

CASE("a linked program is built once for the values of all of its images") {
  if (check::host())
    SKIP("the host device builds nothing");
  char directory[] = "/tmp/specpi-linked-XXXXXX";
  CHECK(mkdtemp(directory));
  CHECK(specpiCacheSetDirectory(directory) == SPECPI_SUCCESS);
  CHECK(specpiCacheClear() == SPECPI_SUCCESS);
  const auto gain_of = [](int value) {
    return call(check::queue(),
                [=](sycl::handler &cgh) { cgh.set_specialization_constant<gain>(value); });
  };
  const auto before = statistics();
  CHECK(gain_of(11) == 1550);
  CHECK(gain_of(11) == 1550);
  CHECK(statistics().builds == before.builds + 1);
  CHECK(gain_of(12) == 1600);
  CHECK(statistics().builds == before.builds + 2);
  CHECK(specpiCacheClear() == SPECPI_SUCCESS);
  CHECK(gain_of(11) == 1550);
  CHECK(gain_of(12) == 1600);
  const auto after = statistics();
  const bool reads = after.disk_hits == before.disk_hits + 2;
  CHECK(reads && after.builds == before.builds + 2);
  CHECK(specpiCacheClearDirectory() == SPECPI_SUCCESS);
  CHECK(specpiCacheSetDirectory(nullptr) == SPECPI_SUCCESS);
  CHECK(scratch_remove(directory) == 0);
}

CHECK_MAIN
