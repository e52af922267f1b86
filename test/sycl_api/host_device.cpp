// The host device: barriers, exceptions of kernels, hierarchical kernels.
#include "check.hpp"

/* These kernels throw, and use threads and memory of the host, so devices cannot run them. */
#ifndef __SYCL_DEVICE_ONLY__

#include <cstdlib>
#include <optional>
#include <set>
#include <thread>
#include <unistd.h>

namespace {

using errors = std::vector<std::string>;

/* Returns a queue of the host device whose handler adds each error to the list. */
sycl::queue queue_into(errors &list) {
  return sycl::queue(sycl::host_selector(), [&list](const sycl::exception_list &all) {
    for (const std::exception_ptr &one : all) {
      try {
        std::rethrow_exception(one);
      } catch (const std::exception &e) {
        list.push_back(e.what());
      }
    }
  });
}

} // namespace

CASE("items wait at barriers, in all dimensions and many groups") {
  sycl::queue q{sycl::host_selector()};
  constexpr std::size_t size = 16;
  std::vector<int> out(size * size * 4);
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(out.size()));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor sink(to, cgh, sycl::write_only);
      const sycl::local_accessor<int, 2> mine(sycl::range<2>(size, size), cgh);
      cgh.parallel_for<class transposes>(
          sycl::nd_range<2>({size * 2, size * 2}, {size, size}), [=](sycl::nd_item<2> i) {
            mine[i.get_local_id()] = static_cast<int>(i.get_global_linear_id());
            for (int round = 0; round < 3; round++) {
              i.barrier();
              const int other = mine[i.get_local_id(1)][i.get_local_id(0)];
              i.barrier();
              mine[i.get_local_id()] = other;
            }
            sink[i.get_global_linear_id()] = mine[i.get_local_id()];
          });
    });
  }
  for (std::size_t y = 0; y < 2 * size; y++)
    for (std::size_t x = 0; x < 2 * size; x++) {
      const std::size_t wanted =
          (y / size * size + x % size) * 2 * size + x / size * size + y % size;
      CHECK(out[y * 2 * size + x] == static_cast<int>(wanted));
    }
}

CASE("without barriers one thread runs all items") {
  std::set<std::thread::id> threads;
  auto *const into = &threads;
  sycl::queue q{sycl::host_selector()};
  q.parallel_for(sycl::nd_range<1>(256, 64),
                 [=](sycl::nd_item<1>) { into->insert(std::this_thread::get_id()); });
  CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
}

CASE("there are as many threads as items of a group, and they stay for the next ones") {
  std::set<std::thread::id> threads;
  auto *const into = &threads;
  sycl::queue q{sycl::host_selector()};
  q.parallel_for(sycl::nd_range<1>(64, 8), [=](sycl::nd_item<1> i) {
    i.barrier();
    into->insert(std::this_thread::get_id());
  });
  CHECK(threads.size() == 8);
}

CASE("what a kernel throws reaches the handler once") {
  errors list;
  sycl::queue q = queue_into(list);
  const sycl::event e = q.single_task([] { throw std::runtime_error("mine"); });
  CHECK(e.get_info<sycl::info::event::command_execution_status>() ==
        sycl::info::event_command_status::complete);
  q.wait();
  CHECK(list.empty());
  q.wait_and_throw();
  CHECK(list == errors{"mine"});
  q.wait_and_throw();
  q.throw_asynchronous();
  sycl::event(e).wait_and_throw();
  CHECK(list.size() == 1);
  q.single_task([] { throw std::runtime_error("again"); }).wait_and_throw();
  CHECK(list == errors({"mine", "again"}));
}

CASE("errors that nobody asked for come when the queue ends") {
  errors list;
  {
    sycl::queue q = queue_into(list);
    q.single_task([] { throw std::runtime_error("late"); });
    CHECK(list.empty());
  }
  CHECK(list == errors{"late"});
}

CASE("the context's handler is for queues without one") {
  errors list;
  const sycl::context c(sycl::device(sycl::host_selector()),
                        [&list](const sycl::exception_list &all) {
                          list.insert(list.end(), all.size(), "of the context");
                        });
  sycl::queue q(c);
  q.single_task([] { throw 1; });
  q.wait_and_throw();
  CHECK(list == errors{"of the context"});
}

CASE("what the handler throws goes through") {
  sycl::queue q(sycl::host_selector(), [](const sycl::exception_list &all) {
    for (const std::exception_ptr &one : all)
      std::rethrow_exception(one);
  });
  q.single_task([] { throw sycl::kernel_error("rethrown"); });
  CHECK_THROWS(sycl::kernel_error, sycl::errc::kernel, "rethrown", q.wait_and_throw());
  q.wait_and_throw();
}

CASE("an item that throws does not keep the others waiting") {
  for (std::size_t thrower = 0; thrower < 8; thrower++) {
    errors list;
    sycl::queue q = queue_into(list);
    q.parallel_for(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> i) {
      if (i.get_global_id(0) == thrower)
        throw std::runtime_error("one");
      i.barrier();
    });
    q.parallel_for(sycl::nd_range<1>(16, 8), [=](sycl::nd_item<1> i) {
      i.barrier();
      if (i.get_global_id(0) == thrower)
        throw std::runtime_error("two");
      i.barrier();
    });
    q.wait_and_throw();
    CHECK(list == errors({"one", "two"}));
  }
}

CASE("a barrier that not all items reach is an error") {
  for (std::size_t leaver = 0; leaver < 4; leaver++) {
    errors list;
    sycl::queue q = queue_into(list);
    q.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> i) {
      if (i.get_local_id(0) != leaver)
        i.barrier();
    });
    q.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> i) {
      i.barrier();
      if (i.get_local_id(0) != leaver)
        i.barrier();
    });
    q.wait_and_throw();
    CHECK(list.size() == 2);
    for (const std::string &sentence : list)
      CHECK(sentence.find("barrier") != std::string::npos);
  }
}

CASE("a kernel that catches everything ends all the same") {
  errors list;
  sycl::queue q = queue_into(list);
  q.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> i) {
    if (i.get_local_id(0) == 3)
      throw std::runtime_error("thrown");
    for (int n = 0; n < 4; n++) {
      try {
        i.barrier();
      } catch (...) {
      }
    }
  });
  q.wait_and_throw();
  CHECK(list == errors{"thrown"});
}

CASE("local memory is aligned as its type") {
  struct alignas(256) wide {
    char bytes[256];
  };
  std::uintptr_t misaligned = 1;
  auto *const into = &misaligned;
  sycl::queue q{sycl::host_selector()};
  q.submit([&](sycl::handler &cgh) {
    const sycl::local_accessor<char> before(1, cgh);
    const sycl::local_accessor<wide> aligned(2, cgh);
    cgh.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
      before[0] = 1;
      aligned[1].bytes[255] = 1;
      *into = reinterpret_cast<std::uintptr_t>(&aligned[0]) % 256;
    });
  });
  CHECK(misaligned == 0);
}

CASE("parallel_for_work_group runs in two levels") {
  std::vector<int> out(32);
  sycl::queue q{sycl::host_selector()};
  {
    sycl::buffer<int> to(out.data(), sycl::range<1>(out.size()));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor sink(to, cgh, sycl::write_only);
      const sycl::local_accessor<int> sum(1, cgh);
      cgh.parallel_for_work_group<class of_groups>(
          sycl::range<1>(4), sycl::range<1>(8), [=](sycl::group<1> g) {
            sum[0] = 0;
            sycl::private_memory<int> mine(g);
            g.parallel_for_work_item([&](sycl::h_item<1> i) {
              mine(i) = static_cast<int>(i.get_local_id(0));
              sum[0] += mine(i);
            });
            g.parallel_for_work_item(
                [&](sycl::h_item<1> i) { sink[i.get_global_id()] = sum[0] + mine(i); });
          });
    });
  }
  for (std::size_t i = 0; i < out.size(); i++)
    CHECK(out[i] == 28 + static_cast<int>(i % 8));
  int calls = 0;
  int *const counted = &calls;
  q.submit([&](sycl::handler &cgh) {
    cgh.parallel_for_work_group(sycl::range<1>(2), [=](sycl::group<1> g) {
      g.parallel_for_work_item(sycl::range<1>(5), [&](sycl::h_item<1> i) {
        *counted += static_cast<int>(i.get_logical_local_range(0));
      });
    });
  });
  CHECK(calls == 50);
}

namespace {

/* Sets a variable of the environment, or unsets it if value is NULL, during its lifetime. */
class variable {
public:
  variable(const char *name, const char *value) : name_(name) {
    if (const char *there = std::getenv(name))
      before_ = there;
    set(value);
  }
  ~variable() {
    set(before_ ? before_->c_str() : nullptr);
  }

private:
  void set(const char *value) const {
    if (value)
      setenv(name_, value, 1);
    else
      unsetenv(name_);
  }
  const char *name_;
  std::optional<std::string> before_;
};

/* Calls f and returns the text that it writes to stderr. */
template <class F> std::string written(const F &f) {
  std::FILE *const file = std::tmpfile();
  const int before = dup(2);
  dup2(fileno(file), 2);
  f();
  dup2(before, 2);
  close(before);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

} // namespace

CASE("where ONEAPI_DEVICE_SELECTOR selects nothing, the host device is not taken for it") {
  const variable selector("ONEAPI_DEVICE_SELECTOR", "opencl:99");
  const char *const sentence = "ONEAPI_DEVICE_SELECTOR=opencl:99 selects";
  const auto refuses = [&](const auto &make) {
    CHECK_THROWS(sycl::runtime_error, sycl::errc::runtime, sentence, make());
  };
  refuses([] { return sycl::device(); });
  refuses([] { return sycl::queue(); });
  refuses([] { return sycl::platform(sycl::default_selector_v); });
  refuses([] { return sycl::default_selector().select_device(); });
  refuses([] { return sycl::device(sycl::gpu_selector_v); });
  refuses([] { return sycl::device(sycl::aspect_selector(sycl::aspect::fp64)); });
  CHECK(written([] {
          CHECK(sycl::device(sycl::host_selector()).is_host());
          CHECK(sycl::device([](const sycl::device &) { return 1; }).is_host());
        }).empty());
}

CASE("the host device has the aspects that need no driver") {
  using sycl::aspect;
  CHECK(sycl::device(sycl::host_selector()).get_info<sycl::info::device::aspects>() ==
        std::vector<aspect>({aspect::host_debuggable, aspect::fp64, aspect::atomic64,
                             aspect::queue_profiling, aspect::usm_device_allocations,
                             aspect::usm_host_allocations, aspect::usm_atomic_host_allocations,
                             aspect::usm_shared_allocations, aspect::usm_atomic_shared_allocations,
                             aspect::usm_system_allocations}));
}

CASE("without a device and without a wish the host device is taken, and a line says so") {
  const variable selector("ONEAPI_DEVICE_SELECTOR", nullptr);
  if (sycl::device::get_devices().size() > 1)
    SKIP("there are devices");
  const std::string text = written([] { CHECK(sycl::queue().is_host()); });
  CHECK(text.find("the host device") != text.npos && text.find('\n') == text.size() - 1);
  CHECK_THROWS(sycl::runtime_error, sycl::errc::runtime, "from the selector",
               sycl::device(sycl::aspect_selector(sycl::aspect::fp64)));
}

CASE("a barrier outside of work-groups is an error of the caller") {
  CHECK_THROWS(sycl::feature_not_supported, sycl::errc::feature_not_supported, "nd_range",
               sycl::detail::host_barrier(nullptr));
}

CHECK_MAIN

#endif
