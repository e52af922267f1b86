/*
 * specpi.h for C++17: handles that release themselves, and exceptions for failures. For all else
 * call the functions of specpi.h with the handle that get() returns:
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

/* Throws error unless the result is SPECPI_SUCCESS. Call it on the thread of the failed call. */
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
 * An output parameter for a new handle. At the end of the expression the owner takes the new handle
 * and releases its old one. After a failure it keeps the old one.
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
