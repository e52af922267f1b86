// Commands: the forms of kernels, ranges, events, errors, on every device.
#include "check.hpp"

#include <memory>
#include <numeric>
#include <thread>

namespace {

constexpr std::size_t count = 64;
constexpr std::size_t groups = 3; /* for parallel_for_work_group */
constexpr std::size_t items = 8;
constexpr sycl::specialization_id<int> rounds(2);

/* Returns a kernel's output; fill(handler, accessor) launches the kernel. */
template <class Fill> std::vector<int> result_of(const Fill &fill, std::size_t size = count) {
  std::vector<int> out(size, -1);
  sycl::queue q = check::queue();
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(size));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor<int, 1, sycl::access::mode::read_write> sink(to, cgh);
      fill(cgh, sink);
    });
  }
  return out;
}
std::vector<int> iota(std::size_t size = count) {
  std::vector<int> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}
using sink_type = sycl::accessor<int, 1, sycl::access::mode::read_write>;

struct functor {
  sink_type sink;
  void operator()(sycl::id<1> at) const {
    sink[at] = static_cast<int>(at[0]);
  }
};
struct functor_with_handler {
  sink_type sink;
  void operator()(sycl::item<1> at, sycl::kernel_handler) const {
    sink[at.get_id()] = static_cast<int>(at.get_linear_id());
  }
};
template <int N> class numbered;
struct empty_task {
  void operator()() const {}
};

} // namespace

class of_incomplete_type;

CASE("a kernel takes an item, an id, an integer, or auto, and may take a handler") {
  const std::vector<int> wanted = iota();
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<of_incomplete_type>(
              sycl::range<1>(count), [=](sycl::item<1> i) { sink[i] = static_cast<int>(i[0]); });
        }) == wanted);
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<0>>(sycl::range<1>(count),
                                        [=](sycl::id<1> i) { sink[i] = static_cast<int>(i[0]); });
        }) == wanted);
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for(sycl::range<1>(count),
                           [=](std::size_t i) { sink[i] = static_cast<int>(i); });
        }) == wanted);
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for(sycl::range<1>(count),
                           [=](int i) { sink[static_cast<std::size_t>(i)] = i; });
        }) == wanted);
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for(sycl::range<1>(count),
                           [=](auto i) { sink[i] = static_cast<int>(i.get_id(0)); });
        }) == wanted);
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i, sycl::kernel_handler) {
            sink[i] = static_cast<int>(i[0]);
          });
        }) == wanted);
}

CASE("a function object is a kernel") {
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for(sycl::range<1>(count), functor{sink});
        }) == iota());
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<1>>(sycl::range<1>(count), functor_with_handler{sink});
        }) == iota());
  check::queue().single_task(empty_task()).wait();
}

CASE("a range is a number, or stands in braces") {
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<2>>(count, [=](sycl::id<1> i) { sink[i] = 1; });
        }) == std::vector<int>(count, 1));
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<3>>({count}, [=](sycl::id<1> i) { sink[i] = 2; });
        }) == std::vector<int>(count, 2));
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<4>>({8, 8}, [=](sycl::id<2> i) {
            sink[i[0] * 8 + i[1]] = static_cast<int>(i[0] * 8 + i[1]);
          });
        }) == iota());
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<5>>({4, 2, 8}, [=](sycl::item<3> i) {
            sink[i.get_linear_id()] = static_cast<int>((i[0] * 2 + i[1]) * 8 + i[2]);
          });
        }) == iota());
}

CASE("an offset is added to the ids") {
  CHECK(result_of([](sycl::handler &cgh, sink_type sink) {
          cgh.parallel_for<numbered<6>>(sycl::range<1>(8), sycl::id<1>(50), [=](sycl::item<1> i) {
            sink[i] = static_cast<int>(i.get_linear_id());
          });
        })[57] == 7);
}

CASE("nothing runs over an empty range") {
  sycl::queue q = check::queue();
  int *const none = nullptr;
  q.parallel_for<numbered<20>>(sycl::range<1>(0), [=](sycl::id<1>) { *none = 1; }).wait();
  q.parallel_for<numbered<21>>(sycl::range<2>(4, 0), [=](sycl::id<2>) { *none = 1; }).wait();
  q.parallel_for<numbered<22>>(sycl::nd_range<1>(0, 4), [=](sycl::nd_item<1>) {
     *none = 1;
   }).wait();
}

CASE("work-groups have barriers and local memory") {
  const std::vector<int> out = result_of([](sycl::handler &cgh, sink_type sink) {
    const sycl::local_accessor<char> odd(3, cgh);
    const sycl::local_accessor<int> mine(8, cgh);
    cgh.parallel_for<class reversed>(sycl::nd_range<1>(count, 8), [=](sycl::nd_item<1> i) {
      const std::size_t at = i.get_local_id(0);
      odd[at % 3] = 1;
      mine[at] = static_cast<int>(i.get_global_id(0));
      i.barrier(sycl::access::fence_space::local_space);
      const int other = mine[7 - at];
      i.barrier();
      mine[at] = other;
      i.barrier();
      sink[i.get_global_id()] = mine[at];
    });
  });
  for (std::size_t i = 0; i < count; i++)
    CHECK(out[i] == static_cast<int>(i / 8 * 8 + 7 - i % 8));
}

CASE("an nd_range that a device cannot take is an nd_range_error") {
  sycl::queue q = check::queue();
  const auto nothing = [](sycl::nd_item<1>) {};
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range, "3, does not divide the global size, 8",
               q.parallel_for<numbered<23>>(sycl::nd_range<1>(8, 3), nothing));
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range, "is 0",
               q.parallel_for<numbered<23>>(sycl::nd_range<1>(8, 0), nothing));
  const std::size_t much = std::size_t{1} << 20;
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range, "is more than the",
               q.parallel_for<numbered<23>>(sycl::nd_range<1>(much, much), nothing));
  const sycl::device d = q.get_device();
  const std::size_t most = d.get_info<sycl::info::device::max_work_group_size>();
  CHECK(most >= 1 && most < much);
  CHECK(d.get_info<sycl::info::device::max_work_item_sizes>()[2] >= 1);
}

/* Needs more registers than a GPU has for each work-item of its largest groups. */
CASE("the device's largest groups run with every kernel that can be built for them") {
  sycl::queue q = check::queue();
  constexpr unsigned many = 136;
  const std::size_t most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  std::vector<unsigned> out(most), in(many);
  std::iota(in.begin(), in.end(), 1U);
  unsigned sum = 0;
  for (unsigned i = many; i-- > 0;)
    sum = sum * 3 + in[i];
  bool runs = true;
  try {
    sycl::buffer<unsigned> from(in.data(), many), to(out.data(), most);
    q.submit([&](sycl::handler &cgh) {
      const sycl::accessor source(from, cgh, sycl::read_only);
      const sycl::accessor sink(to, cgh, sycl::write_only);
      cgh.parallel_for<class wide>(sycl::nd_range<1>(most, most), [=](sycl::nd_item<1> it) {
        const volatile unsigned *given = &source[0];
        unsigned values[many], all = 0;
        for (unsigned i = 0; i < many; i++)
          values[i] = given[i];
        for (unsigned i = 0; i < many; i++)
          all = all * 3 + values[many - 1 - i];
        sink[it.get_global_id(0)] = all + static_cast<unsigned>(it.get_global_id(0));
      });
    });
  } catch (const sycl::nd_range_error &e) {
    runs = false;
    CHECK(std::string(e.what()).find(" that the kernel can have on ") != std::string::npos);
  }
  CHECK(runs || q.get_device().get_backend() != sycl::backend::cuda);
  for (std::size_t i = 0; i < most && runs; i++)
    CHECK(out[i] == sum + static_cast<unsigned>(i));
}

CASE("too much of local memory is refused") {
  sycl::queue q = check::queue();
  const std::size_t size =
      static_cast<std::size_t>(q.get_device().get_info<sycl::info::device::local_mem_size>());
  CHECK_THROWS(sycl::exception, sycl::errc::memory_allocation, "local accessors",
               q.submit([&](sycl::handler &cgh) {
                 const sycl::local_accessor<char> all(size + 1, cgh);
                 cgh.parallel_for<class too_local>(sycl::nd_range<1>(1, 1),
                                                   [=](sycl::nd_item<1>) { all[0] = 1; });
               }));
}

CASE("a function object that is too large for the device is refused") {
  if (check::host())
    SKIP("the host device has no limit");
  struct large {
    char bytes[1 << 20];
  };
  /* The device image must not have this kernel, because it would not build. */
#ifndef __SYCL_DEVICE_ONLY__
  const auto all = std::make_unique<large>();
  sycl::queue q = check::queue();
  CHECK_THROWS(sycl::invalid_parameter_error, sycl::errc::kernel_argument, "bytes, and",
               q.single_task<class too_large>([l = *all] { static_cast<void>(l); }));
#endif
}

CASE("a command group has one command") {
  sycl::queue q = check::queue();
  CHECK_THROWS(sycl::exception, sycl::errc::invalid, "this is the second",
               q.submit([&](sycl::handler &cgh) {
                 cgh.single_task<class first_of_two>([] {});
                 cgh.single_task<class second_of_two>([] {});
               }));
  sycl::event before = q.single_task<class before_nothing>([] {});
  sycl::event none = q.submit([&](sycl::handler &cgh) { cgh.depends_on(before); });
  none.wait();
  CHECK(none.get_info<sycl::info::event::command_execution_status>() ==
        sycl::info::event_command_status::complete);
  q.submit([](sycl::handler &) {}).wait();
}

CASE("what a command group's function throws leaves everything as it was") {
  std::vector<int> data = iota();
  sycl::queue q = check::queue();
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    bool caught = false;
    try {
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor<int, 1, sycl::access::mode::discard_write> a(b, cgh);
        cgh.parallel_for<class never_given>(sycl::range<1>(count),
                                            [=](sycl::id<1> i) { a[i] = 0; });
        throw std::runtime_error("mine");
      });
    } catch (const std::runtime_error &e) {
      caught = std::string(e.what()) == "mine";
    }
    CHECK(caught);
  }
  q.wait_and_throw();
  CHECK(data == iota());
}

CASE("events order commands, and tell how far they are") {
  sycl::queue one = check::queue();
  sycl::queue two = check::queue();
  std::vector<int> data(1, 0);
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(1));
    sycl::event last;
    for (int i = 0; i < 8; i++) {
      sycl::queue &q = i % 2 ? one : two;
      last = q.submit([&](sycl::handler &cgh) {
        cgh.depends_on(last);
        sycl::accessor a(b, cgh, sycl::read_write);
        cgh.single_task<class adds>([=] { a[0] = a[0] * 2 + 1; });
      });
    }
    last.wait();
    CHECK(last.get_info<sycl::info::event::command_execution_status>() ==
          sycl::info::event_command_status::complete);
    const sycl::event copy = last;
    CHECK(copy == last && copy != sycl::event());
    sycl::event::wait({last, copy, sycl::event()});
    CHECK(std::hash<sycl::event>()(copy) == std::hash<sycl::event>()(last));
  }
  CHECK(data[0] == 255);
}

CASE("times are those of a queue with enable_profiling") {
  sycl::queue q(check::device(),
                {sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()});
  CHECK(q.has_property<sycl::property::queue::enable_profiling>() && q.is_in_order());
  static_cast<void>(q.get_property<sycl::property::queue::in_order>());
  const sycl::event e = q.single_task<class timed>([] {});
  const auto start = e.get_profiling_info<sycl::info::event_profiling::command_start>();
  CHECK(e.get_profiling_info<sycl::info::event_profiling::command_submit>() <= start);
  CHECK(start <= e.get_profiling_info<sycl::info::event_profiling::command_end>());
  sycl::queue plain = check::queue();
  CHECK(!plain.is_in_order());
  CHECK_THROWS(sycl::exception, sycl::errc::invalid, "without the property",
               plain.get_property<sycl::property::queue::in_order>());
  const sycl::event untimed = plain.single_task<class not_timed>([] {});
  CHECK_THROWS(sycl::profiling_error, sycl::errc::invalid, "enable_profiling",
               untimed.get_profiling_info<sycl::info::event_profiling::command_end>());
  CHECK_THROWS(sycl::profiling_error, sycl::errc::invalid, "no command",
               sycl::event().get_profiling_info<sycl::info::event_profiling::command_end>());
}

CASE("a queue gives one command by a function of its own") {
  sycl::queue q = check::queue();
  const auto one = [](sycl::id<1>) {};
  const auto two = [](sycl::id<2>) {};
  const auto grouped = [](sycl::nd_item<1>) {};
  const auto task = [] {};
  const sycl::event e = q.parallel_for<numbered<10>>(sycl::range<1>(1), one);
  const sycl::event f = q.parallel_for<numbered<11>>(sycl::range<2>(2, 2), e, two);
  const sycl::event g = q.parallel_for<numbered<12>>(sycl::nd_range<1>(2, 1), {e, f}, grouped);
  q.parallel_for<numbered<13>>(4, {e, f}, one);
  q.single_task<numbered<14>>(g, task);
  q.single_task<numbered<15>>({e, f}, task);
  q.wait();
  q.wait_and_throw();
  q.throw_asynchronous();
}

CASE("accessors are filled and copied") {
  sycl::queue q = check::queue();
  std::vector<int> there(count, 0);
  std::vector<short> filled(count, 0);
  {
    sycl::buffer<int> from(sycl::range<1>{count});
    sycl::buffer<int> to(there.data(), sycl::range<1>(count));
    sycl::buffer<short> pattern(filled.data(), sycl::range<1>(count));
    const std::vector<int> source = iota();
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(from, cgh, sycl::write_only);
      cgh.copy(source.data(), a);
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(from, cgh, sycl::read_only);
      sycl::accessor b(to, cgh, sycl::write_only);
      cgh.copy(a, b);
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(pattern, cgh, sycl::write_only);
      cgh.fill(a, static_cast<short>(0x1234));
    });
    std::vector<int> back(count);
    q.submit([&](sycl::handler &cgh) {
       sycl::accessor a(to, cgh, sycl::read_only);
       cgh.copy(a, back.data());
     }).wait();
    CHECK(back == iota());
    CHECK_THROWS(sycl::exception, sycl::errc::invalid, "the destination of a copy has 1",
                 q.submit([&](sycl::handler &cgh) {
                   sycl::buffer<int> one(sycl::range<1>(1));
                   sycl::accessor a(to, cgh, sycl::read_only);
                   sycl::accessor b(one, cgh, sycl::write_only);
                   cgh.copy(a, b);
                 }));
  }
  CHECK(there == iota());
  CHECK(filled == std::vector<short>(count, 0x1234));
}

CASE("many commands leave nothing after") {
  sycl::queue q = check::queue();
  std::vector<int> data(1, 0);
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(1));
    for (int i = 0; i < 1000; i++)
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor a(b, cgh, sycl::read_write);
        cgh.single_task<class counts>([=] { a[0] += 1; });
      });
  }
  CHECK(data[0] == 1000);
}

CASE("threads share queues and buffers") {
  sycl::queue q = check::queue();
  std::vector<int> data(1, 0);
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(1));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&] {
        for (int i = 0; i < 50; i++) {
          q.submit([&](sycl::handler &cgh) {
            sycl::accessor a(b, cgh, sycl::read_write);
            cgh.single_task<class counts_with_others>([=] { a[0] += 1; });
          });
          if (i % 10 == 0)
            q.wait_and_throw();
        }
      });
    for (std::thread &t : threads)
      t.join();
  }
  CHECK(data[0] == 200);
}

CASE("contexts, queues and devices know each other") {
  const sycl::device d = check::device();
  const sycl::context c(d);
  CHECK(c.get_info<sycl::info::context::devices>() == std::vector<sycl::device>{d});
  CHECK(c == sycl::context(c) && c != sycl::context(d));
  CHECK(c.get_platform() == d.get_platform() && c.is_host() == d.is_host());
  const sycl::queue q(c, d);
  CHECK(q.get_context() == c && q.get_device() == d);
  CHECK(q.get_info<sycl::info::queue::context>() == c);
  CHECK(q.get_info<sycl::info::queue::device>() == d);
  CHECK(sycl::queue(c).get_device() == d);
  CHECK(q == sycl::queue(q) && q != sycl::queue(c, d));
  CHECK(std::hash<sycl::context>()(c) == std::hash<sycl::context>()(q.get_context()));
  CHECK_THROWS(sycl::exception, sycl::errc::invalid, "at least one device",
               sycl::context(std::vector<sycl::device>()));
  if (!d.is_host())
    CHECK_THROWS(sycl::exception, sycl::errc::invalid, "not one of its context",
                 sycl::queue(c, sycl::device(sycl::host_selector())));
}

CASE("devices and platforms answer") {
  const sycl::device d = check::device();
  CHECK(!d.get_info<sycl::info::device::name>().empty());
  CHECK(!d.get_info<sycl::info::device::vendor>().empty());
  CHECK(!d.get_info<sycl::info::device::version>().empty());
  CHECK(d.get_info<sycl::info::device::max_compute_units>() >= 1);
  CHECK(d.get_info<sycl::info::device::global_mem_size>() >= 1);
  CHECK(d.get_info<sycl::info::device::is_available>());
  CHECK(d.get_info<sycl::info::device::platform>() == d.get_platform());
  CHECK(d.has(sycl::aspect::usm_device_allocations));
  CHECK(d.has(sycl::aspect::cpu) == d.is_cpu() && d.has(sycl::aspect::gpu) == d.is_gpu());
  CHECK(!d.get_info<sycl::info::device::aspects>().empty());
  CHECK(!d.has_extension("no such extension"));
  const sycl::platform p = d.get_platform();
  CHECK(!p.get_info<sycl::info::platform::name>().empty());
  CHECK(p.get_backend() == d.get_backend());
  const auto mine = p.get_devices();
  CHECK(std::find(mine.begin(), mine.end(), d) != mine.end());
  const auto all = sycl::platform::get_platforms();
  CHECK(std::find(all.begin(), all.end(), p) != all.end() && all.back().is_host());
  CHECK(sycl::device::get_devices().back().is_host());
  CHECK(sycl::device(sycl::host_selector()).is_host());
  CHECK(sycl::device([&](const sycl::device &x) { return x == d ? 1 : -1; }) == d);
  if (!check::host())
    CHECK(sycl::device(sycl::aspect_selector(sycl::aspect::usm_device_allocations))
              .has(sycl::aspect::usm_device_allocations));
  CHECK_THROWS(sycl::runtime_error, sycl::errc::runtime, "0 or more",
               sycl::device([](const sycl::device &) { return -1; }));
}

CASE("exceptions tell code, message and context") {
  const sycl::exception plain(sycl::errc::kernel, "a message");
  CHECK(plain.code() == sycl::errc::kernel && plain.category() == sycl::sycl_category());
  CHECK(std::string(plain.what()) == "a message" && !plain.has_context());
  CHECK(sycl::exception(sycl::errc::build).what() == std::string("code does not compile or link"));
  CHECK_THROWS(sycl::exception, sycl::errc::invalid, "no context", plain.get_context());
  const sycl::context c(check::device());
  const sycl::exception of(c, sycl::errc::runtime, "b");
  CHECK(of.has_context() && of.get_context() == c);
  CHECK(std::string(sycl::sycl_category().name()) == "sycl");
}

CASE("parallel_for_work_group runs the code of a group once, and that of its items for each") {
  std::vector<int> out(groups * items);
  std::vector<int> counts(groups);
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(out.size()));
    sycl::buffer<int> counted(counts.data(), sycl::range<1>(groups));
    check::queue().submit([&](sycl::handler &cgh) {
      sycl::accessor sink(to, cgh);
      sycl::accessor count(counted, cgh);
      const sycl::local_accessor<int> sum(1, cgh);
      cgh.parallel_for_work_group<class two_levels>(
          sycl::range<1>(groups), sycl::range<1>(items), [=](sycl::group<1> g) {
            count[g.get_group_id()]++;
            sum[0] = 0;
            int last = -1;
            const sycl::private_memory<int> mine(g);
            const sycl::private_memory<short> other(g);
            for (int round = 0; round < 3; round++) {
              g.parallel_for_work_item([&](sycl::h_item<1> i) {
                mine(i) += round + static_cast<int>(i.get_local_id(0));
                other(i) = static_cast<short>(-1);
                if (i.get_local_id(0) == items - 1)
                  last = round;
              });
              /* The group's code sees the items' writes. */
              count[g.get_group_id()] += 10 * last;
            }
            g.parallel_for_work_item([&](sycl::h_item<1> i) { sum[0] += mine(i) + other(i); });
            g.parallel_for_work_item(
                [&](sycl::h_item<1> i) { sink[i.get_global_id()] += 1000 * mine(i) + sum[0]; });
          });
    });
  }
  /* mine is 3 + 3 * item; sum is the sum of all mine - 1. */
  for (std::size_t i = 0; i < out.size(); i++)
    CHECK(out[i] == 1000 * static_cast<int>(3 + 3 * (i % items)) + 100);
  for (const int count : counts)
    CHECK(count == 31);
}

CASE("parallel_for_work_item goes through a logical range, with the physical ids of each") {
  std::vector<int> out(2 * 3 * 4 * 5);
  {
    sycl::buffer<int, 3> to(out.data(), sycl::range<3>(2, 3, 20));
    check::queue().submit([&](sycl::handler &cgh) {
      sycl::accessor sink(to, cgh);
      cgh.parallel_for_work_group<class logical>(
          sycl::range<2>(2, 3), sycl::range<2>(2, 2), [=](sycl::group<2> g) {
            g.parallel_for_work_item(sycl::range<2>(4, 5), [&](sycl::h_item<2> i) {
              sink[g.get_group_id(0)][g.get_group_id(1)][i.get_local().get_linear_id()] +=
                  static_cast<int>(i.get_physical_local_id(0) * 10 + i.get_physical_local_id(1) +
                                   100 * i.get_logical_local_range(1) +
                                   1000 * i.get_physical_local_range().size());
            });
          });
    });
  }
  for (std::size_t i = 0; i < out.size(); i++)
    CHECK(out[i] == 4500 + static_cast<int>(i % 20 / 5 % 2 * 10 + i % 5 % 2));
}

CASE("parallel_for_work_group has constants, and groups without a size are of one item") {
  std::vector<int> out(4);
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(out.size()));
    check::queue().submit([&](sycl::handler &cgh) {
      sycl::accessor sink(to, cgh);
      cgh.set_specialization_constant<rounds>(5);
      cgh.parallel_for_work_group<class with_constant>(
          sycl::range<1>(4), [=](sycl::group<1> g, sycl::kernel_handler h) {
            const int times = h.get_specialization_constant<rounds>();
            for (int i = 0; i < times; i++)
              g.parallel_for_work_item([&](sycl::h_item<1> at) { sink[at.get_global_id()]++; });
          });
    });
  }
  for (const int number : out)
    CHECK(number == 5);
}

CASE("a group of parallel_for_work_group can be too large") {
  const auto give = [](std::size_t size) {
    check::queue().submit([&](sycl::handler &cgh) {
      cgh.parallel_for_work_group<class large>(sycl::range<1>(1), sycl::range<1>(size),
                                               [](sycl::group<1>) {});
    });
  };
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range, "is 0", give(0));
  CHECK_THROWS(sycl::nd_range_error, sycl::errc::nd_range, "2048", give(2048));
}

CHECK_MAIN
