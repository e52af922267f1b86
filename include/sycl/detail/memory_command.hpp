// Commands that copy or fill memory: SYCL 2020, 4.9.4.3.
#ifndef SYCL_DETAIL_MEMORY_COMMAND_HPP
#define SYCL_DETAIL_MEMORY_COMMAND_HPP

#include <sycl/detail/requirements.hpp>
#include <sycl/exception.hpp>

#include <cstring>
#include <vector>

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
  std::vector<unsigned char> accessor_;
};

struct memory_command {
  memory_end to;
  memory_end from;      /* of a copy */
  std::size_t size = 0; /* bytes in all */
  bool is_fill = false;
  std::vector<unsigned char> pattern; /* of a fill; its size divides the other */

  /* On the host device. */
  void run(const requirements_use &use) {
    auto *const there = static_cast<unsigned char *>(const_cast<void *>(to.get(use)));
    if (!is_fill) {
      std::memmove(there, from.get(use), size);
      return;
    }
    for (std::size_t i = 0; i < size; i += pattern.size())
      std::memcpy(there + i, pattern.data(), pattern.size());
  }

  /* On a device. before: what it waits for. */
  event_reference give(const requirements_use &use, specpi_queue queue,
                       const std::vector<specpi_event> &before) {
    auto *const there = static_cast<unsigned char *>(const_cast<void *>(to.get(use)));
    event_reference given;
    if (!is_fill)
      check(specpiMemoryCopy(queue, there, from.get(use), size, before.size(), before.data(),
                             given.out()));
    else if (is_one_byte())
      check(specpiMemoryFill(queue, there, pattern.front(), size, before.size(), before.data(),
                             given.out()));
    else
      given = repeat(there, queue, before);
    return given;
  }

private:
  bool is_one_byte() const noexcept {
    for (const unsigned char byte : pattern)
      if (byte != pattern.front())
        return false;
    return true;
  }
  /* The first pattern comes from the host, which waits for that; then what is there is doubled. */
  event_reference repeat(unsigned char *there, specpi_queue queue,
                         const std::vector<specpi_event> &before) const {
    event_reference last;
    check(specpiMemoryCopy(queue, there, pattern.data(), pattern.size(), before.size(),
                           before.data(), last.out()));
    const specpi_event first = last.get();
    check(specpiEventWait(1, &first));
    for (std::size_t done = pattern.size(); done < size;) {
      const std::size_t more = std::min(done, size - done);
      event_reference next;
      check(specpiMemoryCopy(queue, there + done, there, more, 0, nullptr, next.out()));
      last = std::move(next);
      done += more;
    }
    return last;
  }
};

} // namespace sycl::detail

#endif
