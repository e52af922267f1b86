// The buffers that a command group requires, and their use by its command.
#ifndef SYCL_DETAIL_REQUIREMENTS_HPP
#define SYCL_DETAIL_REQUIREMENTS_HPP

#include <sycl/detail/buffer_part.hpp>

namespace sycl::detail {

/* A host accessor's use of a buffer, for the life of the object. */
class host_use {
public:
  host_use(std::shared_ptr<buffer_part> of, access_mode mode, bool is_all);
  /* The part's first byte. */
  unsigned char *address() const noexcept {
    return address_;
  }

private:
  std::shared_ptr<buffer_part> part_;
  turns turns_;
  unsigned char *address_;
};

/* The memory that the accessors of a command group require. Collecting it does not change buffers.
 */
class requirements {
public:
  struct one {
    std::shared_ptr<buffer_part> part; /* any part of the memory */
    memory_use use;
  };

  void add(const std::shared_ptr<buffer_part> &part, access_mode mode, bool is_all);
  /* One entry for each buffer's memory. */
  const few<one, 8> &all() const noexcept {
    return all_;
  }
  /* The part with that key; NULL if the group does not require it. */
  const buffer_part *find(buffer_part::key key) const noexcept;

private:
  few<one, 8> all_;
  few<std::shared_ptr<buffer_part>, 8> parts_;
};

/*
 * One command's use of its buffers. The command has the buffers' turns while the object exists, so
 * no other command comes in between. For a device the constructor waits for the turns and makes the
 * device's bytes ready; the caller then submits the command after waits() and calls commit. Without
 * commit the content stays as it was. queue NULL: the command runs on the host device, and is
 * complete before the object ends.
 */
class requirements_use {
public:
  requirements_use(const requirements &of, specpi_queue queue);
  requirements_use(const requirements_use &) = delete;
  requirements_use &operator=(const requirements_use &) = delete;
  ~requirements_use();

  const event_references &waits() const noexcept {
    return waits_;
  }
  /* Call this when the command was submitted; on the host device before it runs. */
  void commit(const event_reference &done) noexcept;
  /* The address of the part's first byte for the command. */
  unsigned char *address(const buffer_part &part) const noexcept;
  /*
   * Replaces keys by addresses in a function object's bytes. An accessor starts with its part's key
   * and its offset in the part in bytes.
   *
   * errc::kernel_argument: a key is of a buffer that the group does not require.
   */
  void resolve(void *object, std::size_t size) const;

private:
  static turns::wishes wishes(const requirements &of);
  void abandon() const noexcept;

  const requirements &of_;
  specpi_queue queue_;
  turns turns_;
  few<unsigned char *, 8> addresses_;
  event_references waits_;
  bool is_committed_ = false;
};

} // namespace sycl::detail

#endif
