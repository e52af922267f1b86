/*
 * A work-group on the host device. Its items run one after another on one thread. An item that
 * waits at a barrier keeps its thread, and another thread starts the remaining items. So there is a
 * thread for each waiting item. Exactly one thread runs at a time: it has the turn. Threads are
 * reused for the next groups and end with the kernel.
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
   * Runs a group of count items; calls item(i) once for each. Rethrows the exception of the first
   * item that throws. Waiting items then leave their barriers by an exception, and no further items
   * start.
   */
  template <class Item> void run(std::size_t count, const Item &item) {
    const scope here(this);
    item_ = std::cref(item);
    count_ = count;
    next_ = ended_ = 0;
    work();
    std::unique_lock<std::mutex> lock(mutex_);
    /* This thread has the turn. Items of other threads still have to leave the barrier. */
    if (!ready_.empty()) {
      pass();
      wait_turn(lock, main_);
    }
    if (failure_)
      std::rethrow_exception(failure_);
  }

  /* Called by the running item. Returns when all items of the group have reached the barrier. */
  void barrier();

private:
  /* Thrown at barriers of a group in which an item failed. */
  struct abandoned {};

  struct worker {
    ~worker() {
      pthread_cond_destroy(&wake);
    }
    /* Not std::condition_variable: its symbols have a version that many systems' C++ libraries are
     * too old for. */
    pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
    bool turn = false;
    std::thread thread; /* empty for the thread that called run */
  };

  /* A queue of workers. It allocates nothing while it is empty, as in kernels without barriers. */
  class line {
  public:
    bool empty() const noexcept {
      return all_.empty();
    }
    std::size_t size() const noexcept;
    void push(worker *one);
    worker *pop() noexcept;
    /* Moves all workers of other to the end of this queue. */
    void take(line &other);
    void swap(line &other) noexcept;

  private:
    std::vector<worker *> all_;
    std::size_t first_ = 0; /* index of the next worker to pop */
  };

  /* Sets this thread's group, and restores the one before, because a kernel may run another kernel.
   */
  struct scope {
    explicit scope(group_runner *of) noexcept;
    ~scope();
    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;
    const specpi_thread before;
  };
  /* Records that the calling thread runs items of this group. */
  void enter(worker &self) noexcept;

  void fail(const char *sentence);
  /* Lets the waiting items continue; barrier then throws abandoned in each. */
  void abandon();
  /* Runs the remaining items until one fails. The caller has the turn. */
  void work();
  /* Passes the turn: to a worker whose item passed the barrier, or else to an idle worker if items
   * remain, or else to the thread that called run. The caller holds the lock. */
  void pass();
  void wait_turn(std::unique_lock<std::mutex> &lock, worker &self);
  /* Starts a thread, which waits for its first turn. */
  void add_worker();
  void live(worker &self);

  char *local_memory_;
  std::function<void(std::size_t)> item_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;  /* index of the next item to start */
  std::size_t ended_ = 0; /* number of items that have ended */
  std::exception_ptr failure_;
  bool stop_ = false;

  std::mutex mutex_;
  worker main_;
  std::list<worker> workers_;
  std::vector<worker *> idle_; /* workers without an item */
  line waiting_;               /* workers whose items wait at the barrier */
  line ready_;                 /* workers whose items have passed the barrier */
};

} // namespace sycl::detail

#endif
