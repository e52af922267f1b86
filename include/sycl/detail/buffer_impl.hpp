/*
 * A buffer's bytes: one copy on the host and one for each device that used it, of which those
 * marked valid are the latest.
 */
#ifndef SYCL_DETAIL_BUFFER_IMPL_HPP
#define SYCL_DETAIL_BUFFER_IMPL_HPP

#include <sycl/access.hpp>
#include <sycl/detail/device_image.hpp>

#include <cstring>
#include <functional>
#include <mutex>
#include <vector>

namespace sycl::detail {

class buffer_impl {
public:
  /* host NULL: the buffer has memory of its own, of undefined content. */
  buffer_impl(void *host, std::size_t size) : host_(host), size_(size) {
    if (!host_) {
      own_.resize(size);
      host_ = own_.data();
    }
  }
  buffer_impl(const buffer_impl &) = delete;
  buffer_impl &operator=(const buffer_impl &) = delete;
  /* Waits for commands that use it, and writes back. */
  ~buffer_impl() {
    try {
      if (write_back_)
        host_pointer(access_mode::read);
      else
        wait();
    } catch (...) {
      /* A destructor has nobody to tell; the queue's handler was told of the command. */
    }
    if (final_)
      final_(host_);
    for (copy &c : copies_)
      specpiMemoryFree(c.of, c.pointer);
  }

  std::size_t size() const noexcept {
    return size_;
  }
  void set_write_back(bool on) noexcept {
    write_back_ = on;
  }
  /* What is called with the latest bytes at the end. */
  void set_final(std::function<void(const void *)> f) {
    final_ = std::move(f);
    write_back_ = true;
  }

  /* The host's bytes, the latest when mode reads; the others are old when it writes. */
  void *host_pointer(access_mode mode) {
    const std::lock_guard<std::mutex> lock(mutex_);
    wait();
    fetch(mode);
    if (writes(mode))
      for (copy &c : copies_)
        c.valid = false;
    return host_;
  }
  /*
   * Where the bytes are for a device, NULL for the host device: memory that stays for the buffer's
   * life. Says nothing of its content.
   */
  void *address(specpi_device of) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return of ? copy_of(of).pointer : host_;
  }

  /*
   * A command that uses the buffer: lock; acquire; the command is given; commit; unlock. Nobody
   * else's command comes in between. Without commit nothing has happened.
   */
  void lock() {
    mutex_.lock();
  }
  void unlock() {
    mutex_.unlock();
  }
  /*
   * Makes the bytes there the latest if mode reads, and adds what the command has to wait for.
   * queue NULL: a command of the host device.
   */
  void acquire(specpi_queue queue, access_mode mode, std::vector<event_reference> &waits) {
    commands_.reserve(commands_.size() + 1);
    if (!queue) {
      wait();
      if (reads(mode))
        fetch(mode);
      return;
    }
    waits.insert(waits.end(), commands_.begin(), commands_.end());
    copy &mine = copy_of(specpiQueueGetDevice(queue));
    if (!mine.valid && reads(mode)) {
      wait();
      fetch(mode);
      check(specpiMemoryCopy(queue, mine.pointer, host_, size_, 0, nullptr, nullptr));
      mine.valid = true;
    }
  }
  /* The command was given; done is none when it is complete. Must not fail. */
  void commit(specpi_device of, access_mode mode, const event_reference &done) {
    if (writes(mode)) {
      /* A command that writes waits for all before it, so they need no more waiting. */
      commands_.clear();
      for (copy &c : copies_)
        c.valid = c.of == of;
      host_valid_ = !of;
    }
    if (done)
      commands_.push_back(done);
  }

private:
  struct copy {
    specpi_device of;
    void *pointer;
    bool valid;
  };

  void wait() {
    std::vector<specpi_event> events;
    for (const event_reference &e : commands_)
      events.push_back(e.get());
    commands_.clear();
    check(specpiEventWait(events.size(), events.data()));
  }
  /* Makes the host's bytes the latest. */
  void fetch(access_mode mode) {
    if (!host_valid_ && reads(mode)) {
      for (const copy &c : copies_) {
        if (c.valid) {
          queue_reference queue;
          check(specpiQueueCreate(c.of, 0, queue.out()));
          check(specpiMemoryCopy(queue.get(), host_, c.pointer, size_, 0, nullptr, nullptr));
          break;
        }
      }
    }
    host_valid_ = true;
  }
  copy &copy_of(specpi_device of) {
    for (copy &c : copies_)
      if (c.of == of)
        return c;
    void *pointer = nullptr;
    copies_.reserve(copies_.size() + 1);
    check(specpiMemoryAllocate(of, SPECPI_MEMORY_DEVICE, size_ ? size_ : 1, 0, &pointer),
          "a buffer needs unified shared memory");
    copies_.push_back({of, pointer, false});
    return copies_.back();
  }

  std::mutex mutex_;
  std::vector<unsigned char> own_;
  void *host_;
  std::size_t size_;
  bool host_valid_ = true;
  bool write_back_ = false;
  std::function<void(const void *)> final_;
  std::vector<copy> copies_;
  std::vector<event_reference> commands_;
};

} // namespace sycl::detail

#endif
