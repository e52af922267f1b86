/*
 * The state that copies of a queue share: libspecpi's queue, the commands that may still run or
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

/* A device's limits. Launches are checked against them before they reach the driver. */
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
  /* Reports the errors of commands that ended; does not wait for others. */
  ~queue_impl();

  const context in;
  const device of;
  const async_handler handler;
  const property_list properties;
  const bool profiling;
  const device_limits limits;
  /*
   * libspecpi's queue; empty for the host device. It is in order, so once a command is complete,
   * all commands before it are.
   */
  queue_reference native;
  kernel_cache kernels;

  /* Records a submitted command, so that its failure is reported later. Throws only bad_alloc. */
  void add(const event_reference &command);
  /* Called before a submission: forgets commands that ended, and reserves space for another. */
  void make_room();
  /* Waits for all commands submitted before this call. */
  void wait();
  /* Waits for one command of this queue. */
  void wait(const event_reference &command);
  /* Records the errors of a command that ended and of all commands before it. */
  void settle(const event_reference &command);
  void add_error(std::exception_ptr error);
  /* Records the errors of all commands that ended, without waiting. */
  void drop_ended();
  /* Passes the recorded errors to the handler, each once. The handler's exceptions pass through. */
  void report();

private:
  std::uint64_t given();
  bool drop_until(std::uint64_t until);
  /* Drops the older half of the commands if they ended. The caller holds the lock. */
  void drop_half();
  /* Drops the first count commands, which ended, and records their errors. Returns whether one
   * failed. The caller holds the lock. */
  bool drop(std::size_t count);

  static constexpr std::size_t initially_full = 64;
  std::mutex mutex_;
  /* Submitted commands that are not known to have ended, the oldest first. */
  std::vector<event_reference> commands_;
  std::uint64_t dropped_ = 0; /* number of commands removed from the list */
  std::size_t full_ = initially_full;
  std::vector<specpi_event> handles_;
  std::vector<std::exception_ptr> errors_;
};

} // namespace sycl::detail

#endif
