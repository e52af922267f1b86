/*
 * Unified shared memory: SYCL 2020, 4.8. Pointers are the same for the host and kernels. Memory
 * stays allocated until free. On the host device all kinds are the host's memory.
 */
#ifndef SYCL_USM_HPP
#define SYCL_USM_HPP

#include <sycl/detail/usm_memory.hpp>
#include <sycl/queue.hpp>

#include <cstdint>

namespace sycl {

/* ---- Allocation of bytes or elements, for a queue or for a device and a context ---- */

void *aligned_alloc(std::size_t alignment, std::size_t size, const device &of, const context &in,
                    usm::alloc kind);
void *aligned_alloc(std::size_t alignment, std::size_t size, const queue &of, usm::alloc kind);
void *malloc(std::size_t size, const device &of, const context &in, usm::alloc kind);
void *malloc(std::size_t size, const queue &of, usm::alloc kind);
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const device &of, const context &in,
                 usm::alloc kind) {
  if (count > SIZE_MAX / sizeof(T))
    return nullptr;
  return static_cast<T *>(
      sycl::aligned_alloc(std::max(alignment, alignof(T)), count * sizeof(T), of, in, kind));
}
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &of, usm::alloc kind) {
  return sycl::aligned_alloc<T>(alignment, count, of.get_device(), of.get_context(), kind);
}
template <class T>
T *malloc(std::size_t count, const device &of, const context &in, usm::alloc kind) {
  return sycl::aligned_alloc<T>(0, count, of, in, kind);
}
template <class T> T *malloc(std::size_t count, const queue &of, usm::alloc kind) {
  return sycl::aligned_alloc<T>(0, count, of, kind);
}

/* X(kind): malloc_device and the like. */
#define SYCL_DETAIL_USM_KINDS(X) X(device) X(shared)
#define SYCL_DETAIL_USM_KIND(kind)                                                                 \
  inline void *aligned_alloc_##kind(std::size_t alignment, std::size_t size, const device &of,     \
                                    const context &in) {                                           \
    return sycl::aligned_alloc(alignment, size, of, in, usm::alloc::kind);                         \
  }                                                                                                \
  inline void *aligned_alloc_##kind(std::size_t alignment, std::size_t size, const queue &of) {    \
    return sycl::aligned_alloc(alignment, size, of, usm::alloc::kind);                             \
  }                                                                                                \
  template <class T>                                                                               \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const device &of,              \
                          const context &in) {                                                     \
    return sycl::aligned_alloc<T>(alignment, count, of, in, usm::alloc::kind);                     \
  }                                                                                                \
  template <class T>                                                                               \
  T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const queue &of) {             \
    return sycl::aligned_alloc<T>(alignment, count, of, usm::alloc::kind);                         \
  }                                                                                                \
  inline void *malloc_##kind(std::size_t size, const device &of, const context &in) {              \
    return sycl::malloc(size, of, in, usm::alloc::kind);                                           \
  }                                                                                                \
  inline void *malloc_##kind(std::size_t size, const queue &of) {                                  \
    return sycl::malloc(size, of, usm::alloc::kind);                                               \
  }                                                                                                \
  template <class T> T *malloc_##kind(std::size_t count, const device &of, const context &in) {    \
    return sycl::malloc<T>(count, of, in, usm::alloc::kind);                                       \
  }                                                                                                \
  template <class T> T *malloc_##kind(std::size_t count, const queue &of) {                        \
    return sycl::malloc<T>(count, of, usm::alloc::kind);                                           \
  }
SYCL_DETAIL_USM_KINDS(SYCL_DETAIL_USM_KIND)
#undef SYCL_DETAIL_USM_KIND
#undef SYCL_DETAIL_USM_KINDS

/* Host memory for the context's first device only, because libspecpi has a context for each device.
 */
void *aligned_alloc_host(std::size_t alignment, std::size_t size, const context &in);
void *aligned_alloc_host(std::size_t alignment, std::size_t size, const queue &of);
void *malloc_host(std::size_t size, const context &in);
void *malloc_host(std::size_t size, const queue &of);
template <class T> T *malloc_host(std::size_t count, const context &in) {
  return sycl::malloc<T>(count, in.get_devices().front(), in, usm::alloc::host);
}
template <class T> T *malloc_host(std::size_t count, const queue &of) {
  return sycl::malloc<T>(count, of, usm::alloc::host);
}

/*
 * Waits for kernels that may use the memory, and frees it. errc::invalid: pointer does not come
 * from an allocation.
 */
void free(void *pointer, const context &);
void free(void *pointer, const queue &);

/* The kind of memory that a pointer points into; unknown if it is not memory of the context's
 * devices. */
usm::alloc get_pointer_type(const void *pointer, const context &in);
/* The device that memory was allocated for. errc::invalid: it is unknown. */
device get_pointer_device(const void *pointer, const context &in);

/* An allocator for containers of the host, whose elements kernels can use. */
template <class T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "the host does not reach memory of other kinds");

public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U> struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };

  usm_allocator(const context &in, const device &of) : in_(in), of_(of) {}
  explicit usm_allocator(const queue &of) : in_(of.get_context()), of_(of.get_device()) {}
  template <class U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other) : in_(other.in_), of_(other.of_) {}

  T *allocate(std::size_t count) {
    T *pointer = sycl::aligned_alloc<T>(Alignment, count, of_, in_, Kind);
    if (!pointer)
      throw memory_allocation_error("there is no unified shared memory for " +
                                    std::to_string(count) + " elements");
    return pointer;
  }
  void deallocate(T *pointer, std::size_t) {
    sycl::free(pointer, in_);
  }
  template <class U>
  friend bool operator==(const usm_allocator &a, const usm_allocator<U, Kind, Alignment> &b) {
    return a.in_ == b.in_ && a.of_ == b.of_;
  }
  template <class U>
  friend bool operator!=(const usm_allocator &a, const usm_allocator<U, Kind, Alignment> &b) {
    return !(a == b);
  }

private:
  template <class, usm::alloc, std::size_t> friend class usm_allocator;
  context in_;
  device of_;
};

} // namespace sycl

#endif
