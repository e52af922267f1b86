// handler: the commands of a group. SYCL 2020, 4.9.4.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include <sycl/accessor.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/command_group.hpp>
#include <sycl/detail/entry.hpp>
#include <sycl/detail/host_run.hpp>
#include <sycl/event.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_handler.hpp>

namespace sycl {

class handler {
public:
  /* Commands of this group start after an event. */
  void depends_on(const event &e) {
    group_.waits.push_back(e);
  }
  void depends_on(const std::vector<event> &events) {
    for (const event &e : events)
      depends_on(e);
  }

  /*
   * Makes a placeholder one of this group's accessors. errc::accessor: its buffer is destroyed.
   */
  template <class T, int D, access_mode M, target Target, access::placeholder P>
  void require(const accessor<T, D, M, Target, P> &a) {
    accessor<T, D, M, Target, P> mine = a;
    mine.require(*this, a.part());
  }
  /* The elements of a buffer, as get_access of the buffer gives them. */
  template <access_mode M, target Target = target::device, class T, int D>
  accessor<T, D, M, Target, access::placeholder::false_t> get_access(const buffer<T, D> &of) {
    return of.template get_access<M, Target>(*this);
  }

  template <class Name = detail::unnamed, class F> void single_task(const F &f) {
#ifdef __SYCL_DEVICE_ONLY__
    detail::single_task_entry<detail::kernel_type<Name, F>, F>({f});
#else
    group_.launch<detail::kernel_type<Name, F>>(
        detail::this_unit(), f, detail::shape::of(range<1>(1), id<1>()),
        [](const F &g, kernel_handler h) { detail::invoke(g, h); });
#endif
  }
  template <class Name = detail::unnamed, int D, class F>
  void parallel_for(const range<D> &size, const F &f) {
    parallel_for<Name>(size, id<D>(), f);
  }
  template <class Name = detail::unnamed, class F, int D>
  void parallel_for(const range<D> &size, const id<D> &offset, const F &f) {
#ifdef __SYCL_DEVICE_ONLY__
    detail::range_entry<detail::kernel_type<Name, F>, F, D>({f});
#else
    group_.launch<detail::kernel_type<Name, F>>(
        detail::this_unit(), f, detail::shape::of(size, offset),
        [&](const F &g, kernel_handler h) { detail::host_run(size, offset, g, h); });
#endif
  }
  template <class Name = detail::unnamed, int D, class F>
  void parallel_for(const nd_range<D> &size, const F &f) {
#ifdef __SYCL_DEVICE_ONLY__
    detail::nd_range_entry<detail::kernel_type<Name, F>, F, D>({f});
#else
    group_.launch<detail::kernel_type<Name, F>>(
        detail::this_unit(), f, detail::shape::of(size),
        [&](const F &g, kernel_handler h) { detail::host_run(size, group_.local_memory, g, h); });
#endif
  }

  /* With a kernel that was built before: it runs in place of the function object's own. */
  template <class Name = detail::unnamed, class F> void single_task(const kernel &k, const F &f) {
    group_.kernel_object = std::make_shared<kernel>(k);
    single_task<Name>(f);
  }
  template <class Name = detail::unnamed, class Range, class F>
  void parallel_for(const kernel &k, const Range &size, const F &f) {
    group_.kernel_object = std::make_shared<kernel>(k);
    parallel_for<Name>(size, f);
  }

  /* The value of a constant in this group's kernel. */
  template <auto &S> void set_specialization_constant(detail::constant_type<S> value) {
    group_.constants.set(detail::get_spec_constant_symbolic_ID<S>(), &value, sizeof value);
  }
  template <auto &S> detail::constant_type<S> get_specialization_constant() const {
    return detail::constant_among<S>(group_.constants);
  }

  /*
   * Sets a constant of this group's kernel, or leaves it as it is, and gives its placeholder. The
   * kernel is built with the value, which may take its time.
   *
   * runtime_error, errc::invalid: the group has the id's placeholder already. When the kernel is
   * given: experimental::spec_const_error if it is a program's, because that is built.
   */
  template <typename T, spec_id<T> &s> spec_constant<T, s> set_spec_constant(T value) {
    return group_.constants.placeholder<s>(&value);
  }
  template <typename T, spec_id<T> *s> spec_constant<T, *s> set_spec_constant(T value) {
    return group_.constants.placeholder<*s>(&value);
  }
  template <auto &s>
  spec_constant<detail::constant_type<s>, s> set_spec_constant(detail::constant_type<s> value) {
    return group_.constants.placeholder<s>(&value);
  }
  template <typename T, spec_id<T> &s> spec_constant<T, s> get_spec_constant() {
    return group_.constants.placeholder<s>();
  }
  template <typename T, spec_id<T> *s> spec_constant<T, *s> get_spec_constant() {
    return group_.constants.placeholder<*s>();
  }
  template <auto &s> spec_constant<detail::constant_type<s>, s> get_spec_constant() {
    return group_.constants.placeholder<s>();
  }

private:
  friend class queue;
  friend void detail::require_memory(handler &, const std::shared_ptr<detail::buffer_part> &,
                                     access_mode, bool);
  friend std::size_t detail::require_local_memory(handler &, std::size_t, std::size_t);

  explicit handler(detail::queue_impl &of) noexcept : group_(of) {}

  detail::command_group group_;
};

namespace detail {

inline void require_memory(handler &cgh, const std::shared_ptr<buffer_part> &of, access_mode mode,
                           bool is_all) {
  cgh.group_.memory.add(of, mode, is_all);
}
inline std::size_t require_local_memory(handler &cgh, std::size_t size, std::size_t alignment) {
  std::size_t &all = cgh.group_.local_memory;
  const std::size_t offset = (all + alignment - 1) / alignment * alignment;
  all = offset + size;
  return offset;
}

} // namespace detail

} // namespace sycl

#endif
