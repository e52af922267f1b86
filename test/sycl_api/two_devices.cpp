/*
 * A context of two devices, which share buffers, events, unified shared memory, programs, modules
 * and kernel bundles. FAKE_ZE_DEVICES and FAKE_CUDA_DEVICES are the numbers of devices of the fake
 * drivers.
 */
#include "check.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <thread>

using sycl::bundle_state;
using sycl::errc;
using sycl::module_state;
using executable_bundle = sycl::kernel_bundle<bundle_state::executable>;
using executable_module = sycl::module<module_state::executable>;

class Steps;
class Sums;
class Slow;
class Report;
class Squares;
constexpr sycl::specialization_id<int> bundled{2};
sycl::spec_id<int> named(3);

namespace {

constexpr std::size_t count = 64;

/* A context of two devices of the tested backend, and a queue for each device. */
struct pair_of_queues {
  std::vector<sycl::device> devices = first_two();
  sycl::context in{devices};
  std::array<sycl::queue, 2> queues = {sycl::queue(in, devices[0]), sycl::queue(in, devices[1])};

  static std::vector<sycl::device> first_two() {
    std::vector<sycl::device> found;
    for (const sycl::device &d : sycl::device::get_devices())
      if (found.size() < 2 && d.get_backend() == check::device().get_backend())
        found.push_back(d);
    if (found.size() < 2)
      SKIP("the backend has one device here");
    return found;
  }
  sycl::queue &operator[](std::size_t i) {
    return queues[i];
  }
};

std::vector<int> numbers() {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/* Doubles each element and adds by: on a device, and in the model. */
void step(sycl::queue &q, sycl::buffer<int> of, int by) {
  q.submit([&](sycl::handler &cgh) {
    const sycl::accessor a{of, cgh, sycl::read_write};
    cgh.parallel_for<Steps>(of.get_range(), [=](sycl::id<1> i) { a[i] = a[i] * 2 + by; });
  });
}
void step(std::vector<int> &model, std::size_t first, std::size_t size, int by) {
  for (std::size_t i = first; i < first + size; i++)
    model[i] = model[i] * 2 + by;
}
template <class Buffer> std::vector<int> content(Buffer &of) {
  const sycl::host_accessor a{of, sycl::read_only};
  return {a.begin(), a.end()};
}

using group_function = std::function<void(sycl::handler &)>;
const group_function nothing = [](sycl::handler &) {};

/* Returns the values of both constants in a kernel: a function object or a kernel object. */
std::array<int, 2> report(sycl::queue q, const group_function &before = nothing,
                          const sycl::kernel *object = nullptr) {
  std::array<int, 2> out = {-1, -1};
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(2));
    q.submit([&](sycl::handler &cgh) {
      const sycl::accessor sink{to, cgh, sycl::write_only};
      before(cgh);
      sycl::spec_constant<int, named> value;
      const auto f = [=](sycl::kernel_handler h) {
        sink[0] = h.get_specialization_constant<bundled>();
        sink[1] = value.get();
      };
      if (object)
        cgh.single_task<Report>(*object, f);
      else
        cgh.single_task<Report>(f);
    });
  }
  return out;
}
using values = std::array<int, 2>;

} // namespace

CASE("a context has two devices, each once, and a queue is of one of them") {
  pair_of_queues two;
  CHECK(two.in.get_devices() == two.devices);
  CHECK(two.devices[0] != two.devices[1]);
  CHECK(sycl::queue(two.in).get_device() == two.devices[0]);
  const auto last = [&](const sycl::device &d) { return d == two.devices[1] ? 2 : 1; };
  CHECK(sycl::queue(two.in, last).get_device() == two.devices[1]);
  CHECK_THROWS(sycl::runtime_error, errc::runtime, "no device of the context",
               sycl::queue(two.in, [](const sycl::device &) { return -1; }));
  const sycl::context repeated(
      std::vector<sycl::device>{two.devices[1], two.devices[0], two.devices[1]});
  CHECK(repeated.get_devices() == (std::vector<sycl::device>{two.devices[1], two.devices[0]}));
  const sycl::context one(two.devices[0]);
  CHECK_THROWS(sycl::runtime_error, errc::invalid, "not one of its context",
               sycl::queue(one, two.devices[1]));
  CHECK_THROWS(sycl::runtime_error, errc::invalid, "of one backend",
               sycl::context(std::vector<sycl::device>{
                   two.devices[0], sycl::device(static_cast<specpi_device>(nullptr))}));
}

/* ---- Buffers ---- */

CASE("queues of two devices use one buffer in turn, and the host in between") {
  pair_of_queues two;
  std::vector<int> data = numbers();
  std::vector<int> model = data;
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    for (int round = 0; round < 12; round++) {
      step(two[static_cast<std::size_t>(round % 2)], b, round);
      step(model, 0, count, round);
      if (round % 5 == 2) {
        const sycl::host_accessor a{b};
        CHECK(std::equal(model.begin(), model.end(), a.begin()));
        a[7] = model[7] = round;
      }
      if (round == 8) /* both devices and the host now have the same elements */
        CHECK(content(b) == model);
    }
  }
  CHECK(data == model);
}

CASE("sub-buffers of one buffer are used on two devices") {
  pair_of_queues two;
  std::vector<int> data = numbers();
  std::vector<int> model = data;
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    sycl::buffer<int> low(b, sycl::id<1>(0), sycl::range<1>(24));
    sycl::buffer<int> high(b, sycl::id<1>(24), sycl::range<1>(count - 24));
    for (int round = 0; round < 4; round++) {
      step(two[0], low, 1);
      step(model, 0, 24, 1);
      step(two[1], high, 2);
      step(model, 24, count - 24, 2);
      step(two[1], low, 3);
      step(model, 0, 24, 3);
      if (round == 1) {
        step(two[0], b, 4);
        step(model, 0, count, 4);
        CHECK(content(high) == std::vector<int>(model.begin() + 24, model.end()));
      }
    }
    CHECK(content(low) == std::vector<int>(model.begin(), model.begin() + 24));
  }
  CHECK(data == model);
}

CASE("both devices read at once, and a write of one waits for the other's reading") {
  pair_of_queues two;
  std::vector<int> data(count, 1);
  std::array<int, 2> sums = {0, 0};
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    std::vector<sycl::buffer<int>> results;
    for (int &sum : sums)
      results.emplace_back(&sum, sycl::range<1>(1));
    for (std::size_t i = 0; i < 2; i++)
      two[i].submit([&](sycl::handler &cgh) {
        const sycl::accessor from{b, cgh, sycl::read_only};
        const sycl::accessor to{results[i], cgh, sycl::write_only};
        cgh.single_task<Sums>([=] {
          int sum = 0;
          for (int round = 0; round < 100; round++)
            for (std::size_t k = 0; k < count; k++)
              sum += from[k];
          to[0] = sum;
        });
      });
    two[0].submit([&](sycl::handler &cgh) {
      const sycl::accessor a{b, cgh, sycl::write_only, sycl::no_init};
      cgh.fill(a, 9);
    });
  }
  CHECK(sums[0] == 100 * static_cast<int>(count) && sums[1] == sums[0]);
  CHECK(data == std::vector<int>(count, 9));
}

CASE("a buffer goes from one device to a buffer of the other") {
  pair_of_queues two;
  std::vector<int> data = numbers();
  sycl::buffer<int> from(data.data(), sycl::range<1>(count));
  sycl::buffer<int> to{sycl::range<1>(count)};
  step(two[0], from, 5);
  step(two[0], to, 0); /* makes the other device's copy of the buffer out of date */
  two[1].submit([&](sycl::handler &cgh) {
    const sycl::accessor a{from, cgh, sycl::range<1>(32), sycl::id<1>(16), sycl::read_only};
    const sycl::accessor b{to, cgh, sycl::range<1>(32), sycl::id<1>(8), sycl::write_only};
    cgh.copy(a, b);
  });
  step(two[0], to, 1);
  const std::vector<int> there = content(to);
  for (std::size_t i = 0; i < 32; i++)
    CHECK(there[8 + i] == 2 * (2 * static_cast<int>(16 + i) + 5) + 1);
}

CASE("contexts of one device each share a buffer, too") {
  pair_of_queues two;
  std::array<sycl::queue, 2> apart = {sycl::queue(sycl::context(two.devices[0])),
                                      sycl::queue(sycl::context(two.devices[1]))};
  std::vector<int> data = numbers();
  std::vector<int> model = data;
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    for (int round = 0; round < 4; round++) {
      step(apart[static_cast<std::size_t>(round % 2)], b, round);
      step(two[static_cast<std::size_t>(round / 2)], b, 1);
      step(model, 0, count, round);
      step(model, 0, count, 1);
    }
  }
  CHECK(data == model);
}

CASE("threads use one buffer on two devices") {
  pair_of_queues two;
  std::vector<int> data(count, 0);
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; t++)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 10; i++) {
          two[t % 2].submit([&](sycl::handler &cgh) {
            const sycl::accessor a{b, cgh, sycl::read_write};
            cgh.parallel_for<class Counts>(b.get_range(), [=](sycl::id<1> at) { a[at] += 1; });
          });
          if (t == 3)
            sycl::host_accessor{b}[5] += 1;
        }
      });
    for (std::thread &t : threads)
      t.join();
  }
  CHECK(data[4] == 40 && data[5] == 50);
}

/* ---- Events and unified shared memory ---- */

CASE("a command of one device waits for the other's event") {
  pair_of_queues two;
  std::array<int *, 2> there = {sycl::malloc_device<int>(count, two[0]),
                                sycl::malloc_device<int>(count, two[1])};
  std::vector<int> between(count, -1);
  std::vector<int> back(count, -1);
  int *const slow = there[0];
  const sycl::event filled = two[0].parallel_for<Slow>(sycl::range<1>(count), [=](sycl::id<1> i) {
    int x = static_cast<int>(i[0]);
    for (int round = 0; round < 1000; round++)
      x = (x * 5 + 1) % 1024;
    slow[i] = x;
  });
  const sycl::event left = two[0].memcpy(between.data(), there[0], count * sizeof(int), filled);
  const sycl::event arrived =
      two[1].memcpy(there[1], between.data(), count * sizeof(int), {filled, left});
  /* An event that only combines others, without a command of its own. */
  const sycl::event both = two[1].submit([&](sycl::handler &cgh) {
    cgh.depends_on({left, arrived});
  });
  const sycl::event last = two[0].submit([&](sycl::handler &cgh) {
    cgh.depends_on(both);
    cgh.memset(there[0], 0, count * sizeof(int));
  });
  two[1].memcpy(back.data(), there[1], count * sizeof(int), both);
  sycl::event::wait({last, arrived});
  two[1].wait_and_throw();
  CHECK(last.get_info<sycl::info::event::command_execution_status>() ==
        sycl::info::event_command_status::complete);
  for (std::size_t i = 0; i < count; i++) {
    int x = static_cast<int>(i);
    for (int round = 0; round < 1000; round++)
      x = (x * 5 + 1) % 1024;
    CHECK(back[i] == x);
  }
  for (std::size_t i = 0; i < 2; i++)
    sycl::free(there[i], two[i]);
}

CASE("memory of each device is its own, and known to the context") {
  pair_of_queues two;
  for (std::size_t d = 0; d < 2; d++) {
    int *const device = sycl::malloc_device<int>(count, two.devices[d], two.in);
    int *const shared = sycl::malloc_shared<int>(count, two.devices[d], two.in);
    int *const host = sycl::malloc_host<int>(count, two[d]);
    CHECK(device && shared && host);
    std::iota(host, host + count, 1);
    const sycl::event e = two[d].copy(host, device, count);
    two[d]
        .parallel_for<Squares>(sycl::range<1>(count), e,
                               [=](sycl::id<1> i) {
                                 shared[i] = device[i] * device[i];
                                 host[i] = -device[i];
                               })
        .wait();
    for (std::size_t i = 0; i < count; i++) {
      const int x = static_cast<int>(i) + 1;
      CHECK(shared[i] == x * x && host[i] == -x);
    }
    for (int *const pointer : {device, shared, host}) {
      CHECK(sycl::get_pointer_device(pointer + 1, two.in) == two.devices[d]);
      CHECK(sycl::get_pointer_type(pointer, sycl::context(two.devices[1 - d])) ==
            sycl::usm::alloc::unknown);
      sycl::free(pointer, two.in);
    }
  }
  CHECK_THROWS(sycl::runtime_error, errc::invalid, "not of the context",
               sycl::malloc_device(8, two.devices[1], sycl::context(two.devices[0])));
}

CASE("memory of one device is copied by the other's queue on CUDA, and refused elsewhere") {
  pair_of_queues two;
  int *const here = sycl::malloc_device<int>(count, two[1]);
  for (const sycl::usm::alloc kind :
       {sycl::usm::alloc::device, sycl::usm::alloc::shared, sycl::usm::alloc::host}) {
    int *const there = sycl::malloc<int>(count, two[0], kind);
    two[0].fill(there, 7, count).wait();
    if (two.in.get_backend() == sycl::backend::cuda) {
      two[1].copy(there, here, count).wait();
    } else {
      const char *const sentence = "a pointer is unified shared memory of ";
      CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, sentence,
                   two[1].copy(there, here, count));
      CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, sentence,
                   two[0].copy(there, here, count));
      CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, sentence,
                   two[1].fill(there, 1, count));
      std::vector<int> between(count);
      two[0].copy(there, between.data(), count).wait();
      two[1].copy(between.data(), here, count).wait();
    }
    int back = 0;
    two[1].copy(here + 5, &back, 1).wait();
    CHECK(back == 7);
    two[1].fill(here, 0, count).wait();
    sycl::free(there, two.in);
  }
  sycl::free(here, two.in);
  /* The host device can access only memory that the host can access. */
  sycl::queue host{sycl::host_selector()};
  int *const device = sycl::malloc_device<int>(1, two[0]);
  int *const shared = sycl::malloc_shared<int>(1, two[0]);
  int number = 5;
  host.copy(&number, shared, 1);
  CHECK(*shared == 5);
  CHECK_THROWS(sycl::feature_not_supported, errc::feature_not_supported, "host device do not reach",
               host.copy(&number, device, 1));
  sycl::free(device, two.in);
  sycl::free(shared, two.in);
}

/* ---- Programs ---- */

CASE("a program is built for both devices with its values") {
  pair_of_queues two;
  sycl::program p(two.in);
  CHECK(p.get_devices() == two.devices);
  p.set_spec_constant<int, named>(31);
  p.build_with_kernel_type<Report>();
  CHECK(p.native_spec_constant());
  const sycl::kernel k = p.get_kernel<Report>();
  for (std::size_t d = 0; d < 2; d++) {
    CHECK((report(two[d], nothing, &k) == values{2, 31}));
    CHECK(k.get_info<sycl::info::kernel_device_specific::work_group_size>(two.devices[d]) >= 1);
  }
  CHECK((report(two[1]) == values{2, 3}));
}

CASE("a program of one of the devices has kernels for it alone") {
  pair_of_queues two;
  sycl::program p(two.in, {two.devices[1]});
  CHECK(p.get_devices() == std::vector<sycl::device>{two.devices[1]});
  p.set_spec_constant<int, named>(32);
  p.compile_with_kernel_type<Report>();
  p.link();
  const sycl::kernel k = p.get_kernel<Report>();
  CHECK((report(two[1], nothing, &k) == values{2, 32}));
  CHECK(k.get_info<sycl::info::kernel::num_args>() >= 1);
  CHECK(k.get_info<sycl::info::kernel_device_specific::work_group_size>(two.devices[1]) >= 1);
  CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "has no code for",
               k.get_info<sycl::info::kernel_device_specific::work_group_size>(two.devices[0]));
  CHECK_THROWS(sycl::kernel_not_found, errc::invalid, "has no code for",
               report(two[0], nothing, &k));
  CHECK_THROWS(sycl::invalid_object_error, errc::invalid, "to be of its context",
               sycl::program(sycl::context(two.devices[0]), {two.devices[1]}));
}

/* ---- Modules ---- */

CASE("a module has images for both devices, and both kernels see its values") {
  pair_of_queues two;
  auto input = sycl::this_module::get<module_state::input>(two.in);
  CHECK(input.end() - input.begin() == 2);
  CHECK(input.begin()->get_device() == two.devices[0]);
  CHECK(input.begin()[1].get_device() == two.devices[1]);
  input.set_spec_constant<named>(41);
  const auto built = sycl::build(input);
  const auto object = sycl::compile(input);
  const auto linked = sycl::link(std::vector<sycl::module<module_state::object>>{object});
  CHECK(linked.end() - linked.begin() == 2 &&
        built.get_kernel_names() == linked.get_kernel_names());
  input.set_spec_constant<named>(42);
  const sycl::kernel k = built.get_kernel<Report>();
  for (std::size_t d = 0; d < 2; d++) {
    CHECK((report(two[d]) == values{2, 42}));
    for (const executable_module &m : {built, linked})
      CHECK((report(two[d], [&](sycl::handler &cgh) { cgh.use_module(m); }) == values{2, 41}));
    CHECK((report(two[d], nothing, &k) == values{2, 41}));
    CHECK((report(
               two[d], [&](sycl::handler &cgh) { cgh.use_module(built); }, &k) == values{2, 41}));
  }
}

CASE("a selector chooses the image for the queue's device, of several builds") {
  pair_of_queues two;
  auto input = sycl::this_module::get<module_state::input>(two.in);
  std::vector<executable_module> versions;
  for (const int value : {51, 52}) {
    input.set_spec_constant<named>(value);
    versions.push_back(sycl::build(input));
  }
  const executable_module all = sycl::join(versions);
  CHECK(all.end() - all.begin() == 4);
  const auto run = [&](std::size_t d, std::size_t device_of_image, int skip) {
    return report(two[d], [&](sycl::handler &cgh) {
      cgh.use_module(all, [&](auto begin, auto end) {
        int left = skip;
        return *std::find_if(begin, end, [&](const auto &image) {
          return image.get_device() == two.devices[device_of_image] && left-- == 0;
        });
      });
    })[1];
  };
  for (std::size_t d = 0; d < 2; d++) {
    CHECK(run(d, d, 0) == 51 && run(d, d, 1) == 52);
    CHECK_THROWS(sycl::invalid_object, errc::invalid, "the selector gave a device image for device",
                 run(d, 1 - d, 0));
  }
}

CASE("a value that a group of one device sets stays for the other's, too") {
  pair_of_queues two;
  CHECK((report(two[0], [](sycl::handler &cgh) { cgh.set_spec_constant<int, named>(61); }) ==
         values{2, 61}));
  CHECK((report(two[1]) == values{2, 61}));
  CHECK((report(two[1], [](sycl::handler &cgh) { cgh.set_specialization_constant<bundled>(8); }) ==
         values{8, 61}));
  CHECK((report(two[0]) == values{2, 61}));
}

/* ---- Kernel bundles ---- */

CASE("kernels of a bundle run on both devices with its values") {
  pair_of_queues two;
  auto input = sycl::get_kernel_bundle<Report, bundle_state::input>(two.in);
  CHECK(std::distance(input.begin(), input.end()) == 2);
  input.set_specialization_constant<bundled>(71);
  const executable_bundle both = sycl::build(input);
  const sycl::kernel k = both.get_kernel<Report>();
  for (std::size_t d = 0; d < 2; d++) {
    CHECK((report(two[d], [&](sycl::handler &cgh) { cgh.use_kernel_bundle(both); }) ==
           values{71, 3}));
    CHECK((report(two[d], nothing, &k) == values{71, 3}));
  }
}

CASE("a bundle of one of the devices has nothing for the other") {
  pair_of_queues two;
  const auto input = sycl::get_kernel_bundle<Report, bundle_state::input>(two.in);
  const executable_bundle last = sycl::build(input, {two.devices[1]});
  const group_function uses = [&](sycl::handler &cgh) { cgh.use_kernel_bundle(last); };
  const sycl::kernel k = last.get_kernel<Report>();
  CHECK((report(two[1], uses) == values{2, 3}) && (report(two[1], nothing, &k) == values{2, 3}));
  CHECK_THROWS(sycl::kernel_not_found, errc::kernel_not_supported, "has no kernel",
               report(two[0], uses));
  CHECK_THROWS(sycl::kernel_not_found, errc::invalid, "has no code for",
               report(two[0], nothing, &k));
  CHECK(k.get_info<sycl::info::kernel::num_args>() >= 1);
  CHECK(k.get_kernel_bundle() == last);
}

CHECK_MAIN
