// specpi.hpp: handles that release themselves, and exceptions.
#include <specpi/specpi.hpp>

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
#include <setjmp.h>

#include <cmocka.h>

#include "launch_world.h"
}

static void a_handle_is_released_with_its_owner(void **) {
  specpi_event_state state_now;
  specpi::event event;
  {
    specpi::queue queue;
    specpi::buffer buffer;
    specpi::check(specpiQueueCreate(world_device(), 0, specpi::out(queue)));
    specpi::check(specpiBufferCreate(world_device(), 64, nullptr, specpi::out(buffer)));
    const unsigned char seven = 7;
    specpi::check(specpiBufferFill(queue.get(), buffer.get(), &seven, 1, 0, 64, 0, nullptr,
                                   specpi::out(event)));
  }
  specpi_event waits[] = {event.get()};
  specpi::check(specpiEventWait(1, waits));
  specpi::check(specpiEventGetState(event.get(), &state_now));
  assert_int_equal(state_now, SPECPI_EVENT_COMPLETE);
}

static void a_failure_is_an_exception_with_the_message(void **) {
  specpi::queue queue;
  specpi::check(specpiQueueCreate(world_device(), 0, specpi::out(queue)));
  const specpi_queue before = queue.get();
  bool is_caught = false;
  try {
    specpi::check(specpiQueueCreate(nullptr, 0, specpi::out(queue)));
  } catch (const specpi::error &error) {
    is_caught = true;
    assert_int_equal(error.code(), SPECPI_ERROR_INVALID_ARGUMENT);
    assert_string_equal(error.what(), "device is NULL");
  }
  assert_true(is_caught);
  assert_ptr_equal(queue.get(), before);
}

static void an_owner_takes_another_handle(void **) {
  specpi::buffer buffer;
  specpi::check(specpiBufferCreate(world_device(), 64, nullptr, specpi::out(buffer)));
  specpi::check(specpiBufferCreate(world_device(), 128, nullptr, specpi::out(buffer)));
  assert_int_equal(specpiBufferGetSize(buffer.get()), 128);
  specpi::bundle bundle(world_bundle(WORLD_LAUNCH));
  const specpi::bundle other = std::move(bundle);
  assert_null(bundle.get());
  assert_non_null(other.get());
}

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(a_handle_is_released_with_its_owner),
      cmocka_unit_test(a_failure_is_an_exception_with_the_message),
      cmocka_unit_test(an_owner_takes_another_handle),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
