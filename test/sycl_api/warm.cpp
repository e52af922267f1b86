/*
 * Launches after the first one of their kind allocate nothing. Each case submits many command
 * groups of one kind and counts, on the submitting thread, the allocations of this program (with
 * all of include/sycl), of libspecpi and of the plugin.
 */
#include "allocations.hpp"
#include "check.hpp"

#include <sycl/opencl.hpp>

#include <array>
#include <memory>

class Single;
class Eight;
class Eight3;
class Offset;
class Local;
class Many;
class Of2020;
class Placeholders;
class Twice;
class Ordered;
class Reader;
class Shared;
class OfBundle;
class OfModule;
class OfProgram;

using bytes64 = std::array<float, 16>;
sycl::spec_id<int> first(1);
sycl::spec_id<int> second(2);
sycl::spec_id<bytes64> large;

namespace {

using sycl::bundle_state;
using sycl::module_state;
using value = sycl::specialization_id<bytes64>;
constexpr value v0{bytes64{{1}}};
constexpr value v1{bytes64{{2}}};
constexpr value v2{bytes64{{3}}};
constexpr value v3{bytes64{{4}}};
constexpr value v4{bytes64{{5}}};
constexpr value v5{bytes64{{6}}};
constexpr value v6{bytes64{{7}}};
constexpr value v7{bytes64{{8}}};
constexpr sycl::specialization_id<int> alternating{0};

/* More launches than a queue holds before it checks which commands have ended. */
constexpr int launches = 150;

/* Calls launch(i), which submits to q, count times; waits after every third call. */
template <class Launch> void give(sycl::queue &q, const Launch &launch, int count) {
  for (int i = 0; i < count; i++) {
    launch(i);
    if (i % 3 == 2)
      q.wait();
  }
}

/*
 * Returns whether launches allocate nothing, after `before` launches of the same kind. libspecpi
 * and the plugins keep events for reuse, so their allocations count only after enough launches. The
 * program's allocations count from the start.
 */
template <class Launch>
bool allocates_nothing(sycl::queue &q, const Launch &launch, int before = 1) {
  give(q, launch, before);
  q.wait();
  {
    const allocations::counting now;
    give(q, launch, 12);
    if (allocations::by_program) {
      now.print();
      return false;
    }
  }
  const allocations::counting now;
  give(q, launch, launches);
  q.wait();
  if (allocations::by_program || allocations::below) {
    now.print();
    return false;
  }
  return true;
}

/* A number in shared memory. */
class number {
public:
  explicit number(sycl::queue &q) : queue_(q), there_(sycl::malloc_shared<int>(1, q)) {
    *there_ = 0;
  }
  number(const number &) = delete;
  number &operator=(const number &) = delete;
  ~number() {
    sycl::free(there_, queue_);
  }
  int *get() const {
    return there_;
  }
  int operator*() const {
    return *there_;
  }

private:
  sycl::queue &queue_;
  int *there_;
};

} // namespace

CASE("allocations by new, the C library and libspecpi are counted") {
  sycl::queue q = check::queue();
  const auto counted = [](const auto &f) {
    const allocations::counting now;
    f();
    return allocations::by_program;
  };
  CHECK(counted([] {}) == 0);
  CHECK(counted([] { std::make_unique<int>(1); }) == 1);
  CHECK(counted([] { std::string(100, 'x'); }) == 1);
  CHECK(counted([] { std::free(std::malloc(1)); }) == 1);
  CHECK(counted([] { std::free(strdup("x")); }) == 1);
  CHECK(allocations::below == 0);
  if (check::host())
    return;
  CHECK(counted([&] {
          specpi_queue made = nullptr;
          sycl::detail::check(specpiQueueCreate(q.get_device().handle(), 0, &made));
          specpiQueueRelease(made);
        }) == 0);
  CHECK(allocations::below > 1);
}

CASE("a single_task allocates nothing") {
  sycl::queue q = check::queue();
  const number sum(q);
  int *const to = sum.get();
  CHECK(allocates_nothing(q, [&](int i) {
    q.submit([&](sycl::handler &cgh) { cgh.single_task<Single>([=] { *to += i; }); });
  }));
  CHECK(*sum == 11 * 12 / 2 + (launches - 1) * launches / 2);
}

CASE("a range with eight accessors, some of one buffer, allocates nothing") {
  sycl::queue q = check::queue();
  std::array<int, 4> data{};
  {
    std::vector<sycl::buffer<int>> of;
    for (int i = 0; i < 6; i++)
      of.emplace_back(sycl::range<1>(4));
    of.emplace_back(data.data(), sycl::range<1>(4));
    sycl::buffer<int> part(of[0], sycl::id<1>(1), sycl::range<1>(2));
    CHECK(allocates_nothing(q, [&](int i) {
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor a{of[0], cgh};
        sycl::accessor b{of[1], cgh, sycl::write_only, sycl::no_init};
        sycl::accessor c{of[2], cgh, sycl::write_only, sycl::property_list{sycl::no_init}};
        sycl::accessor d{of[3], cgh, sycl::range<1>(2), sycl::id<1>(1)};
        sycl::accessor e{of[4], cgh};
        sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device,
                       sycl::access::placeholder::true_t>
            f{of[5]};
        cgh.require(f);
        auto g = of[6].get_access<sycl::access_mode::read_write>(cgh);
        sycl::accessor h{part, cgh, sycl::read_only};
        cgh.parallel_for<Eight>(sycl::range<1>(1), [=](sycl::id<1> at) {
          a[at + 1] = 5;
          b[at] = i;
          c[at] = 2;
          d[at] = 3;
          e[at] = 4;
          f[at] = 6;
          g[at] = b[at] + c[at] + d[at] + e[at] + f[at] + h[at];
        });
      });
    }));
  }
  CHECK(data[0] == launches - 1 + 20);
}

CASE("a range of three dimensions with an offset and eight accessors allocates nothing") {
  sycl::queue q = check::queue();
  std::vector<sycl::buffer<int, 3>> of;
  for (int i = 0; i < 8; i++)
    of.emplace_back(sycl::range<3>(2, 3, 4));
  const auto submit = [&](int i) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a{of[0], cgh};
      sycl::accessor b{of[1], cgh};
      sycl::accessor c{of[2], cgh};
      sycl::accessor d{of[3], cgh};
      sycl::accessor e{of[4], cgh};
      sycl::accessor f{of[5], cgh};
      sycl::accessor g{of[6], cgh};
      sycl::accessor h{of[7], cgh};
      cgh.parallel_for<Eight3>(sycl::range<3>(1, 1, 1), sycl::id<3>(1, 2, 3),
                               [=](sycl::item<3> item) {
                                 const auto at = item.get_id();
                                 a[at] = b[at] = c[at] = d[at] = i;
                                 e[at] = f[at] = g[at] = 1;
                                 h[at] = a[at] + e[at];
                               });
    });
  };
  CHECK(allocates_nothing(q, submit));
  CHECK(sycl::host_accessor(of[7])[1][2][3] == launches);
}

CASE("an nd_range with local memory allocates nothing") {
  sycl::queue q = check::queue();
  sycl::buffer<int> out{sycl::range<1>(8)};
  CHECK(allocates_nothing(q, [&](int i) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh, sycl::write_only};
      sycl::local_accessor<int> mine(sycl::range<1>(4), cgh);
      sycl::local_accessor<double, 2> other(sycl::range<2>(2, 2), cgh);
      cgh.parallel_for<Local>(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> item) {
        const std::size_t at = item.get_local_id(0);
        mine[at] = i;
        other[at / 2][at % 2] = 1.0;
        to[item.get_global_id(0)] = mine[at] + static_cast<int>(other[at / 2][at % 2]);
      });
    });
  }));
  CHECK(sycl::host_accessor(out)[7] == launches);
}

CASE("setting and getting eight constants of 64 bytes allocates nothing") {
  sycl::queue q = check::queue();
  sycl::buffer<float> out{sycl::range<1>(2)};
  CHECK(allocates_nothing(q, [&](int) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh, sycl::write_only};
      cgh.set_specialization_constant<v0>(bytes64{{10}});
      cgh.set_specialization_constant<v1>(bytes64{{20}});
      cgh.set_specialization_constant<v2>(bytes64{{30}});
      cgh.set_specialization_constant<v3>(bytes64{{40}});
      cgh.set_specialization_constant<v4>(bytes64{{50}});
      cgh.set_specialization_constant<v5>(bytes64{{60}});
      cgh.set_specialization_constant<v6>(bytes64{{70}});
      bytes64 last = cgh.get_specialization_constant<v7>();
      last[15] = cgh.get_specialization_constant<v6>()[0];
      cgh.set_specialization_constant<v7>(last);
      cgh.single_task<Of2020>([=](sycl::kernel_handler h) {
        to[0] = h.get_specialization_constant<v0>()[0] + h.get_specialization_constant<v1>()[0] +
                h.get_specialization_constant<v2>()[0] + h.get_specialization_constant<v3>()[0] +
                h.get_specialization_constant<v4>()[0] + h.get_specialization_constant<v5>()[0] +
                h.get_specialization_constant<v6>()[0];
        to[1] = h.get_specialization_constant<v7>()[0] + h.get_specialization_constant<v7>()[15];
      });
    });
  }));
  const sycl::host_accessor got(out);
  CHECK(got[0] == 280 && got[1] == 78);
}

CASE("a constant with two values in turns allocates nothing") {
  sycl::queue q = check::queue();
  sycl::buffer<int> out{sycl::range<1>(1)};
  CHECK(allocates_nothing(
      q,
      [&](int i) {
        q.submit([&](sycl::handler &cgh) {
          sycl::accessor to{out, cgh, sycl::write_only};
          cgh.set_specialization_constant<alternating>(i % 2);
          cgh.single_task<Twice>([=](sycl::kernel_handler h) {
            to[0] = h.get_specialization_constant<alternating>();
          });
        });
      },
      2));
  CHECK(sycl::host_accessor(out)[0] == 1);
}

CASE("setting and getting placeholders allocates nothing") {
  sycl::queue q = check::queue();
  sycl::buffer<int> out{sycl::range<1>(2)};
  CHECK(allocates_nothing(q, [&](int) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh, sycl::write_only};
      const auto one = cgh.set_spec_constant<int, first>(31);
      const auto two = cgh.get_spec_constant<second>();
      const auto three = cgh.set_spec_constant<large>(bytes64{{7}});
      cgh.single_task<Placeholders>([=] {
        to[0] = one.get() + two.get();
        to[1] = static_cast<int>(three.get()[0]);
      });
    });
  }));
  const sycl::host_accessor got(out);
  CHECK(got[0] == 33 && got[1] == 7);
}

CASE("depending on four events, and copying them, allocates nothing") {
  sycl::queue q = check::queue();
  sycl::queue other(q.get_context(), q.get_device());
  const number sum(q);
  int *const to = sum.get();
  const auto add = [&](sycl::queue &on, const std::vector<sycl::event> &after) {
    return on.submit([&](sycl::handler &cgh) {
      cgh.depends_on(after);
      cgh.single_task<Ordered>([=] { ++*to; });
    });
  };
  const std::vector<sycl::event> none;
  std::vector<sycl::event> before(4);
  CHECK(allocates_nothing(q, [&](int) {
    for (std::size_t i = 0; i < 4; i++)
      before[i] = add(i % 2 ? other : q, none);
    const sycl::event last = add(q, before);
    sycl::event copy = last;
    CHECK(copy == last);
    copy.wait();
    copy.wait_and_throw();
    CHECK(last.get_info<sycl::info::event::command_execution_status>() ==
          sycl::info::event_command_status::complete);
    other.wait();
  }));
}

CASE("a queue that nobody waits for forgets what has ended") {
  sycl::queue q = check::queue();
  const number sum(q);
  int *const to = sum.get();
  const auto launch = [&](int) {
    q.submit([&](sycl::handler &cgh) { cgh.single_task<Many>([=] { ++*to; }); }).wait();
  };
  /* libspecpi creates events until it has as many as the queue keeps. */
  for (int i = 0; i < launches; i++)
    launch(i);
  {
    const allocations::counting now;
    for (int i = 0; i < 4 * launches; i++)
      launch(i);
  }
  CHECK(allocations::by_program == 0 && allocations::below == 0);
  CHECK(*sum == 5 * launches);
}

CASE("a buffer that is only read, or that two queues use, allocates nothing") {
  sycl::queue q = check::queue();
  sycl::queue other(q.get_context(), q.get_device());
  int data[2] = {3, 4};
  sycl::buffer<int> in(const_cast<const int *>(data), sycl::range<1>(2));
  sycl::buffer<int> both{sycl::range<1>(1)};
  const auto read = [&](int) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor from{in, cgh, sycl::read_only};
      sycl::accessor to{both, cgh, sycl::write_only};
      cgh.single_task<Reader>([=] { to[0] = from[0] + from[1]; });
    });
    other.submit([&](sycl::handler &cgh) {
      sycl::accessor from{in, cgh, sycl::read_only};
      sycl::accessor to{both, cgh};
      cgh.single_task<Shared>([=] { to[0] += from[0]; });
    });
    other.wait();
  };
  CHECK(allocates_nothing(q, read));
  CHECK(sycl::host_accessor(both)[0] == 10);
}

CASE("a launch from a kernel bundle allocates nothing") {
  sycl::queue q = check::queue();
  auto input = sycl::get_kernel_bundle<OfBundle, bundle_state::input>(q.get_context());
  input.set_specialization_constant<alternating>(5);
  const auto bundle = sycl::build(input);
  const auto kernel = bundle.get_kernel<OfBundle>();
  sycl::buffer<int> out{sycl::range<1>(1)};
  const auto submit = [&](int i) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh};
      const auto f = [=](sycl::kernel_handler h) {
        to[0] = to[0] * (i != 0) + h.get_specialization_constant<alternating>();
      };
      cgh.use_kernel_bundle(bundle);
      if (i % 2)
        cgh.single_task<OfBundle>(kernel, f);
      else
        cgh.single_task<OfBundle>(f);
    });
  };
  CHECK(allocates_nothing(q, submit, 2));
  CHECK(sycl::host_accessor(out)[0] == 5 * launches);
}

CASE("a launch from a module, with a selector and with constants, allocates nothing") {
  sycl::queue q = check::queue();
  auto input = sycl::this_module::get<module_state::input>(q.get_context());
  input.set_spec_constant<first>(6);
  input.set_spec_constant<second>(7);
  const auto built = sycl::build(input);
  const auto any = [](auto begin, auto) { return *begin; };
  sycl::buffer<int> out{sycl::range<1>(1)};
  const auto submit = [&](int i) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh};
      if (i % 2)
        cgh.use_module(built, any);
      else
        cgh.use_module(built);
      const auto one = cgh.set_spec_constant<first>(6);
      const auto two = built.get_spec_constant<second>(cgh);
      cgh.single_task<OfModule>([=] { to[0] = to[0] * (i != 0) + one.get() * two.get(); });
    });
  };
  CHECK(allocates_nothing(q, submit, 2));
  CHECK(sycl::host_accessor(out)[0] == 42 * launches);
}

CASE("a launch of a program's kernel allocates nothing") {
  sycl::queue q = check::queue();
  sycl::program program(q.get_context());
  program.set_spec_constant<int, first>(9);
  program.build_with_kernel_type<OfProgram>();
  const sycl::kernel kernel = program.get_kernel<OfProgram>();
  sycl::spec_constant<int, first> placeholder;
  sycl::buffer<int> out{sycl::range<1>(4)};
  CHECK(allocates_nothing(q, [&](int) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor to{out, cgh, sycl::write_only, sycl::no_init};
      cgh.parallel_for<OfProgram>(kernel, sycl::range<1>(4),
                                  [=](sycl::id<1> i) { to[i] = placeholder.get(); });
    });
  }));
  CHECK(sycl::host_accessor(out)[3] == 9);
}

CASE("setting sixteen arguments one by one allocates nothing") {
  if (check::host() || check::device().get_backend() != sycl::backend::opencl)
    SKIP("kernels from OpenCL's C are for the OpenCL backend");
  sycl::queue q = check::queue();
  const auto built = sycl::build(sycl::opencl::create_with_source(
      q.get_context(),
      "kernel void sixteen(global int *a, global int *b, local int *c, int d, int e, int f,\n"
      "                    int g, int h, int i, int j, int k, int l, int m, int n, int o,\n"
      "                    double16 p) {\n"
      "  c[0] = b[0];\n"
      "  a[0] = c[0] + d + e + f + g + h + i + j + k + l + m + n + o + (int)(p.s0 + p.sf);\n"
      "}\n"));
  const sycl::kernel kernel = built.get_kernel("sixteen");
  sycl::buffer<int, 3> out{sycl::range<3>(1, 1, 1)};
  const number in(q);
  q.fill(in.get(), 1000, 1).wait();
  sycl::vec<double, 16> wide(2.0);
  CHECK(allocates_nothing(q, [&](int launch) {
    q.submit([&](sycl::handler &cgh) {
      cgh.set_args(sycl::accessor{out, cgh, sycl::write_only}, in.get(),
                   sycl::local_accessor<int>(sycl::range<1>(4), cgh), launch, 1, 1, 1, 1, 1, 1, 1,
                   1, 1, 1, 1, wide);
      cgh.single_task(kernel);
    });
  }));
  CHECK(sycl::host_accessor(out)[0][0][0] == 1000 + launches - 1 + 11 + 4);
}

CASE("copying and filling memory allocates nothing") {
  sycl::queue q = check::queue();
  int *const from = sycl::malloc_shared<int>(16, q);
  int *const to = sycl::malloc_shared<int>(16, q);
  int host[4] = {};
  sycl::buffer<int> a{sycl::range<1>(16)};
  sycl::buffer<int> b{sycl::range<1>(16)};
  CHECK(allocates_nothing(q, [&](int i) {
    q.memset(from, 1, 16 * sizeof *from);
    q.fill(from + 1, i, 2);
    q.memcpy(to, from, 16 * sizeof *from);
    q.copy(to + 2, to + 4, 1);
    q.submit([&](sycl::handler &cgh) { cgh.fill(sycl::accessor{a, cgh}, i); });
    q.submit([&](sycl::handler &cgh) {
      cgh.copy(sycl::accessor{a, cgh, sycl::read_only}, sycl::accessor{b, cgh});
    });
    q.submit([&](sycl::handler &cgh) {
      cgh.copy(sycl::accessor{b, cgh, sycl::range<1>(4), sycl::read_only}, host);
    });
  }));
  CHECK(to[0] == 0x01010101 && to[1] == launches - 1 && to[4] == launches - 1 &&
        to[5] == 0x01010101 && host[3] == launches - 1);
  sycl::free(from, q);
  sycl::free(to, q);
}

CHECK_MAIN
