// Commands that copy or fill memory: SYCL 2020, 4.9.4.3.
#ifndef SYCL_DETAIL_MEMORY_COMMAND_HPP
#define SYCL_DETAIL_MEMORY_COMMAND_HPP

#include <sycl/detail/requirements.hpp>
#include <sycl/detail/usm_memory.hpp>
#include <sycl/exception.hpp>

#include <cstdint>
#include <cstring>
#include <string>

namespace sycl::detail {

/* One end of a copy: an address, or an accessor's, which is known when the command is given. */
class memory_end {
public:
  memory_end() = default;
  explicit memory_end(const void *pointer) noexcept : pointer_(pointer) {}
  /* first gives an accessor's first element. */
  template <class Accessor>
  memory_end(const Accessor &of, const void *(*first)(const void *accessor)) : first_(first) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(&of);
    accessor_.assign(bytes, bytes + sizeof of);
  }
  const void *get(const requirements_use &use) {
    if (!first_)
      return pointer_;
    use.resolve(accessor_.data(), accessor_.size());
    return first_(accessor_.data());
  }

private:
  const void *pointer_ = nullptr;
  const void *(*first_)(const void *) = nullptr;
  few<unsigned char, 96> accessor_; /* as large as one of three dimensions */
};

struct memory_command {
  memory_end to;
  memory_end from;      /* of a copy */
  std::size_t size = 0; /* bytes in all */
  bool is_fill = false;
  few<unsigned char, 128> pattern; /* of a fill; its size divides the other */

  /*
   * Finds out where bytes are read and written, before the command is given or run. What accessors
   * throw goes through. errc::invalid: an end is NULL, or both have bytes in common.
   * feature_not_supported: one is memory of another device, which the queue's does not reach.
   */
  void find_ends(const requirements_use &use, const device &by) {
    there_ = static_cast<unsigned char *>(const_cast<void *>(to.get(use)));
    const char *const name = is_fill ? "a fill" : "a copy";
    if (!there_)
      throw runtime_error(errc::invalid, std::string("the destination of ") + name + " is NULL");
    usm_memory::require_reach(there_, by);
    if (is_fill)
      return;
    source_ = static_cast<const unsigned char *>(from.get(use));
    if (!source_)
      throw runtime_error(errc::invalid, "the source of a copy is NULL");
    usm_memory::require_reach(source_, by);
    const auto a = reinterpret_cast<std::uintptr_t>(there_);
    const auto b = reinterpret_cast<std::uintptr_t>(source_);
    if ((a < b ? b - a : a - b) < size)
      throw runtime_error(errc::invalid, "the " + std::to_string(size) +
                                             " bytes of the source and of the destination of a "
                                             "copy overlap");
  }

  /* On the host device, after find_ends. */
  void run() const noexcept {
    if (!is_fill)
      std::memcpy(there_, source_, size);
    else
      for (std::size_t i = 0; i < size; i += pattern.size())
        std::memcpy(there_ + i, pattern.data(), pattern.size());
  }

  /* On a device, after find_ends. before: what it waits for. */
  event_reference give(specpi_queue queue, const event_handles &before) const {
    event_reference given;
    if (!is_fill)
      check(specpiMemoryCopy(queue, there_, source_, size, before.size(), before.data(),
                             given.out()));
    else if (is_one_byte())
      check(specpiMemoryFill(queue, there_, pattern.front(), size, before.size(), before.data(),
                             given.out()));
    else
      given = repeat(queue, before);
    return given;
  }

private:
  unsigned char *there_ = nullptr;
  const unsigned char *source_ = nullptr;

  bool is_one_byte() const noexcept {
    for (const unsigned char byte : pattern)
      if (byte != pattern.front())
        return false;
    return true;
  }
  /* The first pattern comes from the host, which waits for that; then what is there is doubled. */
  event_reference repeat(specpi_queue queue, const event_handles &before) const {
    event_reference last;
    check(specpiMemoryCopy(queue, there_, pattern.data(), pattern.size(), before.size(),
                           before.data(), last.out()));
    const specpi_event first = last.get();
    check(specpiEventWait(1, &first));
    for (std::size_t done = pattern.size(); done < size;) {
      const std::size_t more = std::min(done, size - done);
      event_reference next;
      check(specpiMemoryCopy(queue, there_ + done, there_, more, 0, nullptr, next.out()));
      last = std::move(next);
      done += more;
    }
    return last;
  }
};

} // namespace sycl::detail

#endif
