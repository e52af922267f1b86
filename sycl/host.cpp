// Kernels on the host device.
#include <sycl/sycl.hpp>

namespace sycl::detail {

char *host_local_memory() noexcept {
  return specpiThreadGet()->local_memory;
}

group_runner::~group_runner() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    for (worker &w : workers_)
      pthread_cond_signal(&w.wake);
  }
  for (worker &w : workers_)
    w.thread.join();
}

void group_runner::barrier() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!failure_ && ended_)
    fail("an item waits at a barrier that other items of its group did not reach");
  if (failure_)
    throw abandoned();
  if (waiting_.size() + 1 == count_) {
    /* This is the last item to arrive. The others continue when it waits again or ends. */
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

std::size_t group_runner::line::size() const noexcept {
  return all_.size() - first_;
}

void group_runner::line::push(worker *one) {
  all_.push_back(one);
}

group_runner::worker *group_runner::line::pop() noexcept {
  worker *const one = all_[first_++];
  if (first_ == all_.size()) {
    all_.clear();
    first_ = 0;
  }
  return one;
}

void group_runner::line::take(line &other) {
  all_.insert(all_.end(), other.all_.begin() + static_cast<std::ptrdiff_t>(other.first_),
              other.all_.end());
  other.all_.clear();
  other.first_ = 0;
}

void group_runner::line::swap(line &other) noexcept {
  all_.swap(other.all_);
  std::swap(first_, other.first_);
}

group_runner::scope::scope(group_runner *of) noexcept : before(*specpiThreadGet()) {
  of->enter(of->main_);
}

group_runner::scope::~scope() {
  specpi_thread &here = *specpiThreadGet();
  here.group = before.group;
  here.local_memory = before.local_memory;
  here.worker = before.worker;
}

void group_runner::enter(worker &self) noexcept {
  specpi_thread &here = *specpiThreadGet();
  here.group = this;
  here.local_memory = local_memory_;
  here.worker = &self;
}

void group_runner::fail(const char *sentence) {
  failure_ = std::make_exception_ptr(kernel_error(sentence));
  abandon();
}

void group_runner::abandon() {
  ready_.take(waiting_);
}

void group_runner::work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (next_ < count_ && !failure_) {
    const std::size_t index = next_++;
    lock.unlock();
    std::exception_ptr error;
    try {
      item_(index);
    } catch (const abandoned &) {
      /* failure_ has the cause already. */
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

void group_runner::pass() {
  worker *next = &main_;
  if (!ready_.empty()) {
    next = ready_.pop();
  } else if (next_ < count_ && !failure_) {
    next = idle_.back();
    idle_.pop_back();
  }
  next->turn = true;
  pthread_cond_signal(&next->wake);
}

void group_runner::wait_turn(std::unique_lock<std::mutex> &lock, worker &self) {
  while (!self.turn && !stop_)
    pthread_cond_wait(&self.wake, lock.mutex()->native_handle());
  self.turn = false;
}

void group_runner::add_worker() {
  idle_.reserve(workers_.size() + 1); /* so that push_back in live cannot fail */
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

void group_runner::live(worker &self) {
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

void host_barrier(group_state *) {
  auto *const group = static_cast<group_runner *>(specpiThreadGet()->group);
  if (!group)
    throw feature_not_supported("only kernels with an nd_range have barriers");
  group->barrier();
}

host_memory_block::host_memory_block(std::size_t size, std::size_t alignment)
    : alignment_(alignment) {
  if (size > sizeof here_ || alignment > here_alignment)
    far_ = ::operator new(size, std::align_val_t(alignment));
}

host_memory_block::~host_memory_block() {
  ::operator delete(far_, std::align_val_t(alignment_));
}

char *host_memory_block::get() noexcept {
  return far_ ? static_cast<char *>(far_) : here_;
}

std::size_t local_memory_need::add(std::size_t bytes, std::size_t aligned) noexcept {
  const std::size_t offset = (size + aligned - 1) / aligned * aligned;
  size = offset + bytes;
  alignment = std::max(alignment, aligned);
  return offset;
}

} // namespace sycl::detail
