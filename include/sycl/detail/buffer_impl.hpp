/*
 * The bytes of a buffer and of all its sub-buffers: one copy on the host and one for each device
 * that used them. Each valid copy has the latest content. Callers hold the buffer's turn, except
 * when they call the destructor. A function that throws leaves the content as it was.
 */
#ifndef SYCL_DETAIL_BUFFER_IMPL_HPP
#define SYCL_DETAIL_BUFFER_IMPL_HPP

#include <sycl/access.hpp>
#include <sycl/detail/device_image.hpp>
#include <sycl/detail/turn.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace sycl::detail {

/* A command's or the host's use of a buffer. */
struct memory_use {
  bool old; /* needs the old content */
  bool writes;

  void add(memory_use other) noexcept;
};

class buffer_impl {
public:
  /* The initial state of the host's bytes. */
  enum class host {
    undefined, /* none: the buffer allocates its own memory when it is needed */
    read,      /* the user's memory is only read; writes go to the buffer's own memory */
    in_place   /* the user's memory is the buffer's only memory on the host */
  };

  buffer_impl(const void *memory, std::size_t size, host kind) noexcept;
  buffer_impl(const buffer_impl &) = delete;
  buffer_impl &operator=(const buffer_impl &) = delete;
  /* Waits for the commands that use the buffer. Calls outside the try block do not throw. */
  ~buffer_impl();

  specpi_turn whose_turn = {};

  std::size_t size() const noexcept {
    return size_;
  }

  /* ---- A command of a device ---- */

  /*
   * Makes the device's bytes ready and returns their address in kernels, which stays the same for
   * the buffer's life. The command must wait for the events that this adds to waits. Call commit
   * once the command was submitted, otherwise abandon.
   */
  unsigned char *acquire(specpi_queue queue, memory_use use, event_references &waits);
  void commit(specpi_queue queue, memory_use use, const event_reference &done) noexcept;
  /* Called instead of commit if the command was not submitted. */
  void abandon() noexcept;

  /* ---- The host ---- */

  /* Waits for the commands with conflicting use, and makes the host's bytes ready. */
  unsigned char *acquire_host(memory_use use);
  void commit_host(memory_use use) noexcept;
  /* Copies size of the latest bytes at an offset, unless they are undefined or already at to. */
  void copy_out(void *to, std::size_t offset, std::size_t size);

  /* The latest bytes on the host; NULL: they are undefined. */
  const unsigned char *latest();
  /* Keeps alive the object that owns the user's memory. */
  void keep(std::shared_ptr<const void> memory) noexcept;

private:
  struct copy {
    specpi_device of;
    void *pointer;
    bool valid;
    queue_reference queue; /* for copies to the host; created at the first one */
  };
  /* upload copies the host's bytes to the device and so makes the device's copy valid. */
  enum class kind { read, upload, write };
  struct command {
    event_reference done;
    specpi_device of;
    kind what;
    bool is_awaited = false;
  };
  struct aligned_delete {
    void operator()(void *memory) const noexcept;
  };
  /* The largest alignment of an OpenCL vector type. */
  static constexpr std::align_val_t alignment{128};

  /*
   * Waits for commands, and forgets them. If one failed and the host's bytes are valid, the
   * devices' bytes no longer count as valid.
   */
  template <class Needed> void wait(const Needed &needed) {
    event_handles events;
    for (command &c : commands_) {
      c.is_awaited = needed(c);
      if (c.is_awaited)
        events.push_back(c.done.get());
    }
    if (events.empty())
      return;
    const auto forget_them = [&] { forget([](const command &c) { return c.is_awaited; }); };
    try {
      check(specpiEventWait(events.size(), events.data()));
    } catch (...) {
      forget_them();
      for (copy &c : copies_)
        c.valid = c.valid && !is_host_valid_;
      throw;
    }
    forget_them();
  }
  template <class Which> void forget(const Which &which) noexcept {
    commands_.erase(std::remove_if(commands_.begin(), commands_.end(), which), commands_.end());
  }
  /* Adds an event once, even if the command uses several buffers. */
  static void add(event_references &waits, const event_reference &done);
  /* Forgets commands that failed: their own events report the failure, and later commands must not
   * fail because of it. */
  template <class Kinds> void forget_failed(const Kinds &kinds) noexcept {
    try {
      wait([&](const command &c) {
        return kinds(c.what) && state_of(c.done.get()) == SPECPI_EVENT_FAILED;
      });
    } catch (...) {
      /* wait throws the failure of these commands. */
    }
  }
  /* Forgets complete commands, whose list would otherwise grow while the buffer is only read. */
  void forget_complete();

  copy &copy_of(specpi_device of);
  void *allocate(specpi_device of) const;
  /* Enqueues the copy of the latest bytes to the device. */
  void upload(specpi_queue queue, copy &to);
  /* Copies the latest bytes to the host. No command reads the host's bytes, which are outdated. */
  void fetch();
  void download(void *to, std::size_t offset, std::size_t size);
  /* Gives the buffer memory of its own on the host. Valid content is copied there, because the
   * caller may fail before it writes. */
  void make_host_writable();

  std::shared_ptr<const void> kept_;
  std::unique_ptr<unsigned char, aligned_delete> own_;
  unsigned char *host_; /* NULL: no memory on the host yet; the content is undefined */
  std::size_t size_;
  bool is_host_writable_;
  bool is_host_valid_ = true; /* no device has later bytes */
  std::vector<copy> copies_;
  std::vector<command> commands_; /* submitted commands that use the buffer */
  std::size_t forget_at_ = 8;
};

} // namespace sycl::detail

#endif
