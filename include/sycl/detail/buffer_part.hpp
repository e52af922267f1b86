/*
 * The object of a buffer or a sub-buffer: a part of some memory, and the destination of its bytes
 * at the end. Accessors are copied into kernels as bytes, so they cannot hold a reference to the
 * part. They hold its key instead, until an address replaces it.
 */
#ifndef SYCL_DETAIL_BUFFER_PART_HPP
#define SYCL_DETAIL_BUFFER_PART_HPP

#include <sycl/detail/buffer_impl.hpp>

#include <cstdint>
#include <functional>
#include <mutex>

namespace sycl::detail {

/* The inverse of an odd number modulo 2^64. Each step doubles the number of correct bits. */
constexpr std::uint64_t inverse_of(std::uint64_t odd) noexcept {
  std::uint64_t inverse = odd;
  for (int bits = 3; bits < 64; bits *= 2)
    inverse *= 2 - odd * inverse;
  return inverse;
}

class buffer_part : public std::enable_shared_from_this<buffer_part> {
public:
  /*
   * Identifies a part; never used again. A key cannot be an address, because its upper 16 bits are
   * neither all zero nor all one. Function objects are searched for keys, and padding may hold the
   * upper half of an old key next to a small number. The lower 48 bits are therefore spread, so
   * that those two together are no key.
   */
  using key = std::uint64_t;

  /* A buffer. */
  static std::shared_ptr<buffer_part> make(const void *memory, std::size_t size,
                                           buffer_impl::host kind);
  /* A sub-buffer, which keeps the buffer alive. */
  static std::shared_ptr<buffer_part> make(const std::shared_ptr<buffer_part> &of,
                                           std::size_t offset, std::size_t size);
  buffer_part(std::shared_ptr<buffer_impl> memory, std::shared_ptr<buffer_part> of,
              std::size_t offset, std::size_t size) noexcept;
  buffer_part(const buffer_part &) = delete;
  buffer_part &operator=(const buffer_part &) = delete;
  /* Waits for the commands that write the part, and writes it back. */
  ~buffer_part();

  /* The part with a key; NULL if it was destroyed or never existed. */
  static std::shared_ptr<buffer_part> find(key of);
  /* Returns whether it is the key of a part that exists or has existed. */
  static bool is_key(key of);
  static bool looks_like_key(key of) noexcept;

  key get_key() const noexcept {
    return key_;
  }
  buffer_impl &memory() const noexcept {
    return *memory_;
  }
  std::size_t offset() const noexcept {
    return offset_;
  }
  std::size_t size() const noexcept {
    return size_;
  }
  bool is_sub_buffer() const noexcept;
  bool is_all() const noexcept;

  /* Sets the function that copies the bytes to their destination at the end; empty for no
   * destination. */
  void set_final(std::function<void(const buffer_part &)> f);
  void set_write_back(bool on);
  void copy_out(void *to) const;
  /* The latest bytes on the host; NULL if they are undefined. */
  const void *latest() const;

private:
  static constexpr key low_bits = (key{1} << 48) - 1;
  static constexpr key tag = key{0x5bec} << 48;
  static constexpr key spread = 0x9e3779b97f4b;
  static constexpr key spread_back = inverse_of(spread);
  static std::shared_ptr<buffer_part> enter(std::shared_ptr<buffer_part> part);

  std::shared_ptr<buffer_impl> memory_;
  std::shared_ptr<buffer_part> of_;
  std::size_t offset_; /* bytes */
  std::size_t size_;
  key key_ = 0;
  std::mutex mutex_; /* protects the next two members */
  std::function<void(const buffer_part &)> final_;
  bool is_written_back_ = true;
};

} // namespace sycl::detail

#endif
