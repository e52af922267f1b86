/*
 * A work-group on the host device. Its items run one after another on one thread. An item that
 * waits at a barrier keeps its thread, and another thread goes on with the items that have not
 * begun; so there are as many threads as items wait, and always exactly one of them runs: it has
 * the turn. Threads stay for the next groups and end with the kernel.
 */
#ifndef SYCL_DETAIL_HOST_GROUP_HPP
#define SYCL_DETAIL_HOST_GROUP_HPP

#include <sycl/exception.hpp>

#include <condition_variable>
#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <specpi/process.h>
#include <thread>
#include <vector>

namespace sycl::detail {

struct group_state;

inline char *host_local_memory() noexcept {
  return specpiThreadGet()->local_memory;
}

class group_runner {
public:
  explicit group_runner(char *local_memory) noexcept : local_memory_(local_memory) {}
  group_runner(const group_runner &) = delete;
  group_runner &operator=(const group_runner &) = delete;
  ~group_runner() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
      for (worker &w : workers_)
        w.wake.notify_one();
    }
    for (worker &w : workers_)
      w.thread.join();
  }

  /*
   * Runs a group of count items; item(i) is called once for each. Throws what the first one threw
   * that did; the items that wait then leave their barriers by an exception, and those that have
   * not begun do not begin.
   */
  template <class Item> void run(std::size_t count, const Item &item) {
    const scope here(this);
    item_ = std::cref(item);
    count_ = count;
    next_ = ended_ = 0;
    work();
    std::unique_lock<std::mutex> lock(mutex_);
    /* This thread has the turn: others are at barriers, or have no item. */
    if (!ready_.empty()) {
      pass();
      wait_turn(lock, main_);
    }
    if (failure_)
      std::rethrow_exception(failure_);
  }

  /* Of the item that runs: returns when all items of the group are here. */
  void barrier() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!failure_ && ended_)
      fail("an item waits at a barrier that other items of its group did not reach");
    if (failure_)
      throw abandoned();
    if (waiting_.size() + 1 == count_) {
      /* The last one; the others go on when it waits again or ends. */
      ready_.swap(waiting_);
      return;
    }
    auto *const self = static_cast<worker *>(specpiThreadGet()->worker);
    if (ready_.empty() && next_ < count_ && idle_.empty())
      add_worker();
    if (failure_)
      throw abandoned();
    waiting_.push(self);
    pass();
    wait_turn(lock, *self);
    if (failure_)
      throw abandoned();
  }

private:
  /* Thrown at barriers of a group in which an item failed. */
  struct abandoned {};

  struct worker {
    std::condition_variable wake;
    bool turn = false;
    std::thread thread; /* none: the thread that called run */
  };

  /* Workers in their order. Without memory as long as there are none, as in most kernels. */
  class line {
  public:
    bool empty() const noexcept {
      return all_.empty();
    }
    std::size_t size() const noexcept {
      return all_.size() - first_;
    }
    void push(worker *one) {
      all_.push_back(one);
    }
    worker *pop() noexcept {
      worker *const one = all_[first_++];
      if (first_ == all_.size()) {
        all_.clear();
        first_ = 0;
      }
      return one;
    }
    /* All of another one, to the end. */
    void take(line &other) {
      all_.insert(all_.end(), other.all_.begin() + static_cast<std::ptrdiff_t>(other.first_),
                  other.all_.end());
      other.all_.clear();
      other.first_ = 0;
    }
    void swap(line &other) noexcept {
      all_.swap(other.all_);
      std::swap(first_, other.first_);
    }

  private:
    std::vector<worker *> all_;
    std::size_t first_ = 0; /* of those that are left */
  };

  /* The group of this thread, as long as it runs items; a kernel may run another one inside. */
  struct scope {
    explicit scope(group_runner *of) noexcept : before(*specpiThreadGet()) {
      of->enter(of->main_);
    }
    ~scope() {
      specpi_thread &here = *specpiThreadGet();
      here.group = before.group;
      here.local_memory = before.local_memory;
      here.worker = before.worker;
    }
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    const specpi_thread before;
  };
  /* The calling thread runs items of this group. */
  void enter(worker &self) noexcept {
    specpi_thread &here = *specpiThreadGet();
    here.group = this;
    here.local_memory = local_memory_;
    here.worker = &self;
  }

  void fail(const char *sentence) {
    failure_ = std::make_exception_ptr(kernel_error(sentence));
    abandon();
  }
  /* Those that wait run on, into their exceptions. */
  void abandon() {
    ready_.take(waiting_);
  }
  /* Runs the items that have not begun, as long as nothing failed. Has the turn. */
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (next_ < count_ && !failure_) {
      const std::size_t index = next_++;
      lock.unlock();
      std::exception_ptr error;
      try {
        item_(index);
      } catch (const abandoned &) {
        /* The failure is known. */
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      ended_++;
      if (error && !failure_) {
        failure_ = std::move(error);
        abandon();
      } else if (!failure_ && !waiting_.empty()) {
        fail("an item ended while others of its group wait at a barrier");
      }
    }
  }
  /* With the lock: the turn goes to who goes on, else to who begins items, else, as all items
   * ended, to who called run. */
  void pass() {
    worker *next = &main_;
    if (!ready_.empty()) {
      next = ready_.pop();
    } else if (next_ < count_ && !failure_) {
      next = idle_.back();
      idle_.pop_back();
    }
    next->turn = true;
    next->wake.notify_one();
  }
  void wait_turn(std::unique_lock<std::mutex> &lock, worker &self) {
    self.wake.wait(lock, [&] { return self.turn || stop_; });
    self.turn = false;
  }
  /* A thread that waits for its first turn. */
  void add_worker() {
    idle_.reserve(workers_.size() + 1); /* for good: live may not fail */
    workers_.emplace_back();
    worker &self = workers_.back();
    try {
      idle_.push_back(&self);
      self.thread = std::thread([this, &self] { live(self); });
    } catch (...) {
      if (!idle_.empty() && idle_.back() == &self)
        idle_.pop_back();
      workers_.pop_back();
      failure_ = std::current_exception();
      abandon();
    }
  }
  void live(worker &self) {
    enter(self);
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      wait_turn(lock, self);
      if (stop_)
        return;
      lock.unlock();
      work();
      lock.lock();
      idle_.push_back(&self);
      pass();
    }
  }

  char *local_memory_;
  std::function<void(std::size_t)> item_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;  /* the first item that has not begun */
  std::size_t ended_ = 0; /* items */
  std::exception_ptr failure_;
  bool stop_ = false;

  std::mutex mutex_;
  worker main_;
  std::list<worker> workers_;
  std::vector<worker *> idle_; /* have no item */
  line waiting_;               /* their items wait at the barrier */
  line ready_;                 /* their items are behind the barrier and go on in turn */
};

/* Waits for the other items of the group. */
inline void host_barrier(group_state *) {
  auto *const group = static_cast<group_runner *>(specpiThreadGet()->group);
  if (!group)
    throw feature_not_supported("only kernels with an nd_range have barriers");
  group->barrier();
}

} // namespace sycl::detail

#endif
