/*
 * The state that copies of a queue share: the native queue, the commands that may still run or
 * fail, the errors that were not reported yet, and the kernels that were launched before.
 */
#ifndef SYCL_DETAIL_QUEUE_IMPL_HPP
#define SYCL_DETAIL_QUEUE_IMPL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/kernel_cache.hpp>
#include <sycl/property_list.hpp>

#include <cstdio>
#include <mutex>
#include <utility>

namespace sycl::detail {

/* The limits against which launches are checked before a driver sees them. */
struct device_limits {
  std::size_t group_size = host_group_size;
  range<3> item_sizes = {host_group_size, host_group_size, host_group_size};
  std::size_t parameter_size = SIZE_MAX; /* the host device has no limit */
  std::uint64_t local_memory = host_local_memory_size;

  explicit device_limits(const device &of);
};

class queue_impl {
public:
  queue_impl(context c, device d, async_handler h, property_list p);
  queue_impl(const queue_impl &) = delete;
  queue_impl &operator=(const queue_impl &) = delete;
  /* Does not wait; reports errors of commands that ended. */
  ~queue_impl();

  const context in;
  const device of;
  const async_handler handler;
  const property_list properties;
  const bool profiling;
  const device_limits limits;
  /* In order, so a command that is complete says the same of all before it. None on the host. */
  queue_reference native;
  kernel_cache kernels;

  /* A command that was given; from now on its failure is not lost. Throws nothing but bad_alloc. */
  void add(const event_reference &command);
  /* Forgets what ended, so that the list stays short; before a command is given. */
  void make_room();
  /* Waits for all commands that were given before. */
  void wait();
  /* Waits for one command, of this queue. */
  void wait(const event_reference &command);
  /* Takes the errors of a command that ended, and of all before it, into account. */
  void settle(const event_reference &command);
  void add_error(std::exception_ptr error);
  /* Takes the errors of all commands that ended into account, without waiting. */
  void drop_ended();
  /* Reports the errors that were not reported yet, each once. What the handler throws goes through.
   */
  void report();

private:
  std::uint64_t given();
  bool drop_until(std::uint64_t until);
  /* With the lock: the older half, if it ended. */
  void drop_half();
  /* With the lock: the first count commands, which ended. Whether one of them failed. */
  bool drop(std::size_t count);

  static constexpr std::size_t initially_full = 64;
  std::mutex mutex_;
  /* Given, and not known to have ended; the oldest first. */
  std::vector<event_reference> commands_;
  std::uint64_t dropped_ = 0; /* commands that were once in the list */
  std::size_t full_ = initially_full;
  std::vector<specpi_event> handles_;
  std::vector<std::exception_ptr> errors_;
};

} // namespace sycl::detail

#endif
