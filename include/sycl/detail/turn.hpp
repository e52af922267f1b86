/*
 * Whose turn it is to use a buffer. It is taken by one thread while that moves the bytes and gives
 * a command, and held by host accessors and commands of the host device as long as they use the
 * host's bytes: by many that read, or one that writes. Who needs several buffers takes them all at
 * once or waits without any, so that no two wait for each other.
 */
#ifndef SYCL_DETAIL_TURN_HPP
#define SYCL_DETAIL_TURN_HPP

#include <sycl/detail/few.hpp>
#include <sycl/exception.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sycl::detail {

class turn {
private:
  friend class turns;
  struct holder {
    std::thread::id thread;
    bool writes;
  };

  /* Of all buffers. It is only locked to look and to mark, never while anything is done. */
  static std::mutex &mutex() {
    static std::mutex all;
    return all;
  }
  bool is_taken_ = false;
  std::vector<holder> holders_;
  std::condition_variable changed_;
};

/* The turns that somebody has, of any number of buffers; they end with the object. */
class turns {
public:
  struct wish {
    turn *of; /* each once */
    bool writes;
  };
  using wishes = few<wish, 8>;
  enum class of { command, host };

  /*
   * Waits until they are free. Accessors of one thread are no obstacle to each other. A command
   * that would wait for a host accessor of its own thread throws accessor_error: it would never
   * end.
   */
  turns(wishes all, of who) : wishes_(std::move(all)), thread_(std::this_thread::get_id()) {
    std::unique_lock<std::mutex> lock(turn::mutex());
    while (turn *busy = find_busy(who))
      busy->changed_.wait(lock);
    for (const wish &w : wishes_)
      w.of->holders_.reserve(w.of->holders_.size() + 1);
    for (const wish &w : wishes_)
      w.of->is_taken_ = true;
  }
  turns(const turns &) = delete;
  turns &operator=(const turns &) = delete;
  ~turns() {
    const std::lock_guard<std::mutex> lock(turn::mutex());
    for (const wish &w : wishes_) {
      if (is_holding_)
        drop(w);
      else
        w.of->is_taken_ = false;
      w.of->changed_.notify_all();
    }
  }

  /* From now on the host's bytes are used: others that read may, too. */
  void hold() noexcept {
    const std::lock_guard<std::mutex> lock(turn::mutex());
    for (const wish &w : wishes_) {
      w.of->holders_.push_back({thread_, w.writes});
      w.of->is_taken_ = false;
      w.of->changed_.notify_all();
    }
    is_holding_ = true;
  }

private:
  turn *find_busy(of who) const {
    turn *busy = nullptr;
    for (const wish &w : wishes_) {
      if (w.of->is_taken_)
        busy = w.of;
      for (const turn::holder &h : w.of->holders_) {
        if (!h.writes && !w.writes)
          continue;
        if (h.thread != thread_)
          busy = w.of;
        else if (who == of::command)
          throw accessor_error("the command group needs a buffer of which its thread holds a host "
                               "accessor: destroy the host accessor first");
      }
    }
    return busy;
  }
  void drop(const wish &w) noexcept {
    auto &all = w.of->holders_;
    all.erase(std::find_if(all.begin(), all.end(), [&](const turn::holder &h) {
      return h.thread == thread_ && h.writes == w.writes;
    }));
  }

  wishes wishes_;
  std::thread::id thread_;
  bool is_holding_ = false;
};

} // namespace sycl::detail

#endif
