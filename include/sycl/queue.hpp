// queue: SYCL 2020, 4.6.5.
#ifndef SYCL_QUEUE_HPP
#define SYCL_QUEUE_HPP

#include <sycl/handler.hpp>

namespace sycl {

/*
 * Submits commands to a device. Common reference semantics. Any thread may use it.
 *
 * Only buffers and events order commands, unless the queue has property::queue::in_order. A failure
 * of a command after its submission is an asynchronous error. The queue's handler, or else its
 * context's, gets each error once: in wait_and_throw, throw_asynchronous, wait_and_throw of an
 * event, or when the last copy of the queue ends, which does not wait for commands. Without a
 * handler the errors are printed and the program ends.
 *
 * Constructors throw errc::invalid when the device is not one of the context's, and
 * feature_not_supported or runtime_error when the device supports no queue with the properties.
 */
class queue {
public:
  explicit queue(const property_list &properties = {}) : queue(device(), properties) {}
  explicit queue(const async_handler &h, const property_list &properties = {})
      : queue(device(), h, properties) {}
  explicit queue(const device &of, const property_list &properties = {})
      : queue(of, async_handler(), properties) {}
  queue(const device &of, const async_handler &h, const property_list &properties = {});
  template <class Selector, class = detail::if_selector<Selector>>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  template <class Selector, class = detail::if_selector<Selector>>
  queue(const Selector &selector, const async_handler &h, const property_list &properties = {})
      : queue(device(selector), h, properties) {}
  /* On the context's first device. */
  explicit queue(const context &in, const property_list &properties = {});
  queue(const context &in, const device &of, const property_list &properties = {});
  queue(const context &in, const device &of, const async_handler &h,
        const property_list &properties = {});
  /* On the context's device with the highest score. */
  template <class Selector, class = detail::if_selector<Selector>>
  queue(const context &in, const Selector &selector, const property_list &properties = {})
      : queue(in, choose(in, selector), properties) {}
  template <class Selector, class = detail::if_selector<Selector>>
  queue(const context &in, const Selector &selector, const async_handler &h,
        const property_list &properties = {})
      : queue(in, choose(in, selector), h, properties) {}

  context get_context() const {
    return impl_->in;
  }
  device get_device() const {
    return impl_->of;
  }
  backend get_backend() const noexcept;
  bool is_host() const noexcept;
  bool is_in_order() const noexcept;
  template <class Query> typename Query::return_type get_info() const {
    return ask(Query{});
  }
  template <class P> bool has_property() const noexcept {
    return impl_->properties.has_property<P>();
  }
  template <class P> P get_property() const {
    return impl_->properties.get_property<P>();
  }

  /*
   * Calls f with a handler, and submits the command when f returns. Exceptions of f and errors of
   * the submission pass through; the command then has no effect. kernel_not_found: no device image
   * has the kernel. compile_program_error: the kernel does not build. The device's limits are too
   * small for the range (nd_range_error), for the function object (invalid_parameter_error), or for
   * the local memory (memory_allocation_error).
   */
  template <class F> event submit(F f) {
    handler cgh(impl_);
    f(cgh);
    return cgh.group_.finish();
  }

  /* Waits for all commands. Their errors are kept for a later wait_and_throw or the like. */
  void wait();
  /*
   * Waits for all commands and passes their errors to the handler, whose exceptions pass through.
   */
  void wait_and_throw();
  /* Passes the errors of commands that ended to the handler. */
  void throw_asynchronous();

  /* ---- One command, as the handler's function of the same name, optionally after events ---- */

  template <class Name = detail::unnamed, class F> event single_task(const F &f) {
    return submit([&](handler &cgh) { cgh.single_task<Name>(f); });
  }
  template <class Name = detail::unnamed, class F>
  event single_task(const event &after, const F &f) {
    return submit([&](handler &cgh) {
      cgh.depends_on(after);
      cgh.single_task<Name>(f);
    });
  }
  template <class Name = detail::unnamed, class F>
  event single_task(const std::vector<event> &after, const F &f) {
    return submit([&](handler &cgh) {
      cgh.depends_on(after);
      cgh.single_task<Name>(f);
    });
  }

#define SYCL_PARALLEL_FOR(head, size_type)                                                         \
  template <class Name = detail::unnamed head> event parallel_for(size_type size, const F &f) {    \
    return submit([&](handler &cgh) { cgh.parallel_for<Name>(size, f); });                         \
  }                                                                                                \
  template <class Name = detail::unnamed head>                                                     \
  event parallel_for(size_type size, const event &after, const F &f) {                             \
    return submit([&](handler &cgh) {                                                              \
      cgh.depends_on(after);                                                                       \
      cgh.parallel_for<Name>(size, f);                                                             \
    });                                                                                            \
  }                                                                                                \
  template <class Name = detail::unnamed head>                                                     \
  event parallel_for(size_type size, const std::vector<event> &after, const F &f) {                \
    return submit([&](handler &cgh) {                                                              \
      cgh.depends_on(after);                                                                       \
      cgh.parallel_for<Name>(size, f);                                                             \
    });                                                                                            \
  }
#define SYCL_HEAD , class F
  SYCL_PARALLEL_FOR(SYCL_HEAD, range<1>)
  SYCL_PARALLEL_FOR(SYCL_HEAD, range<2>)
  SYCL_PARALLEL_FOR(SYCL_HEAD, range<3>)
#undef SYCL_HEAD
#define SYCL_HEAD , int D, class F
  SYCL_PARALLEL_FOR(SYCL_HEAD, nd_range<D>)
#undef SYCL_HEAD
#undef SYCL_PARALLEL_FOR

/* Defines a shortcut: its template head, its name, the arguments to pass on, its parameters. */
#define SYCL_SHORTCUT(head, name, arguments, ...)                                                  \
  head event name(__VA_ARGS__) {                                                                   \
    return submit([&](handler &cgh) { cgh.name arguments; });                                      \
  }                                                                                                \
  head event name(__VA_ARGS__, const event &after) {                                               \
    return submit([&](handler &cgh) {                                                              \
      cgh.depends_on(after);                                                                       \
      cgh.name arguments;                                                                          \
    });                                                                                            \
  }                                                                                                \
  head event name(__VA_ARGS__, const std::vector<event> &after) {                                  \
    return submit([&](handler &cgh) {                                                              \
      cgh.depends_on(after);                                                                       \
      cgh.name arguments;                                                                          \
    });                                                                                            \
  }
  SYCL_SHORTCUT(, memcpy, (to, from, bytes), void *to, const void *from, std::size_t bytes)
  SYCL_SHORTCUT(, memset, (to, value, bytes), void *to, int value, std::size_t bytes)
  SYCL_SHORTCUT(template <class T>, fill, (to, value, count), void *to, const T &value,
                std::size_t count)
  SYCL_SHORTCUT(template <class T>, copy, (from, to, count), const T *from, T *to,
                std::size_t count)
#undef SYCL_SHORTCUT

private:
  template <class Selector> static device choose(const context &in, const Selector &selector) {
    std::vector<device> devices = in.get_devices();
    const auto best =
        std::max_element(devices.begin(), devices.end(), [&](const device &a, const device &b) {
          return selector(a) < selector(b);
        });
    if (selector(*best) < 0)
      throw runtime_error("no device of the context has a score of 0 or more from the selector");
    return *best;
  }
  context ask(info::queue::context) const {
    return impl_->in;
  }
  device ask(info::queue::device) const {
    return impl_->of;
  }

  friend struct std::hash<queue>;
  friend bool operator==(const queue &a, const queue &b) noexcept {
    return a.impl_ == b.impl_;
  }
  friend bool operator!=(const queue &a, const queue &b) noexcept {
    return !(a == b);
  }

  std::shared_ptr<detail::queue_impl> impl_;
};

} // namespace sycl

template <> struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &q) const noexcept {
    return std::hash<const void *>()(q.impl_.get());
  }
};

#endif
