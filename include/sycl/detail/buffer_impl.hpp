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

/* What somebody does with a buffer. */
struct memory_use {
  bool old; /* needs the content */
  bool writes;

  void add(memory_use other) noexcept {
    old = old || other.old;
    writes = writes || other.writes;
  }
};

class buffer_impl {
public:
  /* What the host's bytes are at the beginning. */
  enum class host {
    undefined, /* nothing; memory of the buffer's own is made when it is needed */
    read,      /* read from the user's memory; what is written is written to its own */
    in_place   /* the user's memory is the only one */
  };

  buffer_impl(const void *memory, std::size_t size, host kind) noexcept
      : host_(static_cast<unsigned char *>(const_cast<void *>(memory))), size_(size),
        is_host_writable_(kind == host::in_place) {}
  buffer_impl(const buffer_impl &) = delete;
  buffer_impl &operator=(const buffer_impl &) = delete;
  /* Waits for the commands that use it. Of what it calls nothing throws outside of the try. */
  ~buffer_impl() { // NOLINT(bugprone-exception-escape)
    try {
      wait([](const command &) { return true; });
    } catch (...) {
      /* A destructor has nobody to tell; the queue's handler is told of the command. */
    }
    for (const copy &c : copies_)
      specpiMemoryFree(c.of, c.pointer);
  }

  specpi_turn whose_turn = {};

  std::size_t size() const noexcept {
    return size_;
  }

  /* ---- A command of a device ---- */

  /*
   * Makes the device's bytes ready: the address in kernels, which stays for the buffer's life. The
   * command waits for what is added to waits. Then commit, or the command was not given.
   */
  unsigned char *acquire(specpi_queue queue, memory_use use, event_references &waits) {
    const specpi_device of = specpiQueueGetDevice(queue);
    forget_complete();
    /* Who failed to write fails those that read it; who failed to read or to upload does not. */
    forget_failed([](kind of) { return of != kind::write; });
    commands_.reserve(forget_at_ + 2);
    const auto needed = [=](const command &c) {
      return use.writes || c.what == kind::write || (c.what == kind::upload && c.of == of);
    };
    /* A device's command cannot wait for another device's. */
    wait([=](const command &c) { return c.of != of && needed(c); });
    copy &mine = copy_of(of);
    if (use.old && !mine.valid)
      upload(queue, mine);
    /* The queue is in order. */
    for (const command &c : commands_)
      if (needed(c) && specpiEventGetQueue(c.done.get()) != queue)
        add(waits, c.done);
    return static_cast<unsigned char *>(mine.pointer);
  }
  void commit(specpi_queue queue, memory_use use, const event_reference &done) noexcept {
    const specpi_device of = specpiQueueGetDevice(queue);
    if (use.writes) {
      /* It waits for all before it, so they need no more waiting. */
      commands_.clear();
      for (copy &c : copies_)
        c.valid = c.of == of;
      is_host_valid_ = false;
    }
    commands_.push_back({done, of, use.writes ? kind::write : kind::read});
  }
  /* Instead of commit. */
  void abandon() noexcept {
    forget_failed([](kind) { return true; });
  }

  /* ---- The host ---- */

  /* Makes the host's bytes ready, where nobody uses them in a way that excludes this. */
  unsigned char *acquire_host(memory_use use) {
    wait([=](const command &c) { return use.writes || c.what == kind::write; });
    if (use.old && !is_host_valid_)
      fetch();
    if (use.writes || !host_)
      make_host_writable();
    return host_;
  }
  void commit_host(memory_use use) noexcept {
    if (use.writes) {
      is_host_valid_ = true;
      for (copy &c : copies_)
        c.valid = false;
    }
  }
  /* Copies size of the latest bytes at an offset; none that are undefined, none onto themselves. */
  void copy_out(void *to, std::size_t offset, std::size_t size) {
    wait([](const command &c) { return c.what == kind::write; });
    if (size == 0)
      return;
    if (!is_host_valid_)
      download(to, offset, size);
    else if (host_ && to != host_ + offset)
      std::memcpy(to, host_ + offset, size);
  }

  /* The latest bytes on the host; NULL: they are undefined. */
  const unsigned char *latest() {
    return is_host_valid_ && !host_ ? nullptr : acquire_host({true, false});
  }
  /* What the user's memory needs to stay. */
  void keep(std::shared_ptr<const void> memory) noexcept {
    kept_ = std::move(memory);
  }

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
    void operator()(void *memory) const noexcept {
      ::operator delete(memory, alignment);
    }
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
  static void add(event_references &waits, const event_reference &done) {
    for (const event_reference &there : waits)
      if (there.get() == done.get())
        return;
    waits.push_back(done);
  }
  static bool is_in(const command &c, specpi_event_state wanted) noexcept {
    specpi_event_state state = SPECPI_EVENT_QUEUED;
    return specpiEventGetState(c.done.get(), &state) == SPECPI_SUCCESS && state == wanted;
  }
  /* The failure is their own events' to tell; not each later command is to fail, too. */
  template <class Kinds> void forget_failed(const Kinds &kinds) noexcept {
    try {
      wait([&](const command &c) { return kinds(c.what) && is_in(c, SPECPI_EVENT_FAILED); });
    } catch (...) {
      /* What wait throws is that failure. */
    }
  }
  /* A buffer that is only read from now on must not keep each command. */
  void forget_complete() {
    if (commands_.size() < forget_at_)
      return;
    forget([](const command &c) { return is_in(c, SPECPI_EVENT_COMPLETE); });
    forget_at_ = std::max<std::size_t>(8, 2 * commands_.size());
  }

  copy &copy_of(specpi_device of) {
    for (copy &c : copies_)
      if (c.of == of)
        return c;
    copies_.reserve(copies_.size() + 1);
    copies_.push_back({of, allocate(of), false, {}});
    return copies_.back();
  }
  void *allocate(specpi_device of) const {
    void *pointer = nullptr;
    specpi_result result = SPECPI_ERROR_UNSUPPORTED;
    for (const specpi_memory_kind k :
         {SPECPI_MEMORY_DEVICE, SPECPI_MEMORY_SHARED, SPECPI_MEMORY_HOST})
      if (result == SPECPI_ERROR_UNSUPPORTED)
        result = specpiMemoryAllocate(of, k, size_ ? size_ : 1, 0, &pointer);
    if (result == SPECPI_ERROR_UNSUPPORTED)
      throw feature_not_supported(std::string("a buffer needs unified shared memory, which ") +
                                  specpiDeviceGetName(of) + " does not have");
    check(result);
    return pointer;
  }
  /* Makes the device's bytes the latest, by a command. */
  void upload(specpi_queue queue, copy &to) {
    if (!is_host_valid_)
      fetch();
    if (host_ && size_) {
      /* No command uses the device's bytes: who made them old waited for all. */
      event_reference done;
      check(specpiMemoryCopy(queue, to.pointer, host_, size_, 0, nullptr, done.out()));
      commands_.push_back({std::move(done), to.of, kind::upload});
    }
    to.valid = true;
  }
  /* Makes the host's bytes the latest. No command reads them: they were older. */
  void fetch() {
    wait([](const command &c) { return c.what == kind::write; });
    make_host_writable();
    download(host_, 0, size_);
    is_host_valid_ = true;
  }
  void download(void *to, std::size_t offset, std::size_t size) {
    for (copy &c : copies_) {
      if (!c.valid)
        continue;
      if (!c.queue)
        check(specpiQueueCreate(c.of, 0, c.queue.out()));
      if (size)
        check(specpiMemoryCopy(c.queue.get(), to, static_cast<const char *>(c.pointer) + offset,
                               size, 0, nullptr, nullptr));
      return;
    }
  }
  /* Keeps what is the latest: who asked for this may fail before it writes. */
  void make_host_writable() {
    if (is_host_writable_)
      return;
    own_.reset(static_cast<unsigned char *>(::operator new(size_ ? size_ : 1, alignment)));
    if (host_ && is_host_valid_)
      std::memcpy(own_.get(), host_, size_);
    host_ = own_.get();
    is_host_writable_ = true;
  }

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
