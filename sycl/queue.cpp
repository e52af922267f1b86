// Queues, and memory that they share with the host.
#include <sycl/sycl.hpp>

namespace sycl::detail {

specpi_wish turns::wish(specpi_turn &of, bool writes) noexcept {
  return {&of, writes, false, 0, nullptr};
}

turns::turns(wishes all, of who) : wishes_(std::move(all)) {
  if (specpiTurnsTake(wishes_.size(), wishes_.data(), who == of::command) != SPECPI_SUCCESS)
    throw accessor_error("the command group needs a buffer of which its thread holds a host "
                         "accessor: destroy the host accessor first");
}

turns::~turns() {
  specpiTurnsEnd(wishes_.size(), wishes_.data());
}

void turns::hold() noexcept {
  specpiTurnsHold(wishes_.size(), wishes_.data());
}

/* The handler if the user passed none; SYCL 2020, 4.13.1.2: report all and end the program. */
[[noreturn]] static void report_and_terminate(const exception_list &errors) {
  for (const std::exception_ptr &error : errors) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &e) {
      std::fprintf(stderr, "sycl: asynchronous error: %s\n", e.what());
    } catch (...) {
      std::fprintf(stderr, "sycl: asynchronous error of an unknown type\n");
    }
  }
  std::terminate();
}

specpi_event_state state_of(specpi_event command) noexcept {
  specpi_event_state state = SPECPI_EVENT_QUEUED;
  return specpiEventGetState(command, &state) == SPECPI_SUCCESS ? state : SPECPI_EVENT_QUEUED;
}

static bool ended(specpi_event command) noexcept {
  const specpi_event_state state = state_of(command);
  return state == SPECPI_EVENT_COMPLETE || state == SPECPI_EVENT_FAILED;
}

device_limits::device_limits(const device &of) {
  if (of.is_host())
    return;
  group_size = of.get_info<info::device::max_work_group_size>();
  item_sizes = of.get_info<info::device::max_work_item_sizes<3>>();
  parameter_size = of.get_info<info::device::max_parameter_size>();
  local_memory = of.get_info<info::device::local_mem_size>();
}

queue_impl::queue_impl(context c, device d, async_handler h, property_list p)
    : in(std::move(c)), of(d), handler(std::move(h)), properties(std::move(p)),
      profiling(properties.has_property<property::queue::enable_profiling>()), limits(of) {
  if (!contains(in.get_devices(), of))
    throw runtime_error(errc::invalid, "the queue's device, " + of.get_info<info::device::name>() +
                                           ", is not one of its context's");
  if (!of.is_host())
    check(specpiQueueCreate(of.handle(), profiling ? SPECPI_QUEUE_PROFILING : 0, native.out()));
}

queue_impl::~queue_impl() {
  try {
    drop_ended();
  } catch (...) {
    /* Errors that cannot be recorded are lost: a destructor cannot report the failure. */
  }
  report();
}

void queue_impl::add(const event_reference &command) {
  const std::lock_guard<std::mutex> lock(mutex_);
  commands_.push_back(command);
}

void queue_impl::make_room() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (commands_.size() >= full_) {
    drop_half();
    full_ = std::max<std::size_t>(initially_full, 2 * commands_.size());
  }
  /* Reserved so that add does not fail after the submission, unless very many threads submit at the
   * same time. */
  commands_.reserve(full_ + initially_full);
  handles_.reserve(commands_.capacity());
}

void queue_impl::wait() {
  if (of.is_host())
    return;
  const std::uint64_t until = given();
  const specpi_result result = specpiQueueFinish(native.get());
  const std::string sentence = result == SPECPI_SUCCESS ? "" : specpiGetLastError();
  if (!drop_until(until) && result != SPECPI_SUCCESS)
    throw runtime_error(sentence);
}

void queue_impl::wait(const event_reference &command) {
  const specpi_event handle = command.get();
  const specpi_result result = specpiEventWait(1, &handle);
  if (result == SPECPI_SUCCESS || state_of(handle) == SPECPI_EVENT_FAILED)
    return;
  fail(result);
}

void queue_impl::settle(const event_reference &command) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (std::size_t i = 0; i < commands_.size(); i++)
    if (commands_[i].get() == command.get())
      return static_cast<void>(drop(i + 1));
}

void queue_impl::add_error(std::exception_ptr error) {
  const std::lock_guard<std::mutex> lock(mutex_);
  errors_.push_back(std::move(error));
}

void queue_impl::drop_ended() {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::size_t count = commands_.size();
  while (count && !ended(commands_[count - 1].get()))
    count--;
  drop(count);
}

void queue_impl::report() {
  std::vector<std::exception_ptr> errors;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    errors.swap(errors_);
  }
  if (errors.empty())
    return;
  const exception_list list(std::move(errors));
  if (handler)
    handler(list);
  else if (in.impl()->handler)
    in.impl()->handler(list);
  else
    report_and_terminate(list);
}

std::uint64_t queue_impl::given() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return dropped_ + commands_.size();
}

bool queue_impl::drop_until(std::uint64_t until) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return until > dropped_ && drop(static_cast<std::size_t>(until - dropped_));
}

void queue_impl::drop_half() {
  const std::size_t half = commands_.size() / 2;
  if (half && ended(commands_[half - 1].get()))
    drop(half);
}

bool queue_impl::drop(std::size_t count) {
  handles_.clear();
  for (std::size_t i = 0; i < count; i++)
    handles_.push_back(commands_[i].get());
  bool any = false;
  if (specpiEventWait(count, handles_.data()) != SPECPI_SUCCESS) {
    for (specpi_event handle : handles_) {
      if (state_of(handle) != SPECPI_EVENT_FAILED || specpiEventWait(1, &handle) == SPECPI_SUCCESS)
        continue;
      any = true;
      errors_.push_back(
          std::make_exception_ptr(runtime_error(in, errc::runtime, specpiGetLastError())));
    }
  }
  commands_.erase(commands_.begin(), commands_.begin() + static_cast<std::ptrdiff_t>(count));
  dropped_ += count;
  return any;
}

void *usm_memory::allocate(std::size_t size, std::size_t alignment, const device &of,
                           const context &in, usm::alloc kind) {
  if (!contains(in.get_devices(), of))
    throw runtime_error(errc::invalid, "memory is allocated on a device that is not of the "
                                       "context");
  if (size == 0 || (alignment & (alignment - 1)) != 0)
    return nullptr;
  void *pointer = nullptr;
  if (of.is_host())
    pointer =
        ::operator new(size, std::align_val_t(std::max(alignment, host_alignment)), std::nothrow);
  else
    pointer = allocate_there(size, alignment, of, kind);
  if (!pointer)
    return nullptr;
  const specpi_record made = {address(pointer), size, of.handle(), alignment,
                              static_cast<std::uint32_t>(kind)};
  const specpi_result result = specpiRecordAdd(SPECPI_TABLE_MEMORY, &made);
  if (result != SPECPI_SUCCESS) {
    release(pointer, alignment, of);
    fail(result);
  }
  return pointer;
}

void usm_memory::free(void *pointer) {
  if (!pointer)
    return;
  specpi_record taken;
  if (!specpiRecordTake(SPECPI_TABLE_MEMORY, address(pointer), &taken))
    throw runtime_error(errc::invalid, "a pointer is freed that is not the beginning of "
                                       "unified shared memory");
  /* Called without the lock, because this may wait for commands. */
  release(pointer, taken.alignment, device(static_cast<specpi_device>(taken.object)));
}

bool usm_memory::find(const void *pointer, const context &in, one &found) {
  one there = found;
  if (!find(pointer, there) || !contains(in.get_devices(), there.of))
    return false;
  found = there;
  return true;
}

void usm_memory::require_reach(const void *pointer, const device &by) {
  one there{by, usm::alloc::unknown};
  if (find(pointer, there) && !reaches(by, there))
    throw feature_not_supported("a pointer is unified shared memory of " +
                                there.of.get_info<info::device::name>() + ", which commands of " +
                                by.get_info<info::device::name>() + " do not reach");
}

bool usm_memory::reaches(const device &by, const one &memory) noexcept {
  if (by.is_host())
    return memory.of.is_host() || memory.kind != usm::alloc::device;
  return memory.of == by || memory.of.is_host() ||
         (memory.of.get_backend() == backend::cuda && by.get_backend() == backend::cuda);
}

bool usm_memory::find(const void *pointer, one &found) {
  const auto look = [](const specpi_record *there, void *to) {
    *static_cast<one *>(to) = {device(static_cast<specpi_device>(there->object)),
                               static_cast<usm::alloc>(there->kind)};
  };
  return specpiRecordFind(SPECPI_TABLE_MEMORY, address(pointer), look, &found);
}

std::uintptr_t usm_memory::address(const void *pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

void *usm_memory::allocate_there(std::size_t size, std::size_t alignment, const device &of,
                                 usm::alloc kind) {
  void *pointer = nullptr;
  const specpi_result result =
      specpiMemoryAllocate(of.handle(),
                           kind == usm::alloc::host     ? SPECPI_MEMORY_HOST
                           : kind == usm::alloc::device ? SPECPI_MEMORY_DEVICE
                                                        : SPECPI_MEMORY_SHARED,
                           size, alignment, &pointer);
  if (result == SPECPI_ERROR_UNSUPPORTED)
    fail(result);
  return result == SPECPI_SUCCESS ? pointer : nullptr;
}

void usm_memory::release(void *pointer, std::size_t alignment, const device &of) {
  if (of.is_host())
    ::operator delete(pointer, std::align_val_t(std::max(alignment, host_alignment)));
  else
    check(specpiMemoryFree(of.handle(), pointer));
}

const void *memory_end::get(const requirements_use &use) {
  if (!first_)
    return pointer_;
  use.resolve(accessor_.data(), accessor_.size());
  return first_(accessor_.data());
}

void memory_command::find_ends(const requirements_use &use, const device &by) {
  there_ = static_cast<unsigned char *>(const_cast<void *>(to.get(use)));
  const char *const name = is_fill ? "a fill" : "a copy";
  if (!there_)
    throw runtime_error(errc::invalid, std::string("the destination of ") + name + " is NULL");
  usm_memory::require_reach(there_, by);
  if (is_fill)
    return;
  source_ = static_cast<const unsigned char *>(from.get(use));
  if (!source_)
    throw runtime_error(errc::invalid, "the source of a copy is NULL");
  usm_memory::require_reach(source_, by);
  const auto a = reinterpret_cast<std::uintptr_t>(there_);
  const auto b = reinterpret_cast<std::uintptr_t>(source_);
  if ((a < b ? b - a : a - b) < size)
    throw runtime_error(errc::invalid, "the " + std::to_string(size) +
                                           " bytes of the source and of the destination of a "
                                           "copy overlap");
}

void memory_command::run() const noexcept {
  if (!is_fill)
    std::memcpy(there_, source_, size);
  else
    for (std::size_t i = 0; i < size; i += pattern.size())
      std::memcpy(there_ + i, pattern.data(), pattern.size());
}

event_reference memory_command::give(specpi_queue queue, const event_handles &before) const {
  event_reference given;
  if (!is_fill)
    check(
        specpiMemoryCopy(queue, there_, source_, size, before.size(), before.data(), given.out()));
  else if (is_one_byte())
    check(specpiMemoryFill(queue, there_, pattern.front(), size, before.size(), before.data(),
                           given.out()));
  else
    given = repeat(queue, before);
  return given;
}

bool memory_command::is_one_byte() const noexcept {
  for (const unsigned char byte : pattern)
    if (byte != pattern.front())
      return false;
  return true;
}

event_reference memory_command::repeat(specpi_queue queue, const event_handles &before) const {
  event_reference last;
  check(specpiMemoryCopy(queue, there_, pattern.data(), pattern.size(), before.size(),
                         before.data(), last.out()));
  const specpi_event first = last.get();
  check(specpiEventWait(1, &first));
  for (std::size_t done = pattern.size(); done < size;) {
    const std::size_t more = std::min(done, size - done);
    event_reference next;
    check(specpiMemoryCopy(queue, there_ + done, there_, more, 0, nullptr, next.out()));
    last = std::move(next);
    done += more;
  }
  return last;
}

} // namespace sycl::detail

namespace sycl {

queue::queue(const device &of, const async_handler &h, const property_list &properties)
    : queue(context(of), of, h, properties) {}

queue::queue(const context &in, const property_list &properties)
    : queue(in, in.get_devices().front(), properties) {}

queue::queue(const context &in, const device &of, const property_list &properties)
    : queue(in, of, async_handler(), properties) {}

queue::queue(const context &in, const device &of, const async_handler &h,
             const property_list &properties)
    : impl_(std::make_shared<detail::queue_impl>(in, of, h, properties)) {}

backend queue::get_backend() const noexcept {
  return impl_->of.get_backend();
}

bool queue::is_host() const noexcept {
  return impl_->of.is_host();
}

bool queue::is_in_order() const noexcept {
  return has_property<property::queue::in_order>();
}

void queue::wait() {
  impl_->wait();
}

void queue::wait_and_throw() {
  impl_->wait();
  impl_->report();
}

void queue::throw_asynchronous() {
  impl_->drop_ended();
  impl_->report();
}

void *aligned_alloc(std::size_t alignment, std::size_t size, const device &of, const context &in,
                    usm::alloc kind) {
  return detail::usm_memory::allocate(size, alignment, of, in, kind);
}

void *aligned_alloc(std::size_t alignment, std::size_t size, const queue &of, usm::alloc kind) {
  return sycl::aligned_alloc(alignment, size, of.get_device(), of.get_context(), kind);
}

void *malloc(std::size_t size, const device &of, const context &in, usm::alloc kind) {
  return sycl::aligned_alloc(0, size, of, in, kind);
}

void *malloc(std::size_t size, const queue &of, usm::alloc kind) {
  return sycl::aligned_alloc(0, size, of, kind);
}

void *aligned_alloc_host(std::size_t alignment, std::size_t size, const context &in) {
  return sycl::aligned_alloc(alignment, size, in.get_devices().front(), in, usm::alloc::host);
}

void *aligned_alloc_host(std::size_t alignment, std::size_t size, const queue &of) {
  return sycl::aligned_alloc(alignment, size, of, usm::alloc::host);
}

void *malloc_host(std::size_t size, const context &in) {
  return sycl::aligned_alloc_host(0, size, in);
}

void *malloc_host(std::size_t size, const queue &of) {
  return sycl::aligned_alloc_host(0, size, of);
}

void free(void *pointer, const context &) {
  detail::usm_memory::free(pointer);
}

void free(void *pointer, const queue &) {
  detail::usm_memory::free(pointer);
}

usm::alloc get_pointer_type(const void *pointer, const context &in) {
  detail::usm_memory::one found{device(specpi_device()), usm::alloc::unknown};
  detail::usm_memory::find(pointer, in, found);
  return found.kind;
}

device get_pointer_device(const void *pointer, const context &in) {
  detail::usm_memory::one found{device(specpi_device()), usm::alloc::unknown};
  if (!detail::usm_memory::find(pointer, in, found))
    throw runtime_error(errc::invalid, "the pointer is not into unified shared memory of the "
                                       "context");
  return found.of;
}

} // namespace sycl
