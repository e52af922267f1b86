/*
 * A work-group on the host device. Its items run one after another on one thread. An item that
 * waits at a barrier keeps its thread, and another thread goes on with the items that have not
 * begun; so there are as many threads as items wait, and always exactly one of them runs: it has
 * the turn. Threads stay for the next groups and end with the kernel.
 */
#ifndef SYCL_DETAIL_HOST_GROUP_HPP
#define SYCL_DETAIL_HOST_GROUP_HPP

#include <sycl/exception.hpp>

#include <exception>
#include <functional>
#include <list>
#include <mutex>
#include <pthread.h>
#include <specpi/process.h>
#include <thread>
#include <vector>

namespace sycl::detail {

struct group_state;

class group_runner {
public:
  explicit group_runner(char *local_memory) noexcept : local_memory_(local_memory) {}
  group_runner(const group_runner &) = delete;
  group_runner &operator=(const group_runner &) = delete;
  ~group_runner();

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

  /* Called by the item that runs: returns when all items of the group are here. */
  void barrier();

private:
  /* Thrown at barriers of a group in which an item failed. */
  struct abandoned {};

  struct worker {
    ~worker() {
      pthread_cond_destroy(&wake);
    }
    /* The C++ library's is bound to its version, which is newer than those on many systems. */
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
    bool turn = false;
    std::thread thread; /* none: the thread that called run */
  };

  /* Workers in their order. Without memory as long as there are none, as in most kernels. */
  class line {
  public:
    bool empty() const noexcept {
      return all_.empty();
    }
    std::size_t size() const noexcept;
    void push(worker *one);
    worker *pop() noexcept;
    /* All of another one, to the end. */
    void take(line &other);
    void swap(line &other) noexcept;

  private:
    std::vector<worker *> all_;
    std::size_t first_ = 0; /* of those that are left */
  };

  /* The group of this thread, as long as it runs items; a kernel may run another one inside. */
  struct scope {
    explicit scope(group_runner *of) noexcept;
    ~scope();
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    const specpi_thread before;
  };
  /* The calling thread runs items of this group. */
  void enter(worker &self) noexcept;

  void fail(const char *sentence);
  /* Those that wait run on, into their exceptions. */
  void abandon();
  /* Runs the items that have not begun, as long as nothing failed. Has the turn. */
  void work();
  /* With the lock: the turn goes to who goes on, else to who begins items, else, as all items
   * ended, to who called run. */
  void pass();
  void wait_turn(std::unique_lock<std::mutex> &lock, worker &self);
  /* A thread that waits for its first turn. */
  void add_worker();
  void live(worker &self);

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
  line ready_;                 /* their items have passed the barrier and go on in turn */
};

} // namespace sycl::detail

#endif
