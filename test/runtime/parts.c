/*
 * Parts of a device, over the fake OpenCL, whose device has two affinity domains: each part has its
 * own context, works like a device, and refuses the objects of another.
 */
#include "support.h"

/* The objects that a launch of "report" needs. */
typedef struct side {
  specpi_device device;
  specpi_bundle input;
  specpi_bundle object;
  specpi_kernel kernel;
  specpi_queue queue;
  specpi_buffer buffer;
} side;

static void make(side *side, const char *selector) {
  size_t count = 0;
  must(specpiDevicesGet(selector, 1, &side->device, &count));
  assert_int_equal(count, 1);
  assert_string_equal(specpiDeviceGetSelector(side->device), selector);
  test_image image;
  image_report(&image);
  specpi_image made = support_image(&image);
  must(specpiBundleCreate(side->device, 1, &made, &side->input));
  specpiImageRelease(made);
  must(specpiBundleCompile(side->input, NULL, &side->object));
  must(specpiBundleGetKernel(side->input, "report", NULL, 0, NULL, &side->kernel));
  must(specpiQueueCreate(side->device, 0, &side->queue));
  must(specpiBufferCreate(side->device, 1024, NULL, &side->buffer));
}

static void clear(side *side) {
  must(specpiQueueFinish(side->queue));
  specpiBufferRelease(side->buffer);
  specpiQueueRelease(side->queue);
  specpiKernelRelease(side->kernel);
  specpiBundleRelease(side->object);
  specpiBundleRelease(side->input);
}

static specpi_result launch(specpi_kernel kernel, specpi_queue queue, specpi_buffer buffer,
                            size_t wait_count, const specpi_event *waits, specpi_event *event) {
  const specpi_range range = {.dimensions = 1, .global = {1}};
  const specpi_argument argument = specpiArgumentBuffer(buffer);
  return specpiKernelLaunch(kernel, queue, &range, 1, &argument, wait_count, waits, event);
}

TEST(parts_work_and_refuse_objects_of_others) {
  const char *const selectors[] = {"opencl:0", "opencl:0.0", "opencl:0.1"};
  enum { SIDES = 3 };
  side sides[SIDES];
  specpi_event events[SIDES];
  pi_context contexts[SIDES];
  for (size_t i = 0; i < SIDES; i++) {
    side *one = &sides[i];
    make(one, selectors[i]);
    assert_ptr_equal(specpiDeviceGetParent(one->device), i ? sides[0].device : NULL);
    must(specpiDeviceGetContext(one->device, &contexts[i]));
    must(launch(one->kernel, one->queue, one->buffer, 0, NULL, &events[i]));
  }
  must(specpiEventWait(SIDES, events));
  const specpi_result argument = SPECPI_ERROR_INVALID_ARGUMENT;
  for (size_t i = 0; i < SIDES; i++) {
    const side *one = &sides[i];
    const side *other = &sides[(i + 1) % SIDES];
    specpi_event *others = &events[(i + 1) % SIDES];
    specpi_event none = NULL;
    specpi_bundle linked = NULL;
    assert_ptr_not_equal(contexts[i], contexts[(i + 1) % SIDES]);
    assert_ptr_not_equal(one->kernel, other->kernel);
    assert_error(launch(one->kernel, other->queue, other->buffer, 0, NULL, &none), argument,
                 "kernel \"report\" is of opencl:0");
    assert_error(launch(one->kernel, one->queue, other->buffer, 0, NULL, &none), argument,
                 "they have no context in common");
    assert_error(launch(one->kernel, one->queue, one->buffer, 1, others, &none), argument,
                 "waits[0] is of opencl:0");
    assert_error(specpiBufferCopy(one->queue, one->buffer, 0, other->buffer, 0, 8, 0, NULL, &none),
                 argument, "destination is of opencl:0");
    const specpi_bundle both[] = {one->object, other->object};
    assert_error(specpiBundleLink(2, both, NULL, &linked), argument, "objects[1] is for opencl:0");
    assert_null(none);
    assert_null(linked);
  }
  for (size_t i = 0; i < SIDES; i++) {
    specpiEventRelease(events[i]);
    clear(&sides[i]);
  }
  must(specpiCacheClear());
}
