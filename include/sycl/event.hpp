// event: SYCL 2020, 4.6.6.
#ifndef SYCL_EVENT_HPP
#define SYCL_EVENT_HPP

#include <sycl/detail/device_image.hpp>

#include <vector>

namespace sycl {

class event {
public:
  /* Complete, as is the event of a command of the host device. */
  event() = default;
  explicit event(detail::event_reference of) noexcept : event_(std::move(of)) {}

  void wait() const {
    const specpi_event handle = event_.get();
    if (handle)
      detail::check(specpiEventWait(1, &handle));
  }
  static void wait(const std::vector<event> &events) {
    for (const event &e : events)
      e.wait();
  }
  specpi_event handle() const noexcept {
    return event_.get();
  }
  friend bool operator==(const event &a, const event &b) noexcept {
    return a.event_.get() == b.event_.get();
  }
  friend bool operator!=(const event &a, const event &b) noexcept {
    return !(a == b);
  }

private:
  detail::event_reference event_;
};

} // namespace sycl

#endif
