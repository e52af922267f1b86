/*
 * specpi.h for C++17: handles that release themselves, and failures as exceptions. All other
 * functions are those of specpi.h, to which get() passes a handle:
 *
 *   specpi::queue queue;
 *   specpi::check(specpiQueueCreate(device, 0, specpi::out(queue)));
 *   specpi::check(specpiQueueFinish(queue.get()));
 */
#ifndef SPECPI_SPECPI_HPP
#define SPECPI_SPECPI_HPP

#include <specpi/specpi.h>

#include <memory>
#include <stdexcept>
#include <type_traits>

namespace specpi {

/* A function's failure. what() is the message of specpiGetLastError. */
class error : public std::runtime_error {
public:
  explicit error(specpi_result code) : std::runtime_error(specpiGetLastError()), code_(code) {}
  specpi_result code() const noexcept {
    return code_;
  }

private:
  specpi_result code_;
};

/* Throws error unless the result is SPECPI_SUCCESS. The thread is the one of the failed call. */
inline void check(specpi_result result) {
  if (result != SPECPI_SUCCESS)
    throw error(result);
}

/* Calls a Release function. */
template <typename Handle, void (*release)(Handle)> struct releaser {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept {
    release(handle);
  }
};

template <typename Handle, void (*release)(Handle)>
using owner = std::unique_ptr<std::remove_pointer_t<Handle>, releaser<Handle, release>>;

using image = owner<specpi_image, specpiImageRelease>;
using bundle = owner<specpi_bundle, specpiBundleRelease>;
using kernel = owner<specpi_kernel, specpiKernelRelease>;
using queue = owner<specpi_queue, specpiQueueRelease>;
using buffer = owner<specpi_buffer, specpiBufferRelease>;
using event = owner<specpi_event, specpiEventRelease>;

/*
 * A place for a new handle, which the owner takes at the end of the expression; it releases the
 * handle that it had. After a failure it keeps that handle.
 */
template <typename Owner> class out {
public:
  explicit out(Owner &owner) noexcept : owner_(owner) {}
  out(const out &) = delete;
  out &operator=(const out &) = delete;
  ~out() {
    if (handle_)
      owner_.reset(handle_);
  }
  operator typename Owner::pointer *() noexcept {
    return &handle_;
  }

private:
  Owner &owner_;
  typename Owner::pointer handle_ = nullptr;
};

} // namespace specpi

#endif
