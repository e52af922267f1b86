/*
 * What queues share: the native queue, the commands that may still run or fail, the errors that
 * nobody was told of, and the kernels that were launched before.
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

/* What a user who gave no handler gets; SYCL 2020, 4.13.1.2: report all and end the program. */
[[noreturn]] inline void report_and_terminate(const exception_list &errors) {
  for (const std::exception_ptr &error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &e) {
      std::fprintf(stderr, "sycl: asynchronous error: %s\n", e.what());
    } catch (...) {
      std::fprintf(stderr, "sycl: asynchronous error of an unknown type\n");
    }
  }
  std::terminate();
}

/* What launches are checked against before a driver sees them. */
struct device_limits {
  std::size_t group_size = host_group_size;
  range<3> item_sizes = {host_group_size, host_group_size, host_group_size};
  std::size_t parameter_size = SIZE_MAX; /* the host device has no limit */
  std::uint64_t local_memory = host_local_memory_size;

  explicit device_limits(const device &of) {
    if (of.is_host())
      return;
    group_size = of.get_info<info::device::max_work_group_size>();
    item_sizes = of.get_info<info::device::max_work_item_sizes<3>>();
    parameter_size = of.get_info<info::device::max_parameter_size>();
    local_memory = of.get_info<info::device::local_mem_size>();
  }
};

class queue_impl {
public:
  queue_impl(context c, device d, async_handler h, property_list p)
      : in(std::move(c)), of(d), handler(std::move(h)), properties(std::move(p)),
        profiling(properties.has_property<property::queue::enable_profiling>()), limits(of) {
    const std::vector<device> devices = in.get_devices();
    if (std::find(devices.begin(), devices.end(), of) == devices.end())
      throw runtime_error(errc::invalid, "the queue's device, " +
                                             of.get_info<info::device::name>() +
                                             ", is not one of its context's");
    if (!of.is_host())
      check(specpiQueueCreate(of.handle(), profiling ? SPECPI_QUEUE_PROFILING : 0, native.out()));
  }
  queue_impl(const queue_impl &) = delete;
  queue_impl &operator=(const queue_impl &) = delete;
  /* Does not wait; errors of commands that ended are told. */
  ~queue_impl() {
    try {
      drop_ended();
    } catch (...) {
      /* Nobody waits for what could not be found out. */
    }
    report();
  }

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
  void add(const event_reference &command) {
    const std::lock_guard<std::mutex> lock(mutex_);
    commands_.push_back(command);
  }
  /* Forgets what ended, so that the list stays short; before a command is given. */
  void make_room() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (commands_.size() >= full_) {
      drop_half();
      full_ = std::max<std::size_t>(initially_full, 2 * commands_.size());
    }
    /* So that add does not fail after the command was given; more threads are as good as never. */
    commands_.reserve(full_ + initially_full);
    handles_.reserve(commands_.capacity());
  }
  /* Waits for all commands that were given before. */
  void wait() {
    if (of.is_host())
      return;
    const std::uint64_t until = given();
    const specpi_result result = specpiQueueFinish(native.get());
    const std::string sentence = result == SPECPI_SUCCESS ? "" : specpiGetLastError();
    if (!drop_until(until) && result != SPECPI_SUCCESS)
      throw runtime_error(sentence);
  }
  /* Waits for one command, of this queue. */
  void wait(const event_reference &command) {
    const specpi_event handle = command.get();
    const specpi_result result = specpiEventWait(1, &handle);
    if (result == SPECPI_SUCCESS || failed(handle))
      return;
    fail(result);
  }
  /* Takes the errors of a command that ended, and of all before it, into account. */
  void settle(const event_reference &command) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t i = 0; i < commands_.size(); i++)
      if (commands_[i].get() == command.get())
        return static_cast<void>(drop(i + 1));
  }
  void add_error(std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    errors_.push_back(std::move(error));
  }
  /* Takes the errors of all commands that ended into account, without waiting. */
  void drop_ended() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::size_t count = commands_.size();
    while (count && !ended(commands_[count - 1].get()))
      count--;
    drop(count);
  }
  /* Tells the errors that were not told yet, each once. What the handler throws goes through. */
  void report() {
    std::vector<std::exception_ptr> errors;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      errors.swap(errors_);
    }
    if (errors.empty())
      return;
    const exception_list list(std::move(errors));
    if (handler)
      handler(list);
    else if (in.impl()->handler)
      in.impl()->handler(list);
    else
      report_and_terminate(list);
  }

private:
  static bool ended(specpi_event command) noexcept {
    specpi_event_state state = SPECPI_EVENT_QUEUED;
    return specpiEventGetState(command, &state) == SPECPI_SUCCESS &&
           (state == SPECPI_EVENT_COMPLETE || state == SPECPI_EVENT_FAILED);
  }
  static bool failed(specpi_event command) noexcept {
    specpi_event_state state = SPECPI_EVENT_QUEUED;
    return specpiEventGetState(command, &state) == SPECPI_SUCCESS && state == SPECPI_EVENT_FAILED;
  }
  std::uint64_t given() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return dropped_ + commands_.size();
  }
  bool drop_until(std::uint64_t until) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return until > dropped_ && drop(static_cast<std::size_t>(until - dropped_));
  }
  /* With the lock: the older half, if it ended. */
  void drop_half() {
    const std::size_t half = commands_.size() / 2;
    if (half && ended(commands_[half - 1].get()))
      drop(half);
  }
  /* With the lock: the first count commands, which ended. Whether one of them failed. */
  bool drop(std::size_t count) {
    handles_.clear();
    for (std::size_t i = 0; i < count; i++)
      handles_.push_back(commands_[i].get());
    bool any = false;
    if (specpiEventWait(count, handles_.data()) != SPECPI_SUCCESS) {
      for (specpi_event handle : handles_) {
        if (!failed(handle) || specpiEventWait(1, &handle) == SPECPI_SUCCESS)
          continue;
        any = true;
        errors_.push_back(
            std::make_exception_ptr(runtime_error(in, errc::runtime, specpiGetLastError())));
      }
    }
    commands_.erase(commands_.begin(), commands_.begin() + static_cast<std::ptrdiff_t>(count));
    dropped_ += count;
    return any;
  }

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
