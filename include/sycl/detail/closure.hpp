// A command's copy of its function object as bytes, kept until the command is submitted.
#ifndef SYCL_DETAIL_CLOSURE_HPP
#define SYCL_DETAIL_CLOSURE_HPP

#include <sycl/device_copyable.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace sycl::detail {

/*
 * Clears the padding between a function object's members, if the compiler has a builtin for it, so
 * that requirements_use::resolve finds no stale key there.
 */
template <class F> void clear_padding([[maybe_unused]] F &object) noexcept {
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_trivially_copyable_v<F>)
    __builtin_clear_padding(&object);
#endif
#endif
}

class closure_bytes {
public:
  closure_bytes() noexcept = default;
  closure_bytes(const closure_bytes &) = delete;
  closure_bytes &operator=(const closure_bytes &) = delete;
  ~closure_bytes() {
    release();
  }

  template <class F> void store(const F &f) {
    /* The second condition is for lambdas that capture a pair: they can be copied as bytes, but are
     * not trivially assignable. */
    static_assert(is_device_copyable_v<F> || std::is_trivially_copy_constructible_v<F>,
                  "what a kernel captures is copied to the device as bytes");
    release();
    if (sizeof f > sizeof here_ || alignof(F) > alignment) {
      alignment_ = alignof(F) > alignment ? alignof(F) : alignment;
      far_ = ::operator new(sizeof f, std::align_val_t(alignment_));
    }
    size_ = sizeof f;
    clear_padding(*::new (get()) F(f));
  }
  void *get() noexcept {
    return far_ ? far_ : here_;
  }
  std::size_t size() const noexcept {
    return size_;
  }

private:
  void release() noexcept {
    if (far_)
      ::operator delete(far_, std::align_val_t(alignment_));
    far_ = nullptr;
  }

  static constexpr std::size_t alignment = 64;
  alignas(alignment) unsigned char here_[1024];
  void *far_ = nullptr; /* allocated for objects that do not fit into here_ */
  std::size_t alignment_ = alignment;
  std::size_t size_ = 0;
};

} // namespace sycl::detail

#endif
