// A program, a linked library and an opened library, each with its own copy of include/sycl. Each
// can use the objects that another one creates.
#include "libraries.hpp"
#include "check.hpp"

#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <thread>

using sycl::errc;
using sycl::usm::alloc;

namespace {

const library_part &opened() {
  static const library_part *const part = [] {
    void *library = dlopen(OPENED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "libraries_opened") : nullptr;
    if (!symbol)
      check::fail(__FILE__, __LINE__, dlerror());
    const library_part *(*get)() = nullptr;
    std::memcpy(&get, &symbol, sizeof get);
    return get();
  }();
  return *part;
}
/* Calls f with each library. */
template <class F> void for_each_library(const F &f) {
  f(*libraries_linked());
  f(opened());
}

} // namespace

CASE("memory of one library is known to all") {
  const sycl::queue q = check::queue();
  for (const alloc kind : {alloc::host, alloc::device, alloc::shared}) {
    int *const pointer = opened().allocate(q, kind);
    CHECK(sycl::get_pointer_type(pointer + 3, q.get_context()) == kind);
    CHECK(sycl::get_pointer_type(pointer + 4, q.get_context()) == alloc::unknown);
    for_each_library([&](const library_part &by) {
      CHECK(by.type_of(pointer, q) == kind);
      CHECK(by.device_of(pointer + 1, q) == q.get_device());
    });
    libraries_linked()->free(pointer, q);
    CHECK(sycl::get_pointer_type(pointer, q.get_context()) == alloc::unknown);
    CHECK_THROWS(sycl::runtime_error, errc::invalid, "not the beginning", sycl::free(pointer, q));
  }
}

CASE("memory of a library is used and freed by the program, and the other way round") {
  sycl::queue q = check::queue();
  const int values[4] = {1, 2, 3, 4};
  for_each_library([&](const library_part &by) {
    int *const theirs = by.allocate(q, alloc::device);
    int *const mine = sycl::malloc_shared<int>(4, q);
    q.memcpy(theirs, values, sizeof values).wait();
    by.copy(q, mine, theirs, sizeof values);
    CHECK(mine[0] == 1 && mine[3] == 4);
    CHECK_THROWS(sycl::runtime_error, errc::invalid, "not the beginning", by.free(mine + 1, q));
    sycl::free(theirs, q);
    by.free(mine, q);
    CHECK(sycl::get_pointer_type(mine, q.get_context()) == alloc::unknown);
  });
}

CASE("a buffer of a library is used by the program, and the other way round") {
  sycl::queue q = check::queue();
  for_each_library([&](const library_part &by) {
    int data[4] = {1, 2, 3, 4};
    {
      int_buffer theirs = by.make_buffer(data);
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor all{theirs, cgh, sycl::read_write};
        cgh.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { all[i] *= 10; });
      });
    }
    CHECK(data[0] == 10 && data[3] == 40);
    {
      int_buffer mine(data, sycl::range<1>(4));
      by.fill(q, mine, 7);
    }
    CHECK(data[0] == 7 && data[3] == 7);
  });
}

CASE("a placeholder leads to its own buffer, whichever library made either") {
  sycl::queue q = check::queue();
  int data[3][4] = {};
  {
    /* If each library counted its keys separately, these three buffers would have the same key. */
    int_buffer buffers[] = {int_buffer(data[0], sycl::range<1>(4)),
                            libraries_linked()->make_buffer(data[1]),
                            opened().make_buffer(data[2])};
    const int_accessor first = opened().make_placeholder(buffers[0]);
    const int_accessor second(buffers[1]);
    const int_accessor third = libraries_linked()->make_placeholder(buffers[2]);
    libraries_linked()->fill_placeholder(q, first, 100);
    opened().fill_placeholder(q, second, 200);
    q.submit([&](sycl::handler &cgh) {
      cgh.require(third);
      cgh.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { third[i] = 300 + int(i[0]); });
    });
  }
  for (int i = 0; i < 4; i++)
    CHECK(data[0][i] == 100 + i && data[1][i] == 200 + i && data[2][i] == 300 + i);
}

CASE("a command of a library sees the host accessor that its thread holds") {
  sycl::queue q = check::queue();
  for_each_library([&](const library_part &by) {
    int data[4] = {};
    int_buffer buffer(data, sycl::range<1>(4));
    {
      const sycl::host_accessor held{buffer, sycl::write_only};
      CHECK_THROWS(sycl::accessor_error, errc::accessor, "host accessor", by.fill(q, buffer, 1));
    }
    by.fill(q, buffer, 2);
    CHECK(sycl::host_accessor(buffer, sycl::read_only)[3] == 2);
  });
}

CASE("a command of a library waits for the host accessor of another thread") {
  sycl::queue q = check::queue();
  int data[4] = {};
  int_buffer buffer(data, sycl::range<1>(4));
  std::atomic<bool> is_filled{false};
  std::thread other;
  {
    const sycl::host_accessor held{buffer, sycl::read_write};
    other = std::thread([&] {
      opened().fill(q, buffer, 5);
      is_filled = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(!is_filled);
    held[0] = 9;
  }
  other.join();
  CHECK(sycl::host_accessor(buffer, sycl::read_only)[0] == 5);
}

CASE("codes of a library's exceptions are the program's") {
  for_each_library([](const library_part &by) {
    CHECK(by.code(errc::nd_range) == sycl::make_error_code(errc::nd_range));
    CHECK(by.code(errc::nd_range) == errc::nd_range);
    CHECK_THROWS(sycl::exception, errc::kernel_argument, "of the library",
                 by.fail(errc::kernel_argument));
  });
}

CASE("a module of a library is not changed in a command group of the program") {
  sycl::queue q = check::queue();
  for_each_library([&](const library_part &by) {
    by.set_in_module(q, 2);
    q.submit([&](sycl::handler &) {
      CHECK_THROWS(sycl::runtime_error, errc::invalid, "in a command group",
                   by.set_in_module(q, 3));
    });
  });
}

#ifndef __SYCL_DEVICE_ONLY__
CASE("items of the host device wait at a library's barrier, and share memory with it") {
  if (!check::host())
    SKIP("functions of libraries that are called so have no device code");
  sycl::queue q = check::queue();
  for_each_library([&](const library_part &by) {
    int sums[8] = {};
    int *const to = sums;
    q.submit([&](sycl::handler &cgh) {
      const sycl::local_accessor<int, 1> memory(sycl::range<1>(4), cgh);
      const library_part *const part = &by;
      cgh.parallel_for<class Waits>(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> item) {
        const std::size_t mine = item.get_local_id(0);
        *part->local_element(memory, mine) = int(item.get_global_id(0));
        part->wait_at_barrier(item);
        to[item.get_global_id(0)] = memory[(mine + 1) % 4];
      });
    });
    q.wait_and_throw();
    CHECK(sums[0] == 1 && sums[3] == 0 && sums[4] == 5 && sums[7] == 4);
  });
}
#endif

CHECK_MAIN
