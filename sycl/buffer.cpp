// Buffers: their memory, its parts on devices, and the copies between them.
#include <sycl/sycl.hpp>

namespace sycl::detail {

std::shared_ptr<buffer_part> buffer_part::make(const void *memory, std::size_t size,
                                               buffer_impl::host kind) {
  return enter(std::make_shared<buffer_part>(std::make_shared<buffer_impl>(memory, size, kind),
                                             nullptr, 0, size));
}

std::shared_ptr<buffer_part> buffer_part::make(const std::shared_ptr<buffer_part> &of,
                                               std::size_t offset, std::size_t size) {
  return enter(std::make_shared<buffer_part>(of->memory_, of, of->offset_ + offset, size));
}

buffer_part::buffer_part(std::shared_ptr<buffer_impl> memory, std::shared_ptr<buffer_part> of,
                         std::size_t offset, std::size_t size) noexcept
    : memory_(std::move(memory)), of_(std::move(of)), offset_(offset), size_(size) {}

buffer_part::~buffer_part() {
  specpiRecordTake(SPECPI_TABLE_BUFFERS, key_, nullptr);
  if (!is_written_back_ || !final_)
    return;
  try {
    const turns mine({turns::wish(memory_->whose_turn, false)}, turns::of::host);
    final_(*this);
  } catch (...) {
    /* A destructor cannot report a failure; the queue's handler gets the command's. */
  }
}

std::shared_ptr<buffer_part> buffer_part::find(key of) {
  std::shared_ptr<buffer_part> found;
  /* While look runs, the part's destructor waits in specpiRecordTake. */
  const auto look = [](const specpi_record *there, void *to) {
    const auto *part = static_cast<const buffer_part *>(there->object);
    *static_cast<std::shared_ptr<buffer_part> *>(to) =
        const_cast<buffer_part *>(part)->weak_from_this().lock();
  };
  specpiRecordFind(SPECPI_TABLE_BUFFERS, of, look, &found);
  return found;
}

bool buffer_part::is_key(key of) {
  const key number = (of * spread_back) & low_bits;
  return looks_like_key(of) && number != 0 && number < specpiNumbersTake(0);
}

bool buffer_part::looks_like_key(key of) noexcept {
  return (of & ~low_bits) == tag;
}

bool buffer_part::is_sub_buffer() const noexcept {
  return of_ != nullptr;
}

bool buffer_part::is_all() const noexcept {
  return size_ == memory_->size();
}

void buffer_part::set_final(std::function<void(const buffer_part &)> f) {
  const std::lock_guard<std::mutex> lock(mutex_);
  final_.swap(f);
  is_written_back_ = true;
}

void buffer_part::set_write_back(bool on) {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_written_back_ = on;
}

void buffer_part::copy_out(void *to) const {
  memory_->copy_out(to, offset_, size_);
}

const void *buffer_part::latest() const {
  const unsigned char *bytes = memory_->latest();
  return bytes ? bytes + offset_ : nullptr;
}

std::shared_ptr<buffer_part> buffer_part::enter(std::shared_ptr<buffer_part> part) {
  part->key_ = tag | ((specpiNumbersTake(1) * spread) & low_bits);
  const specpi_record record = {part->key_, 1, part.get(), 0, 0};
  check(specpiRecordAdd(SPECPI_TABLE_BUFFERS, &record));
  return part;
}

void memory_use::add(memory_use other) noexcept {
  old = old || other.old;
  writes = writes || other.writes;
}

buffer_impl::buffer_impl(const void *memory, std::size_t size, host kind) noexcept
    : host_(static_cast<unsigned char *>(const_cast<void *>(memory))), size_(size),
      is_host_writable_(kind == host::in_place) {}

buffer_impl::~buffer_impl() { // NOLINT(bugprone-exception-escape)
  try {
    wait([](const command &) { return true; });
  } catch (...) {
    /* A destructor cannot report a failure; the queue's handler gets the command's. */
  }
  for (const copy &c : copies_)
    specpiMemoryFree(c.of, c.pointer);
}

unsigned char *buffer_impl::acquire(specpi_queue queue, memory_use use, event_references &waits) {
  const specpi_device of = specpiQueueGetDevice(queue);
  forget_complete();
  /* A failed write makes commands that read the result fail; a failed read or upload does not. */
  forget_failed([](kind of) { return of != kind::write; });
  commands_.reserve(forget_at_ + 2);
  const auto needed = [=](const command &c) {
    return use.writes || c.what == kind::write || (c.what == kind::upload && c.of == of);
  };
  /* Wait here, because a command cannot wait for a command of another device. */
  wait([=](const command &c) { return c.of != of && needed(c); });
  copy &mine = copy_of(of);
  if (use.old && !mine.valid)
    upload(queue, mine);
  /* Commands of the same queue are in order and need no wait. */
  for (const command &c : commands_)
    if (needed(c) && specpiEventGetQueue(c.done.get()) != queue)
      add(waits, c.done);
  return static_cast<unsigned char *>(mine.pointer);
}

void buffer_impl::commit(specpi_queue queue, memory_use use, const event_reference &done) noexcept {
  const specpi_device of = specpiQueueGetDevice(queue);
  if (use.writes) {
    /* The new command waits for all earlier ones, so later commands need to wait only for it. */
    commands_.clear();
    for (copy &c : copies_)
      c.valid = c.of == of;
    is_host_valid_ = false;
  }
  commands_.push_back({done, of, use.writes ? kind::write : kind::read});
}

void buffer_impl::abandon() noexcept {
  forget_failed([](kind) { return true; });
}

unsigned char *buffer_impl::acquire_host(memory_use use) {
  wait([=](const command &c) { return use.writes || c.what == kind::write; });
  if (use.old && !is_host_valid_)
    fetch();
  if (use.writes || !host_)
    make_host_writable();
  return host_;
}

void buffer_impl::commit_host(memory_use use) noexcept {
  if (use.writes) {
    is_host_valid_ = true;
    for (copy &c : copies_)
      c.valid = false;
  }
}

void buffer_impl::copy_out(void *to, std::size_t offset, std::size_t size) {
  wait([](const command &c) { return c.what == kind::write; });
  if (size == 0)
    return;
  if (!is_host_valid_)
    download(to, offset, size);
  else if (host_ && to != host_ + offset)
    std::memcpy(to, host_ + offset, size);
}

const unsigned char *buffer_impl::latest() {
  return is_host_valid_ && !host_ ? nullptr : acquire_host({true, false});
}

void buffer_impl::keep(std::shared_ptr<const void> memory) noexcept {
  kept_ = std::move(memory);
}

void buffer_impl::aligned_delete::operator()(void *memory) const noexcept {
  ::operator delete(memory, alignment);
}

void buffer_impl::add(event_references &waits, const event_reference &done) {
  for (const event_reference &there : waits)
    if (there.get() == done.get())
      return;
  waits.push_back(done);
}

void buffer_impl::forget_complete() {
  if (commands_.size() < forget_at_)
    return;
  forget([](const command &c) { return state_of(c.done.get()) == SPECPI_EVENT_COMPLETE; });
  forget_at_ = std::max<std::size_t>(8, 2 * commands_.size());
}

buffer_impl::copy &buffer_impl::copy_of(specpi_device of) {
  for (copy &c : copies_)
    if (c.of == of)
      return c;
  copies_.reserve(copies_.size() + 1);
  copies_.push_back({of, allocate(of), false, {}});
  return copies_.back();
}

void *buffer_impl::allocate(specpi_device of) const {
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

void buffer_impl::upload(specpi_queue queue, copy &to) {
  if (!is_host_valid_)
    fetch();
  if (host_ && size_) {
    /* No command uses the device's bytes: the command that made them outdated waited for all. */
    event_reference done;
    check(specpiMemoryCopy(queue, to.pointer, host_, size_, 0, nullptr, done.out()));
    commands_.push_back({std::move(done), to.of, kind::upload});
  }
  to.valid = true;
}

void buffer_impl::fetch() {
  wait([](const command &c) { return c.what == kind::write; });
  make_host_writable();
  download(host_, 0, size_);
  is_host_valid_ = true;
}

void buffer_impl::download(void *to, std::size_t offset, std::size_t size) {
  for (copy &c : copies_) {
    if (!c.valid)
      continue;
    if (!c.queue)
      check(specpiQueueCreate(c.of, 0, c.queue.out()));
    if (size)
      check(specpiMemoryCopy(c.queue.get(), to, static_cast<const char *>(c.pointer) + offset, size,
                             0, nullptr, nullptr));
    return;
  }
}

void buffer_impl::make_host_writable() {
  if (is_host_writable_)
    return;
  own_.reset(static_cast<unsigned char *>(::operator new(size_ ? size_ : 1, alignment)));
  if (host_ && is_host_valid_)
    std::memcpy(own_.get(), host_, size_);
  host_ = own_.get();
  is_host_writable_ = true;
}

} // namespace sycl::detail
