/*
 * Compares random commands on buffers, on several devices and the host, with a model. This file
 * defines the functions of libspecpi itself: each device has its own memory, commands run late and
 * in any order that their events allow, and any call may fail. The test thus finds wrong bytes,
 * missing waits, and failed calls that change something.
 */
#include "check.hpp"

#include <sycl/detail/requirements.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <set>

/* ---- The fixture ---- */

struct specpi_event_object {
  int references = 1;
  specpi_queue of;
  std::vector<specpi_event> before;
  std::function<void()> work;
  bool is_complete = false;
  bool has_failed = false;
};
/* A queue, which is also its device. */
struct specpi_queue_object {
  char name[2];
};

namespace {

/* The headers only compare these handles. */
specpi_queue_object devices[] = {{"a"}, {"b"}, {"c"}};
constexpr std::size_t device_count = 3;
std::mt19937 random_numbers(1);
std::set<std::unique_ptr<specpi_event_object>> all_events;
std::map<void *, std::unique_ptr<unsigned char[]>> allocations;
long calls_until_failure = -1; /* -1: never */
bool events_fail = false;
std::string last_error;

std::size_t any(std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random_numbers);
}
bool fails() {
  return calls_until_failure >= 0 && calls_until_failure-- == 0;
}
specpi_result failed(specpi_result result) {
  last_error = "a call of the test fails";
  return result;
}

void finish(specpi_event_object &e) {
  if (e.is_complete)
    return;
  for (specpi_event b : e.before) {
    finish(*b);
    e.has_failed = e.has_failed || b->has_failed;
  }
  e.is_complete = true;
  if (!e.has_failed)
    e.work();
}
/* Completes about a fourth of the pending commands, at random. */
void let_some_run() {
  for (const auto &e : all_events)
    if (any(4) == 0)
      finish(*e);
}
specpi_event give(specpi_queue of, std::size_t count, const specpi_event *waits,
                  std::function<void()> work) {
  auto e = std::make_unique<specpi_event_object>();
  e->of = of;
  e->before.assign(waits, waits + count);
  for (specpi_event b : e->before) {
    CHECK(b->of == of);
    b->references++;
  }
  e->work = std::move(work);
  e->has_failed = events_fail && any(4) == 0;
  return all_events.insert(std::move(e)).first->get();
}
void forget_events() {
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (auto e = all_events.begin(); e != all_events.end();) {
      if ((*e)->references == 0 && (*e)->is_complete) {
        for (specpi_event b : (*e)->before)
          b->references--;
        e = all_events.erase(e);
        is_more = true;
      } else {
        ++e;
      }
    }
  }
}

} // namespace

const char *specpiGetLastError() {
  return last_error.c_str();
}
const char *specpiDeviceGetName(specpi_device) {
  return "a device of the test";
}
specpi_device specpiQueueGetDevice(specpi_queue queue) {
  return reinterpret_cast<specpi_device>(queue);
}
specpi_result specpiQueueCreate(specpi_device of, unsigned, specpi_queue *queue) {
  if (fails())
    return failed(SPECPI_ERROR_OUT_OF_MEMORY);
  *queue = const_cast<specpi_queue>(reinterpret_cast<const specpi_queue_object *>(of));
  return SPECPI_SUCCESS;
}
/* No queue is in order, as the devices of this file run commands in any order. */
specpi_queue specpiEventGetQueue(specpi_event) {
  return nullptr;
}
void specpiQueueRetain(specpi_queue) {}
void specpiQueueRelease(specpi_queue) {}
void specpiEventRetain(specpi_event e) {
  if (e)
    e->references++;
}
void specpiEventRelease(specpi_event e) {
  if (e)
    e->references--;
}
specpi_result specpiEventWait(std::size_t count, const specpi_event *events) {
  bool has_failed = false;
  for (std::size_t i = 0; i < count; i++) {
    finish(*events[i]);
    has_failed = has_failed || events[i]->has_failed;
  }
  return has_failed ? failed(SPECPI_ERROR_DRIVER) : SPECPI_SUCCESS;
}
specpi_result specpiEventGetState(specpi_event e, specpi_event_state *state) {
  let_some_run();
  *state = !e->is_complete ? SPECPI_EVENT_QUEUED
           : e->has_failed ? SPECPI_EVENT_FAILED
                           : SPECPI_EVENT_COMPLETE;
  return SPECPI_SUCCESS;
}
specpi_result specpiMemoryAllocate(specpi_device, specpi_memory_kind kind, std::size_t size,
                                   std::size_t, void **pointer) {
  /* Devices support only the kind that is tried next. */
  if (kind == SPECPI_MEMORY_DEVICE)
    return failed(SPECPI_ERROR_UNSUPPORTED);
  if (fails())
    return failed(SPECPI_ERROR_OUT_OF_MEMORY);
  std::unique_ptr<unsigned char[]> memory(new unsigned char[size]);
  std::memset(memory.get(), 0xa5, size);
  *pointer = memory.get();
  allocations[*pointer] = std::move(memory);
  return SPECPI_SUCCESS;
}
specpi_result specpiMemoryFree(specpi_device, void *pointer) {
  for (const auto &e : all_events)
    finish(*e);
  CHECK(allocations.erase(pointer) == 1);
  return SPECPI_SUCCESS;
}
specpi_result specpiMemoryCopy(specpi_queue queue, void *to, const void *from, std::size_t size,
                               std::size_t count, const specpi_event *waits, specpi_event *event) {
  let_some_run();
  if (fails())
    return failed(SPECPI_ERROR_DRIVER);
  const specpi_event e = give(queue, count, waits, [=] { std::memcpy(to, from, size); });
  if (event) {
    *event = e;
    return SPECPI_SUCCESS;
  }
  finish(*e);
  e->references--;
  return e->has_failed ? failed(SPECPI_ERROR_DRIVER) : SPECPI_SUCCESS;
}

/* ---- The test ---- */

namespace {

using sycl::access_mode;
using sycl::detail::buffer_part;
constexpr std::size_t count = 4;

/* A buffer with a sub-buffer, and the expected values of its elements. */
struct modelled {
  explicit modelled(int first) {
    for (std::size_t i = 0; i < count; i++)
      host[i] = model[i] = first + static_cast<int>(i);
    whole = buffer_part::make(host, sizeof host, sycl::detail::buffer_impl::host::read);
    whole->set_final([this](const buffer_part &part) {
      part.copy_out(host);
      finals++;
    });
    half = buffer_part::make(whole, sizeof(int) * count / 2, sizeof(int) * count / 2);
  }

  int host[count];
  int model[count];
  int finals = 0;
  std::shared_ptr<buffer_part> whole;
  std::shared_ptr<buffer_part> half;
};

/* A kernel's access to a buffer or to its sub-buffer. */
struct use {
  modelled *of;
  bool is_half;
  access_mode mode;
  std::size_t begin() const {
    return is_half ? count / 2 : 0;
  }
};

class kernel {
public:
  explicit kernel(std::vector<use> uses)
      : uses_(std::move(uses)), number_(static_cast<int>(any(100))) {}

  /* Computes with the accessed ints: those of the model, or those of the buffers. */
  void run(const std::vector<int *> &at) const {
    int sum = number_;
    for (std::size_t u = 0; u < uses_.size(); u++)
      if (sycl::detail::reads(uses_[u].mode))
        for (std::size_t i = uses_[u].begin(); i < count; i++)
          sum = (sum + at[u][i - uses_[u].begin()] % 1000 * static_cast<int>(i + 1)) % 1000;
    for (std::size_t u = 0; u < uses_.size(); u++)
      if (sycl::detail::writes(uses_[u].mode))
        for (std::size_t i = uses_[u].begin(); i < count; i++)
          at[u][i - uses_[u].begin()] = sum + static_cast<int>(i);
  }
  void run_model() const {
    std::vector<int *> at;
    at.reserve(uses_.size());
    for (const use &u : uses_)
      at.push_back(u.of->model + u.begin());
    run(at);
  }
  /* Runs on a device, or on the host if queue is NULL. */
  void submit(specpi_queue queue) const {
    sycl::detail::requirements memory;
    for (const use &u : uses_)
      memory.add(u.is_half ? u.of->half : u.of->whole, u.mode, true);
    sycl::detail::requirements_use now(memory, queue);
    std::vector<int *> at;
    at.reserve(uses_.size());
    for (const use &u : uses_)
      at.push_back(reinterpret_cast<int *>(now.address(u.is_half ? *u.of->half : *u.of->whole)));
    if (fails())
      throw sycl::runtime_error("the launch of the test fails");
    if (!queue) {
      run(at);
      return now.commit({});
    }
    std::vector<specpi_event> before;
    before.reserve(now.waits().size());
    for (const auto &e : now.waits())
      before.push_back(e.get());
    const sycl::detail::event_reference done(
        give(queue, before.size(), before.data(), [copy = *this, at] { copy.run(at); }));
    now.commit(done);
  }

private:
  std::vector<use> uses_;
  int number_;
};

access_mode any_mode() {
  static const access_mode modes[] = {access_mode::read, access_mode::write,
                                      access_mode::read_write, access_mode::discard_write};
  return modes[any(4)];
}

void look(modelled &of) {
  const sycl::detail::host_use now(of.whole, access_mode::read, true);
  CHECK(std::memcmp(now.address(), of.model, sizeof of.model) == 0);
}
void write_on_host(modelled &of) {
  const sycl::detail::host_use now(of.half, access_mode::read_write, true);
  auto *const at = reinterpret_cast<int *>(now.address());
  CHECK(std::memcmp(at, of.model + count / 2, sizeof of.model / 2) == 0);
  at[1] = of.model[count / 2 + 1] = static_cast<int>(any(1000));
}
void command(std::deque<modelled> &buffers) {
  std::vector<use> uses;
  for (modelled &b : buffers)
    if (any(2) == 0)
      for (std::size_t times = any(4) == 0 ? 2 : 1; times != 0; times--)
        uses.push_back({&b, any(3) == 0, any_mode()});
  const kernel k(uses);
  const std::size_t where = any(device_count + 1);
  k.submit(where == device_count ? nullptr : &devices[where]);
  k.run_model();
}

/* Runs one random sequence of commands, and compares the buffers with the model. */
void run(unsigned seed, bool calls_fail) {
  random_numbers.seed(seed);
  std::deque<modelled> buffers;
  for (int i = 0; i < 3; i++)
    buffers.emplace_back(i * 10);
  for (int step = 0; step < 60; step++) {
    calls_until_failure = calls_fail && any(3) == 0 ? static_cast<long>(any(6)) : -1;
    try {
      modelled &one = buffers[any(buffers.size())];
      switch (any(6)) {
      case 0:
        look(one);
        break;
      case 1:
        write_on_host(one);
        break;
      default:
        command(buffers);
      }
    } catch (const sycl::exception &e) {
      CHECK(calls_fail);
    }
    let_some_run();
    forget_events();
  }
  calls_until_failure = -1;
  for (modelled &b : buffers) {
    look(b);
    b.half.reset();
    b.whole.reset();
    CHECK(b.finals == 1 && std::memcmp(b.host, b.model, sizeof b.model) == 0);
  }
  forget_events();
  CHECK(all_events.empty() && allocations.empty());
}

} // namespace

CASE("random commands of several devices and the host agree with a model") {
  for (unsigned seed = 1; seed <= 150; seed++)
    run(seed, false);
}

CASE("a call that fails changes nothing") {
  for (unsigned seed = 1; seed <= 150; seed++)
    run(seed, true);
}

CASE("a buffer whose commands fail ends, and can be used") {
  for (unsigned seed = 1; seed <= 50; seed++) {
    random_numbers.seed(seed);
    std::deque<modelled> buffers;
    for (int i = 0; i < 3; i++)
      buffers.emplace_back(i * 10);
    events_fail = true;
    for (int step = 0; step < 30; step++) {
      try {
        command(buffers);
      } catch (const sycl::exception &) {
      }
    }
    events_fail = false;
    for (modelled &b : buffers) {
      /* A buffer reports the failure of its commands once. */
      for (int i = 0; i < 2; i++) {
        try {
          const sycl::detail::host_use now(b.whole, access_mode::discard_write, true);
          std::memcpy(now.address(), b.model, sizeof b.model);
          break;
        } catch (const sycl::exception &) {
          CHECK(i == 0);
        }
      }
      look(b);
    }
    command(buffers);
    for (modelled &b : buffers) {
      look(b);
      b.half.reset();
      b.whole.reset();
      CHECK(std::memcmp(b.host, b.model, sizeof b.model) == 0);
    }
    forget_events();
    CHECK(all_events.empty() && allocations.empty());
  }
}

CASE("commands that fail to read, and copies to devices that fail, leave the buffer") {
  for (unsigned seed = 1; seed <= 50; seed++) {
    random_numbers.seed(seed);
    modelled a(0);
    modelled b(10);
    for (int round = 0; round < 10; round++) {
      events_fail = true;
      for (int i = 0; i < 3; i++)
        kernel({{&a, false, access_mode::read}}).submit(&devices[any(2)]);
      events_fail = false;
      for (const auto &e : all_events)
        finish(*e);
      const kernel k({{&a, false, any(2) ? access_mode::read : access_mode::read_write},
                      {&b, false, access_mode::read_write}});
      k.submit(&devices[any(2)]);
      k.run_model();
      look(b);
      look(a);
    }
  }
  forget_events();
}

CASE("a device without unified shared memory is named") {
  /* The headers report failed allocations like missing unified shared memory. */
  modelled b(0);
  calls_until_failure = 0;
  CHECK_THROWS(sycl::memory_allocation_error, sycl::errc::memory_allocation, "fails",
               kernel({{&b, false, access_mode::read}}).submit(&devices[0]));
  calls_until_failure = -1;
}

CHECK_MAIN
