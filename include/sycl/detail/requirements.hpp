// The buffers that a command group needs, and their use by its command.
#ifndef SYCL_DETAIL_REQUIREMENTS_HPP
#define SYCL_DETAIL_REQUIREMENTS_HPP

#include <sycl/detail/buffer_part.hpp>

namespace sycl::detail {

/* A host accessor's use, until this ends. */
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

/* The memory that the accessors of a command group ask for. Buffers are not changed. */
class requirements {
public:
  struct one {
    std::shared_ptr<buffer_part> part; /* any of the memory */
    memory_use use;
  };

  void add(const std::shared_ptr<buffer_part> &part, access_mode mode, bool is_all);
  /* Each memory once. */
  const few<one, 8> &all() const noexcept {
    return all_;
  }
  /* NULL: it is not required. */
  const buffer_part *find(buffer_part::key key) const noexcept;

private:
  few<one, 8> all_;
  few<std::shared_ptr<buffer_part>, 8> parts_;
};

/*
 * The use by one command, which is given while this exists: nobody else's comes in between. For a
 * device: waits for the turn, makes the device's bytes ready; then the command is given, after
 * waits(), and commit. Without commit nothing has happened to the content. queue NULL: for the
 * host device, whose command is complete when this ends.
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
  /* The command was given; of the host device: it begins, or it is complete or has failed. */
  void commit(const event_reference &done) noexcept;
  /* Where the part's first byte is for the command. */
  unsigned char *address(const buffer_part &part) const noexcept;
  /*
   * Puts addresses in the place of keys in a function object's bytes: an accessor begins with the
   * key and the bytes from the part's first one to the accessor's.
   *
   * errc::kernel_argument: the key of a buffer that is not required.
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
