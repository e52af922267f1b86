/*
 * The bytes of a buffer and of all its sub-buffers: one copy on the host and one for each device
 * that used it, of which those that are valid are the latest. Who calls a function has the turn,
 * but for the destructor. A function that throws leaves the content as it was.
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

/* The way in which a command or the host uses a buffer. */
struct memory_use {
  bool old; /* needs the content */
  bool writes;

  void add(memory_use other) noexcept;
};

class buffer_impl {
public:
  /* The initial state of the host's bytes. */
  enum class host {
    undefined, /* nothing; memory of the buffer's own is made when it is needed */
    read,      /* read from the user's memory; what is written is written to its own */
    in_place   /* the user's memory is the only one */
  };

  buffer_impl(const void *memory, std::size_t size, host kind) noexcept;
  buffer_impl(const buffer_impl &) = delete;
  buffer_impl &operator=(const buffer_impl &) = delete;
  /* Waits for the commands that use it. Of what it calls nothing throws outside of the try. */
  ~buffer_impl();

  specpi_turn whose_turn = {};

  std::size_t size() const noexcept {
    return size_;
  }

  /* ---- A command of a device ---- */

  /*
   * Makes the device's bytes ready: the address in kernels, which stays for the buffer's life. The
   * command waits for what is added to waits. Then commit, or the command was not given.
   */
  unsigned char *acquire(specpi_queue queue, memory_use use, event_references &waits);
  void commit(specpi_queue queue, memory_use use, const event_reference &done) noexcept;
  /* Instead of commit. */
  void abandon() noexcept;

  /* ---- The host ---- */

  /* Makes the host's bytes ready, where nobody uses them in a way that excludes this. */
  unsigned char *acquire_host(memory_use use);
  void commit_host(memory_use use) noexcept;
  /* Copies size of the latest bytes at an offset; none that are undefined, none onto themselves. */
  void copy_out(void *to, std::size_t offset, std::size_t size);

  /* The latest bytes on the host; NULL: they are undefined. */
  const unsigned char *latest();
  /* Keeps an object that the user's memory depends on. */
  void keep(std::shared_ptr<const void> memory) noexcept;

private:
  struct copy {
    specpi_device of;
    void *pointer;
    bool valid;
    queue_reference queue; /* for copies to the host; made when it is needed */
  };
  /* upload: from the host's bytes to the device's, which it makes valid. */
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
  /* As much as any vector of OpenCL has. */
  static constexpr std::align_val_t alignment{128};

  /* Waits for commands, and forgets them. One that failed: the devices' bytes are in doubt. */
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
  /* A kernel that uses several buffers is waited for once. */
  static void add(event_references &waits, const event_reference &done);
  /* The failure is their own events' to tell; not each later command is to fail, too. */
  template <class Kinds> void forget_failed(const Kinds &kinds) noexcept {
    try {
      wait([&](const command &c) {
        return kinds(c.what) && state_of(c.done.get()) == SPECPI_EVENT_FAILED;
      });
    } catch (...) {
      /* wait throws that failure. */
    }
  }
  /* A buffer that is only read from now on must not keep each command. */
  void forget_complete();

  copy &copy_of(specpi_device of);
  void *allocate(specpi_device of) const;
  /* Makes the device's bytes the latest, by a command. */
  void upload(specpi_queue queue, copy &to);
  /* Makes the host's bytes the latest. No command reads them: they were older. */
  void fetch();
  void download(void *to, std::size_t offset, std::size_t size);
  /* Keeps what is the latest: who asked for this may fail before it writes. */
  void make_host_writable();

  std::shared_ptr<const void> kept_;
  std::unique_ptr<unsigned char, aligned_delete> own_;
  unsigned char *host_; /* NULL: there are none yet, and their content is undefined */
  std::size_t size_;
  bool is_host_writable_;
  bool is_host_valid_ = true; /* no device has later ones */
  std::vector<copy> copies_;
  std::vector<command> commands_; /* that were given and use it */
  std::size_t forget_at_ = 8;
};

} // namespace sycl::detail

#endif
