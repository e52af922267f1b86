// accessor, local_accessor and host_accessor of SYCL 2020, 4.7.6, and the accessors of SYCL 1.2.1.
#ifndef SYCL_ACCESSOR_HPP
#define SYCL_ACCESSOR_HPP

#include <sycl/access.hpp>
#include <sycl/buffer.hpp>
#include <sycl/detail/builtins.hpp>
#include <sycl/detail/requirements.hpp>
#include <sycl/detail/view.hpp>
#include <sycl/multi_ptr.hpp>

#include <algorithm>

namespace sycl {

namespace detail {

/* Register an accessor's needs with a handler. */
void require_memory(handler &cgh, const std::shared_ptr<buffer_part> &of, access_mode mode,
                    bool is_all);
std::size_t require_local_memory(handler &cgh, std::size_t size, std::size_t alignment);
/* The local memory of the work-group that this thread runs on the host device. */
char *host_local_memory() noexcept;

template <class T, access_mode M>
using element = std::conditional_t<M == access_mode::read, const T, T>;

/* Throws if a part is not inside its buffer. */
template <int D> void check_part(const range<D> &of, const range<D> &size, const id<D> &first) {
  for (int i = 0; i < D; i++)
    if (first[i] > of[i] || size[i] > of[i] - first[i])
      throw accessor_error(
          errc::invalid, "an accessor's elements are outside of the buffer: " +
                             std::to_string(first[i]) + " and " + std::to_string(size[i]) + " of " +
                             std::to_string(of[i]) + " in dimension " + std::to_string(i));
}

/* The mode given by the tag among an accessor's arguments. */
template <class... More> struct mode_in {
  static constexpr access_mode mode = access_mode::read_write;
};
template <class First, class... More> struct mode_in<First, More...> : mode_in<More...> {};
template <access_mode M, class... More> struct mode_in<mode_tag_t<M>, More...> {
  static constexpr access_mode mode = M;
};
template <class... More> inline constexpr access_mode mode_of = mode_in<More...>::mode;

/* Stores a part's key in an accessor's pointer, until the runtime replaces it by an address. */
template <class T> T *from_key(buffer_part::key key) noexcept {
  return reinterpret_cast<T *>(static_cast<std::uintptr_t>(key));
}

/* Converts an accessor to another type for the same elements. */
template <class From, class To>
inline constexpr bool is_read_as =
    std::is_same_v<std::remove_const_t<From>, std::remove_const_t<To>>;

} // namespace detail

/*
 * Gives a kernel access to the elements of a buffer. An accessor is made for a command group, or is
 * a placeholder that handler::require adds to one. It is copied into the kernel as bytes, and its
 * elements can be used only there.
 *
 * Constructors throw errc::invalid when a part is not inside the buffer.
 */
template <class T, int Dimensions = 1,
          access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write,
          target Target = target::device,
          access::placeholder Placeholder = access::placeholder::false_t>
class accessor : public detail::view<accessor<T, Dimensions, Mode, Target, Placeholder>,
                                     detail::element<T, Mode>, Dimensions> {
  using view = detail::view<accessor, detail::element<T, Mode>, Dimensions>;
  using source = buffer<std::remove_const_t<T>, Dimensions>;
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "what is const can only be read");

public:
  using typename view::value_type;

  /* Without elements. */
  accessor() noexcept = default;

  /* ---- For a command group: a whole buffer, or a part of it ---- */

  accessor(const source &of, handler &cgh, const property_list &properties = {})
      : accessor(of, cgh, of.get_range(), {}, properties) {}
  template <access_mode M>
  accessor(const source &of, handler &cgh, mode_tag_t<M>, const property_list &properties = {})
      : accessor(of, cgh, properties) {}
  accessor(const source &of, handler &cgh, range<Dimensions> size,
           const property_list &properties = {})
      : accessor(of, cgh, size, {}, properties) {}
  template <access_mode M>
  accessor(const source &of, handler &cgh, range<Dimensions> size, mode_tag_t<M>,
           const property_list &properties = {})
      : accessor(of, cgh, size, {}, properties) {}
  accessor(const source &of, handler &cgh, range<Dimensions> size, id<Dimensions> first,
           const property_list &properties = {})
      : accessor(of, size, first, properties) {
    require(cgh, of.part());
  }
  template <access_mode M>
  accessor(const source &of, handler &cgh, range<Dimensions> size, id<Dimensions> first,
           mode_tag_t<M>, const property_list &properties = {})
      : accessor(of, cgh, size, first, properties) {}

  /* ---- Placeholders ---- */

  explicit accessor(const source &of, const property_list &properties = {})
      : accessor(of, of.get_range(), {}, properties) {}
  template <access_mode M>
  accessor(const source &of, mode_tag_t<M>, const property_list &properties = {})
      : accessor(of, properties) {}
  accessor(const source &of, range<Dimensions> size, const property_list &properties = {})
      : accessor(of, size, {}, properties) {}
  template <access_mode M>
  accessor(const source &of, range<Dimensions> size, mode_tag_t<M>,
           const property_list &properties = {})
      : accessor(of, size, {}, properties) {}
  accessor(const source &of, range<Dimensions> size, id<Dimensions> first,
           const property_list &properties = {})
      : view(of.get_range(), size), data_(detail::from_key<value_type>(of.part()->get_key())),
        start_(detail::linear(first, of.get_range()) * sizeof(T)), first_(first),
        mode_(detail::with(Mode, properties)), is_placeholder_(true) {
    detail::check_part(of.get_range(), size, first);
  }
  template <access_mode M>
  accessor(const source &of, range<Dimensions> size, id<Dimensions> first, mode_tag_t<M>,
           const property_list &properties = {})
      : accessor(of, size, first, properties) {}

  /* Read-only accessors of T and of const T convert to each other. */
  template <class U, access_mode M, access::placeholder P, access_mode Mine = Mode,
            class = std::enable_if_t<Mine == access_mode::read && detail::is_read_as<U, T> &&
                                     (M == access_mode::read || M == access_mode::read_write) &&
                                     !(std::is_same_v<U, T> && M == Mode && P == Placeholder)>>
  accessor(const accessor<U, Dimensions, M, Target, P> &other) noexcept
      : view(other.memory_, other.range_), data_(other.data_), start_(other.start_),
        first_(other.first_), mode_(other.mode_), is_placeholder_(other.is_placeholder_) {}

  void swap(accessor &other) noexcept {
    std::swap(*this, other);
  }
  bool is_placeholder() const noexcept {
    return is_placeholder_ != 0;
  }
  id<Dimensions> get_offset() const noexcept {
    return first_;
  }
  /* The start of the buffer, even if the accessor is for a part of it. Only for use in kernels. */
  global_ptr<value_type> get_pointer() const noexcept {
    return global_ptr<value_type>(base());
  }
  template <access::decorated Decorated = access::decorated::legacy>
  multi_ptr<value_type, access::address_space::global_space, Decorated>
  get_multi_ptr() const noexcept {
    return multi_ptr<value_type, access::address_space::global_space, Decorated>(base());
  }

  friend bool operator==(const accessor &a, const accessor &b) noexcept {
    return a.data_ == b.data_ && a.start_ == b.start_ && a.range_ == b.range_ && a.mode_ == b.mode_;
  }
  friend bool operator!=(const accessor &a, const accessor &b) noexcept {
    return !(a == b);
  }

private:
  friend view;
  friend class handler;
  template <class, int, access_mode, target, access::placeholder> friend class accessor;

  value_type *data() const noexcept {
    return data_;
  }
  value_type *base() const noexcept {
    return reinterpret_cast<value_type *>(reinterpret_cast<std::uintptr_t>(data_) - start_);
  }
  void require(handler &cgh, const std::shared_ptr<detail::buffer_part> &of) {
    detail::require_memory(cgh, of, mode_, this->range_ == this->memory_);
    is_placeholder_ = false;
  }
  /* The buffer. errc::accessor: it is destroyed. */
  std::shared_ptr<detail::buffer_part> part() const {
    std::shared_ptr<detail::buffer_part> of = detail::buffer_part::find(
        static_cast<detail::buffer_part::key>(reinterpret_cast<std::uintptr_t>(data_)));
    if (!of)
      throw accessor_error("the accessor has no buffer, or its buffer is destroyed");
    return of;
  }

  /* The first element in a kernel; elsewhere the part's key, see requirements_use::resolve. */
  value_type *data_ = nullptr;
  std::size_t start_ = 0; /* offset of the first element in the buffer, in bytes */
  id<Dimensions> first_;
  /* The next two members together fill 8 bytes, so that the object has no padding. */
  access_mode mode_ = Mode;
  std::uint32_t is_placeholder_ = true;
};

template <class T, int D, class... More>
accessor(const buffer<T, D> &, const More &...)
    -> accessor<T, D, detail::mode_of<More...>, target::device, access::placeholder::false_t>;
template <class T, int D, access_mode M>
accessor(const buffer<T, D> &, const handler &, mode_tag_t<M>, const property_list &)
    -> accessor<T, D, M, target::device, access::placeholder::false_t>;

/* An accessor without dimensions: the first element of a buffer. */
template <class T, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor<T, 0, Mode, Target, Placeholder> {
  using source = buffer<std::remove_const_t<T>, 1>;

public:
  using value_type = detail::element<T, Mode>;
  using reference = value_type &;

  accessor(const source &of, handler &cgh, const property_list &properties = {})
      : first_(of, cgh, range<1>(1), properties) {}
  template <access_mode M>
  accessor(const source &of, handler &cgh, mode_tag_t<M>, const property_list &properties = {})
      : accessor(of, cgh, properties) {}

  operator reference() const noexcept {
    return first_[0];
  }
  const accessor &operator=(const T &value) const noexcept {
    first_[0] = value;
    return *this;
  }
  std::size_t size() const noexcept {
    return 1;
  }
  std::size_t byte_size() const noexcept {
    return sizeof(T);
  }

private:
  accessor<T, 1, Mode, Target, Placeholder> first_;
};

/* Memory of which each work-group has its own. */
template <class T, int Dimensions = 1>
class local_accessor : public detail::view<local_accessor<T, Dimensions>, T, Dimensions> {
  static_assert(is_device_copyable_v<T>, "elements of local memory are bytes");
  using view = detail::view<local_accessor, T, Dimensions>;

public:
  /* Without elements. */
  local_accessor() noexcept = default;
  local_accessor(range<Dimensions> size, handler &cgh, const property_list & = {})
      : view(size, size),
        offset_(detail::require_local_memory(cgh, size.size() * sizeof(T), alignof(T))) {}

  local_ptr<T> get_pointer() const noexcept {
    return local_ptr<T>(data());
  }
  template <access::decorated Decorated = access::decorated::legacy>
  multi_ptr<T, access::address_space::local_space, Decorated> get_multi_ptr() const noexcept {
    return multi_ptr<T, access::address_space::local_space, Decorated>(data());
  }
  friend bool operator==(const local_accessor &a, const local_accessor &b) noexcept {
    return a.offset_ == b.offset_ && a.range_ == b.range_;
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) noexcept {
    return !(a == b);
  }

private:
  friend view;

  T *data() const noexcept {
#ifdef __SYCL_DEVICE_ONLY__
    return (T *)(__specpi_local_memory() + offset_);
#else
    return reinterpret_cast<T *>(detail::host_local_memory() + offset_);
#endif
  }

  std::size_t offset_ = 0;
};

/* SYCL 1.2.1's way to write it. */
template <class T, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<T, Dimensions, Mode, target::local, P> : public local_accessor<T, Dimensions> {
public:
  using local_accessor<T, Dimensions>::local_accessor;
};

/*
 * Gives the host access to the elements. The constructor waits for the commands that use them.
 * Until the last copy of the accessor ends, commands with conflicting access wait; those that the
 * accessor's own thread submits throw accessor_error.
 *
 * Constructors throw errc::invalid when a part is not inside the buffer, and the error of a command
 * that failed to write the elements.
 */
template <class T, int Dimensions = 1,
          access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write>
class host_accessor : public detail::view<host_accessor<T, Dimensions, Mode>,
                                          detail::element<T, Mode>, Dimensions> {
  using view = detail::view<host_accessor, detail::element<T, Mode>, Dimensions>;
  using source = buffer<std::remove_const_t<T>, Dimensions>;

public:
  using typename view::value_type;

  /* Without elements. */
  host_accessor() noexcept = default;
  explicit host_accessor(const source &of, const property_list &properties = {})
      : host_accessor(of, of.get_range(), {}, properties) {}
  template <access_mode M>
  host_accessor(const source &of, mode_tag_t<M>, const property_list &properties = {})
      : host_accessor(of, properties) {}
  host_accessor(const source &of, range<Dimensions> size, const property_list &properties = {})
      : host_accessor(of, size, {}, properties) {}
  template <access_mode M>
  host_accessor(const source &of, range<Dimensions> size, mode_tag_t<M>,
                const property_list &properties = {})
      : host_accessor(of, size, {}, properties) {}
  host_accessor(const source &of, range<Dimensions> size, id<Dimensions> first,
                const property_list &properties = {})
      : view(of.get_range(), size), first_(first) {
    detail::check_part(of.get_range(), size, first);
    held_ = std::make_shared<const detail::host_use>(of.part(), detail::with(Mode, properties),
                                                     size == of.get_range());
    data_ = reinterpret_cast<value_type *>(held_->address()) + detail::linear(first, this->memory_);
  }
  template <access_mode M>
  host_accessor(const source &of, range<Dimensions> size, id<Dimensions> first, mode_tag_t<M>,
                const property_list &properties = {})
      : host_accessor(of, size, first, properties) {}

  void swap(host_accessor &other) noexcept {
    std::swap(*this, other);
  }
  id<Dimensions> get_offset() const noexcept {
    return first_;
  }
  /* The start of the buffer. */
  value_type *get_pointer() const noexcept {
    return data_ - detail::linear(first_, this->memory_);
  }
  friend bool operator==(const host_accessor &a, const host_accessor &b) noexcept {
    return a.held_ == b.held_;
  }
  friend bool operator!=(const host_accessor &a, const host_accessor &b) noexcept {
    return !(a == b);
  }

private:
  friend view;

  value_type *data() const noexcept {
    return data_;
  }

  value_type *data_ = nullptr;
  id<Dimensions> first_;
  std::shared_ptr<const detail::host_use> held_;
};
template <class T, int D, class... More>
host_accessor(const buffer<T, D> &, const More &...)
    -> host_accessor<T, D, detail::mode_of<More...>>;
template <class T, int D, access_mode M>
host_accessor(const buffer<T, D> &, mode_tag_t<M>, const property_list &) -> host_accessor<T, D, M>;

/* SYCL 1.2.1's way to write it. */
template <class T, int Dimensions, access_mode Mode, access::placeholder P>
class accessor<T, Dimensions, Mode, target::host_buffer, P>
    : public host_accessor<T, Dimensions, Mode> {
public:
  using host_accessor<T, Dimensions, Mode>::host_accessor;
};

} // namespace sycl

#endif
