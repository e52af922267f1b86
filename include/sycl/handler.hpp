// handler: collects a command group. SYCL 2020, 4.9.4.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include <sycl/accessor.hpp>
#include <sycl/context.hpp>
#include <sycl/detail/command_group.hpp>
#include <sycl/detail/entry.hpp>
#include <sycl/detail/host_run.hpp>
#include <sycl/event.hpp>
#include <sycl/h_item.hpp>
#include <sycl/kernel.hpp>
#include <sycl/kernel_bundle.hpp>
#include <sycl/kernel_handler.hpp>
#include <sycl/module.hpp>

namespace sycl {

namespace detail {

/* Functions that run a function object on the host device, one for each kind of kernel command. */
template <class F>
void run_single_task(const command_group &, const void *f, kernel_handler handler) {
  invoke(*static_cast<const F *>(f), handler);
}
template <int D, class F>
void run_range(const command_group &group, const void *f, kernel_handler handler) {
  host_run(group.size.global<D>(), group.size.offset<D>(), *static_cast<const F *>(f), handler);
}
template <int D, class F>
void run_nd_range(const command_group &group, const void *f, kernel_handler handler) {
  host_run(nd_range<D>(group.size.global<D>(), group.size.local<D>(), group.size.offset<D>()),
           group.local_memory, *static_cast<const F *>(f), handler);
}
template <int D, class F>
void run_groups(const command_group &group, const void *f, kernel_handler handler) {
  host_run_groups(group.size.global<D>() / group.size.local<D>(), group.size.local<D>(),
                  group.local_memory, *static_cast<const F *>(f), handler);
}

/* Enables an overload for function objects only, not for kernel objects. */
template <class F> using if_function = std::enable_if_t<!std::is_same_v<std::decay_t<F>, kernel>>;

} // namespace detail

/*
 * Collects a command group: one command and its requirements. The command is submitted when the
 * group's function returns. A group without a command is complete when its dependencies are.
 * Functions that set a command throw errc::invalid when there is one already.
 *
 * The name of a kernel is the template argument Name, which may be incomplete, or else the type of
 * the function object, which may be a lambda. Function objects are copied to the device as bytes.
 */
class handler {
public:
  /* Lets this group's command start only after an event. */
  void depends_on(const event &e);
  void depends_on(const std::vector<event> &events);

  /*
   * Makes a placeholder one of this group's accessors. errc::accessor: its buffer is destroyed.
   */
  template <class T, int D, access_mode M, target Target, access::placeholder P>
  void require(const accessor<T, D, M, Target, P> &a) {
    accessor<T, D, M, Target, P> mine = a;
    mine.require(*this, a.part());
  }
  /* The same accessor that get_access of the buffer returns. */
  template <access_mode M, target Target = target::device, class T, int D>
  accessor<T, D, M, Target, access::placeholder::false_t> get_access(const buffer<T, D> &of) {
    return of.template get_access<M, Target>(*this);
  }

  /* ---- Kernels ---- */

  template <class Name = detail::unnamed, class F, class = detail::if_function<F>,
            class Unit = detail::own_unit>
  void single_task(const F &f) {
    static_assert(detail::is_kernel<F>, "a single_task's function object is called with nothing or "
                                        "a kernel_handler, and its operator() is const");
#ifdef __SYCL_DEVICE_ONLY__
    detail::single_task_entry<detail::kernel_type<Name, F>, F>({f});
#else
    group_.set_kernel<detail::kernel_type<Name, F>, Unit>(detail::this_unit(), f,
                                                          detail::shape::of(range<1>(1), id<1>()),
                                                          detail::run_single_task<F>);
#endif
  }
  /* Runs kernel k, which was built before, in place of the function object's own kernel. */
  template <class Name = detail::unnamed, class F> void single_task(const kernel &k, const F &f) {
    group_.use_kernel(k);
    single_task<Name>(f);
  }
  /* Runs a kernel whose arguments set_arg sets. */
  void single_task(const kernel &k);

/* Not templates, so that a range may be written as a number or in braces. */
#define SYCL_PARALLEL_FOR(D)                                                                       \
  template <class Name = detail::unnamed, class F, class = detail::if_function<F>,                 \
            class Unit = detail::own_unit>                                                         \
  void parallel_for(range<D> size, const F &f) {                                                   \
    range_kernel<Name, Unit>(size, id<D>(), f);                                                    \
  }                                                                                                \
  template <class Name = detail::unnamed, class F, class = detail::if_function<F>,                 \
            class Unit = detail::own_unit>                                                         \
  void parallel_for(range<D> size, id<D> offset, const F &f) {                                     \
    range_kernel<Name, Unit>(size, offset, f);                                                     \
  }                                                                                                \
  template <class Name = detail::unnamed, class F>                                                 \
  void parallel_for(const kernel &k, range<D> size, const F &f) {                                  \
    parallel_for<Name>(k, size, id<D>(), f);                                                       \
  }                                                                                                \
  template <class Name = detail::unnamed, class F>                                                 \
  void parallel_for(const kernel &k, range<D> size, id<D> offset, const F &f) {                    \
    group_.use_kernel(k);                                                                          \
    range_kernel<Name, detail::own_unit>(size, offset, f);                                         \
  }                                                                                                \
  void parallel_for(range<D> size, const kernel &k) { parallel_for(size, id<D>(), k); }            \
  void parallel_for(range<D> size, id<D> offset, const kernel &k) {                                \
    group_.set_kernel(k, detail::shape::of(size, offset));                                         \
  }
  SYCL_PARALLEL_FOR(1)
  SYCL_PARALLEL_FOR(2)
  SYCL_PARALLEL_FOR(3)
#undef SYCL_PARALLEL_FOR

  /*
   * nd_range_error: a local size is 0 or does not divide the global size; or, at submission: a
   * group is larger than the device allows.
   */
  template <class Name = detail::unnamed, int D, class F, class = detail::if_function<F>,
            class Unit = detail::own_unit>
  void parallel_for(nd_range<D> size, const F &f) {
    static_assert(detail::is_kernel<F, nd_item<D>>,
                  "the function object of a parallel_for over an nd_range is called with an "
                  "nd_item of its dimensions, and may be with a kernel_handler, and its operator() "
                  "is const");
#ifdef __SYCL_DEVICE_ONLY__
    detail::nd_range_entry<detail::kernel_type<Name, F>, F, D>({f});
#else
    group_.set_kernel<detail::kernel_type<Name, F>, Unit>(
        detail::this_unit(), f, detail::shape::of(size), detail::run_nd_range<D, F>);
#endif
  }
  template <class Name = detail::unnamed, int D, class F>
  void parallel_for(const kernel &k, nd_range<D> size, const F &f) {
    group_.use_kernel(k);
    parallel_for<Name>(size, f);
  }
  template <int D> void parallel_for(nd_range<D> size, const kernel &k) {
    group_.set_kernel(k, detail::shape::of(size));
  }

  /*
   * A hierarchical kernel: calls f once for each group; f calls parallel_for_work_item, see
   * h_item.hpp. nd_range_error: as for an nd_range, or a group on a device has more than 1024
   * work-items.
   */
  template <class Name = detail::unnamed, int D, class F, class Unit = detail::own_unit>
  void parallel_for_work_group([[maybe_unused]] range<D> groups, [[maybe_unused]] range<D> local,
                               const F &f) {
    static_assert(detail::is_kernel<F, group<D>>,
                  "the function object of a parallel_for_work_group is called with a group of its "
                  "dimensions, and may be with a kernel_handler, and its operator() is const");
#ifdef __SYCL_DEVICE_ONLY__
    detail::work_group_entry<detail::kernel_type<Name, F>, F, D>({f});
#else
    if (!group_.queue.of.is_host() && local.size() > detail::two_level_group_size)
      throw nd_range_error(errc::nd_range, "a work-group of parallel_for_work_group has " +
                                               std::to_string(local.size()) +
                                               " work-items, and on devices at most " +
                                               std::to_string(detail::two_level_group_size));
    group_.set_kernel<detail::kernel_type<Name, F>, Unit>(
        detail::this_unit(), f, detail::shape::of(nd_range<D>(groups * local, local)),
        detail::run_groups<D, F>);
#endif
  }
  template <class Name = detail::unnamed, int D, class F, class Unit = detail::own_unit>
  void parallel_for_work_group(range<D> groups, const F &f) {
    range<D> one;
    for (int i = 0; i < D; i++)
      one[i] = 1;
    parallel_for_work_group<Name, D, F, Unit>(groups, one, f);
  }

  /*
   * Sets an argument, counted from 0, of a kernel without a function object: an accessor, a local
   * accessor, a pointer, or a value that is copied as bytes. The last call for an index counts.
   *
   * errc::kernel_argument: the index is negative, or a local accessor has no elements; or, at
   * submission: an argument is missing, or the kernel has no argument of that index. errc::runtime
   * at submission: the driver expects a value of another size.
   */
  template <class T> void set_arg(int index, const T &value) {
    group_.arguments.set(index, value);
  }
  /* Sets all arguments in their order. */
  template <class... T> void set_args(const T &...values) {
    int index = 0;
    (set_arg(index++, values), ...);
  }

  /* ---- Memory ---- */

  /*
   * Copies bytes. Both ends are unified shared memory or the host's memory, which must stay valid
   * until the copy is complete. A copy of 0 bytes does nothing, whatever the addresses are.
   *
   * For this and the functions below: errc::invalid: there are more elements than memory can have;
   * or, at submission: an address is NULL, or source and destination overlap. feature_not_supported
   * at submission: the queue's device cannot reach unified shared memory of another device.
   */
  void memcpy(void *to, const void *from, std::size_t bytes);
  template <class T> void copy(const T *from, T *to, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "elements are copied as bytes");
    memcpy(to, from, bytes_of<T>(count));
  }
  void memset(void *to, int value, std::size_t bytes);
  template <class T> void fill(void *to, const T &value, std::size_t count) {
    fill_bytes(detail::memory_end(to), value, count);
  }
  /*
   * Copies between accessors. errc::invalid: the destination is smaller than the source. At
   * submission: feature_not_supported: the elements of an accessor are not contiguous;
   * errc::kernel_argument: the accessor is a placeholder that was not required.
   */
  template <class T, int D, access_mode M, target X, access::placeholder P>
  void fill(const accessor<T, D, M, X, P> &to, const T &value) {
    check_written<M>();
    fill_bytes(end_of(to), value, to.size());
  }
  template <class T, int D, access_mode M, target X, access::placeholder P>
  void copy(const accessor<T, D, M, X, P> &from, std::remove_const_t<T> *to) {
    check_read<M>();
    copy_bytes(detail::memory_end(to), end_of(from), from.size() * sizeof(T));
  }
  template <class T, int D, access_mode M, target X, access::placeholder P>
  void copy(const T *from, const accessor<T, D, M, X, P> &to) {
    check_written<M>();
    copy_bytes(end_of(to), detail::memory_end(from), to.size() * sizeof(T));
  }
  template <class T, int D, access_mode M, target X, access::placeholder P, class U, int E,
            access_mode N, target Y, access::placeholder Q>
  void copy(const accessor<T, D, M, X, P> &from, const accessor<U, E, N, Y, Q> &to) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>,
                  "a copy is between elements of one type");
    check_read<M>();
    check_written<N>();
    if (to.size() < from.size())
      throw runtime_error(errc::invalid, "the destination of a copy has " +
                                             std::to_string(to.size()) + " elements, the source " +
                                             std::to_string(from.size()));
    copy_bytes(end_of(to), end_of(from), from.size() * sizeof(T));
  }

  /* ---- Specialization constants ---- */

  /*
   * Sets a constant for this group's kernel only. A constant that the kernel does not use has no
   * effect. errc::invalid: the group uses a kernel bundle.
   */
  template <auto &S> void set_specialization_constant(detail::constant_type<S> value) {
    require_no_bundle();
    group_.constants.set(detail::id_of<S>(), &value, sizeof value);
  }
  /* The value that was set here, or else the default. errc::invalid: the group uses a kernel
   * bundle. */
  template <auto &S> detail::constant_type<S> get_specialization_constant() const {
    require_no_bundle();
    return detail::constant_among<S>(group_.constants);
  }
  /*
   * Takes the kernel and the values of its constants from a bundle. The last bundle counts.
   *
   * errc::invalid: the bundle is of another context than the queue, or the group has set a
   * constant. kernel_not_found with errc::kernel_not_supported, at submission: the bundle does not
   * have the kernel for the queue's device.
   */
  void use_kernel_bundle(const kernel_bundle<bundle_state::executable> &bundle);

  /*
   * Return the placeholder of a constant of this group's kernel. set_spec_constant sets the
   * constant before; get_spec_constant leaves it as it is. The kernel is built with the value,
   * which may take long. The value is kept in the unit's module for later groups. unit is the
   * caller's unit: do not pass it.
   *
   * runtime_error, errc::invalid: the group has the constant's placeholder already; or, at
   * submission: the group uses a module, or a kernel of one, that was built with another value.
   * experimental::spec_const_error, when the kernel is set: it is a program's, which is built
   * already.
   */
  template <typename T, spec_id<T> &s> spec_constant<T, s> set_spec_constant(T value) {
    return group_.constants.set_placeholder<s>(value);
  }
  template <typename T, spec_id<T> *s> spec_constant<T, *s> set_spec_constant(T value) {
    return group_.constants.set_placeholder<*s>(value);
  }
  template <auto &s>
  spec_constant<detail::constant_type<s>, s> set_spec_constant(detail::constant_type<s> value) {
    return group_.constants.set_placeholder<s>(value);
  }
  template <typename T, spec_id<T> &s>
  spec_constant<T, s> get_spec_constant(const char *unit = detail::this_unit()) {
    return group_.constants.placeholder<s>(group_.present_value<s>(unit));
  }
  template <typename T, spec_id<T> *s>
  spec_constant<T, *s> get_spec_constant(const char *unit = detail::this_unit()) {
    return group_.constants.placeholder<*s>(group_.present_value<*s>(unit));
  }
  template <auto &s>
  spec_constant<detail::constant_type<s>, s>
  get_spec_constant(const char *unit = detail::this_unit()) {
    return group_.constants.placeholder<s>(group_.present_value<s>(unit));
  }

  /*
   * Takes this group's kernels from a module only. selector(begin, end) selects one image of it,
   * and is not called for an empty module. SYCL Modules, "Dispatching kernels associated with a
   * module". The host device runs the function object itself, whatever the module contains.
   *
   * invalid_object: the module is of another context, or the image is not of the module or not for
   * the queue's device. runtime_error, errc::invalid: the group uses a module or bundle already, or
   * has its command. At submission: kernel_not_found: the module, or the image, does not have the
   * kernel; invalid_kernel: the group's kernel object is not of the module.
   */
  void use_module(module<module_state::executable> module_with_kernels);
  template <class DeviceImageSelector>
  void use_module(module<module_state::executable> module_with_kernels,
                  DeviceImageSelector selector) {
    const detail::module_ptr &impl = detail::module_access::impl(module_with_kernels);
    detail::device_image_ptr selected;
    if (module_with_kernels.begin() != module_with_kernels.end()) {
      const module_device_image image =
          selector(module_with_kernels.begin(), module_with_kernels.end());
      if (!impl->has(image.impl()))
        throw invalid_object("the selector gave a device image that is not of the module");
      if (image.get_device() != group_.queue.of)
        throw invalid_object("the selector gave a device image for device " +
                             image.get_device().get_info<info::device::name>() +
                             ", and the queue is of " +
                             group_.queue.of.get_info<info::device::name>());
      selected = image.impl();
    }
    group_.use_module(module_with_kernels.get_context(), impl, selected);
  }

private:
  friend class queue;
  friend void detail::require_memory(handler &, const std::shared_ptr<detail::buffer_part> &,
                                     access_mode, bool);
  friend std::size_t detail::require_local_memory(handler &, std::size_t, std::size_t);
  template <class T, spec_id<T> &s>
  friend spec_constant<T, s> detail::placeholder_of(handler &, const T &);

  explicit handler(const std::shared_ptr<detail::queue_impl> &of) : group_(of) {}

  template <class Name, class Unit, int D, class F>
  void range_kernel([[maybe_unused]] const range<D> &size, [[maybe_unused]] const id<D> &offset,
                    const F &f) {
    static_assert(detail::is_range_kernel<F, D>,
                  "the function object of a parallel_for over a range is called with an item or an "
                  "id of its dimensions, or in one dimension with an integer, and may be with a "
                  "kernel_handler, and its operator() is const");
#ifdef __SYCL_DEVICE_ONLY__
    detail::range_entry<detail::kernel_type<Name, F>, F, D>({f});
#else
    group_.set_kernel<detail::kernel_type<Name, F>, Unit>(
        detail::this_unit(), f, detail::shape::of(size, offset), detail::run_range<D, F>);
#endif
  }

  template <access_mode M> static constexpr void check_read() noexcept {
    static_assert(M == access_mode::read || M == access_mode::read_write,
                  "the source of a copy is an accessor that reads");
  }
  template <access_mode M> static constexpr void check_written() noexcept {
    static_assert(detail::writes(M), "what is copied to or filled is an accessor that writes");
  }
  template <class T> static std::size_t bytes_of(std::size_t count) {
    if (count > SIZE_MAX / sizeof(T))
      throw runtime_error(errc::invalid, std::to_string(count) + " elements of " +
                                             std::to_string(sizeof(T)) +
                                             " bytes are more than memory can have");
    return count * sizeof(T);
  }
  void copy_bytes(detail::memory_end to, detail::memory_end from, std::size_t bytes);
  template <class T> void fill_bytes(detail::memory_end to, const T &value, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "elements are copied as bytes");
    detail::memory_command command;
    command.to = std::move(to);
    command.is_fill = true;
    command.size = bytes_of<T>(count);
    const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
    command.pattern.assign(bytes, bytes + sizeof value);
    group_.set_memory(std::move(command));
  }
  template <class T, int D, access_mode M, target X, access::placeholder P>
  static detail::memory_end end_of(const accessor<T, D, M, X, P> &of) {
    using type = accessor<T, D, M, X, P>;
    /* This is called after the accessor's key was replaced by its address. */
    return {of, [](const void *accessor) -> const void * {
              const type &mine = *static_cast<const type *>(accessor);
              if (mine.size() == 0)
                return nullptr;
              const auto *first = &mine[id<D>()];
              if (static_cast<std::size_t>(&mine[id<D>(mine.get_range()) - 1] - first) !=
                  mine.size() - 1)
                throw feature_not_supported("the elements of the accessor are not contiguous, "
                                            "and one command cannot copy or fill them");
              return first;
            }};
  }

  void require_no_bundle() const;

  detail::command_group group_;
};

namespace detail {

template <class T, spec_id<T> &s> spec_constant<T, s> placeholder_of(handler &cgh, const T &value) {
  return cgh.group_.constants.template placeholder<s>(value);
}

void require_memory(handler &cgh, const std::shared_ptr<buffer_part> &of, access_mode mode,
                    bool is_all);
std::size_t require_local_memory(handler &cgh, std::size_t size, std::size_t alignment);

} // namespace detail

} // namespace sycl

#endif
