// event: SYCL 2020, 4.6.6.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include <sycl/detail/queue_impl.hpp>

#include <chrono>
#include <memory>
#include <vector>

namespace sycl {

namespace detail {
struct event_access;
}

/*
 * A command, or several that are waited for together. Common reference semantics. Any thread may
 * use it.
 */
class event {
public:
  /* An event that is complete and belongs to no queue. */
  event() = default;

  /* Waits until the command ended. Its failure is reported as an error of its queue. */
  void wait() const;
  static void wait(const std::vector<event> &events);
  /* Waits likewise, and then passes the queue's errors to its handler. */
  void wait_and_throw() const;
  static void wait_and_throw(const std::vector<event> &events);

  /* For info::event::command_execution_status. A command that failed counts as complete. */
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  /*
   * Waits for the command and returns a time of info::event_profiling. profiling_error with
   * errc::invalid: the queue was made without property::queue::enable_profiling, the event has no
   * command, or its command failed.
   */
  template <class Query> std::uint64_t get_profiling_info() const {
    static_assert(std::is_same_v<typename Query::return_type, std::uint64_t>,
                  "get_profiling_info takes a query of info::event_profiling");
    const specpi_times t = times();
    if constexpr (std::is_same_v<Query, info::event_profiling::command_submit>)
      return t.queued;
    else if constexpr (std::is_same_v<Query, info::event_profiling::command_start>)
      return t.started;
    else
      return t.ended;
  }

  bool is_host() const noexcept;
  backend get_backend() const noexcept;
  /* libspecpi's event; NULL for an event that was complete from the start. */
  specpi_event handle() const noexcept {
    return command_.get();
  }

  friend bool operator==(const event &a, const event &b) noexcept {
    return a.command_.get() == b.command_.get() && a.queue_ == b.queue_ && a.others_ == b.others_ &&
           a.host_.queued == b.host_.queued;
  }
  friend bool operator!=(const event &a, const event &b) noexcept {
    return !(a == b);
  }

private:
  friend struct detail::event_access;

  const std::vector<event> &others() const noexcept;
  info::event_command_status ask(info::event::command_execution_status) const;
  specpi_times times() const;

  std::shared_ptr<detail::queue_impl> queue_;
  detail::event_reference command_; /* empty: complete, unless others_ has events */
  std::shared_ptr<const std::vector<event>> others_;
  specpi_times host_ = {}; /* times of a command of the host device */
};

namespace detail {

/* The events that a command group depends on. */
using events = few<event, 4>;

/* Makes events, and accesses their private members. */
struct event_access {
  static event make(std::shared_ptr<queue_impl> of, event_reference command);
  static event make(std::shared_ptr<queue_impl> of, const specpi_times &times);
  /* The event of a group without a command. It is complete when all of waits are. */
  static event all(std::shared_ptr<queue_impl> of, const events &waits);
  static const event_reference &command(const event &of) noexcept {
    return of.command_;
  }
  static const std::vector<event> &others(const event &of) noexcept {
    return of.others();
  }
};

} // namespace detail

} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &e) const noexcept {
    return std::hash<const void *>()(e.handle());
  }
};

#endif
