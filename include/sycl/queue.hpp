// queue: SYCL 2020, 4.6.5.
#ifndef SYCL_QUEUE_HPP
#define SYCL_QUEUE_HPP

#include <sycl/handler.hpp>

namespace sycl {

class queue {
public:
  explicit queue(const async_handler &h = {}) : queue(device(), h) {}
  explicit queue(const device &of, const async_handler &h = {}) : queue(context(of), of, h) {}
  queue(const context &in, const device &of, const async_handler &h = {})
      : impl_(std::make_shared<detail::queue_impl>(in, of, h)) {}
  template <class Selector, class = decltype(std::declval<Selector>()(std::declval<device>()))>
  explicit queue(const Selector &selector, const async_handler &h = {})
      : queue(device(selector), h) {}

  context get_context() const {
    return impl_->in;
  }
  device get_device() const {
    return impl_->of;
  }
  bool is_host() const noexcept {
    return impl_->of.is_host();
  }

  /* Calls f with a handler; its command is given when this returns. Errors are thrown here. */
  template <class F> event submit(F f) {
    handler cgh(*impl_);
    f(cgh);
    const event done = cgh.group_.result;
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->commands.push_back(done);
    return done;
  }
  /* Waits for all commands. */
  void wait() {
    std::vector<event> commands;
    {
      const std::lock_guard<std::mutex> lock(impl_->mutex);
      commands.swap(impl_->commands);
    }
    event::wait(commands);
  }

  friend bool operator==(const queue &a, const queue &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const queue &a, const queue &b) noexcept {
    return !(a == b);
  }

private:
  std::shared_ptr<detail::queue_impl> impl_;
};

} // namespace sycl

#endif
