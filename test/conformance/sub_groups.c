/* Checks the results of kernels for each sub-group size that the device reports. */
#include "fixture.h"

#include <stdlib.h>

/* MOST: work-items of the kernels' largest sub-group. SHARED: local memory for the largest number
 * of sub-groups, as on some devices a sub-group ends with each row of the work-group. */
enum { COLUMNS = 16, MOST = 32, ITEMS = 256, SHARED = ITEMS * MOST };

/* Sizes of work-groups. In most of them the last sub-group is not full. */
static const size_t shapes[][3] = {{1, 1, 1},  {7, 1, 1},  {8, 1, 1},  {9, 1, 1},
                                   {31, 1, 1}, {32, 1, 1}, {33, 1, 1}, {40, 1, 1},
                                   {64, 1, 1}, {5, 3, 2},  {13, 5, 1}, {3, 3, 7}};
enum { SHAPES = sizeof shapes / sizeof shapes[0], GROUPS = 2 };

/* The values that a work-item wrote, and its input. */
typedef struct item {
  const int *columns;
  int value;
} item;

/* Returns the work-item of a sub-group with this lane. */
static const item *find_lane(const item *group, size_t count, int sub_group, int lane) {
  for (size_t i = 0; i < count; i++)
    if (group[i].columns[0] == sub_group && group[i].columns[1] == lane)
      return &group[i];
  check_fail(CHECK_PLACE("lane"), "no work-item is %d of sub-group %d", lane, sub_group);
}

static int count_sub_groups(const item *group, size_t count) {
  int most = 0;
  for (size_t i = 0; i < count; i++)
    most = group[i].columns[0] > most ? group[i].columns[0] : most;
  return most + 1;
}

/* Expected results of the sub-group's operations for one work-item. */
typedef struct summary {
  int sum, most, before, any, all, size;
} summary;

static summary summarize(const item *group, size_t count, const item *of) {
  summary summary = {.most = -1, .all = 1};
  for (size_t i = 0; i < count; i++) {
    const int *columns = group[i].columns;
    const int value = group[i].value;
    if (columns[0] != of->columns[0])
      continue;
    summary.size++;
    summary.sum += value;
    summary.any |= value > 90;
    summary.all &= value > 10;
    summary.before += columns[1] < of->columns[1] ? value : 0;
    summary.most = columns[1] <= of->columns[1] && value > summary.most ? value : summary.most;
  }
  return summary;
}

static void check_item(const item *group, size_t count, const item *item, int size) {
  const int *at = item->columns;
  const summary all = summarize(group, count, item);
  const int sub_groups = count_sub_groups(group, count);
  const int lane = at[1];
  int total = 0;
  for (size_t i = 0; i < count; i++)
    total += group[i].value;
  expect_equal(all.size, at[2]);
  if (size)
    expect_equal(size, at[3]);
  expect(at[2] <= at[3], "%d work-items are in a sub-group of at most %d", at[2], at[3]);
  expect_equal(sub_groups, at[4]);
  expect_equal(all.sum, at[5]);
  expect_equal(all.most, at[6]);
  expect_equal(all.before, at[7]);
  expect_equal(find_lane(group, count, at[0], all.size - 1)->value, at[8]);
  expect_equal(all.any, at[9]);
  expect_equal(all.all, at[10]);
  expect_equal(find_lane(group, count, at[0], all.size - 1 - lane)->value, at[11]);
  if ((lane ^ 1) < all.size)
    expect_equal(find_lane(group, count, at[0], lane ^ 1)->value, at[12]);
  expect_equal(find_lane(group, count, at[0], (lane + 1) % all.size)->value, at[13]);
  expect_equal(find_lane(group, count, (at[0] + 1) % sub_groups, 0)->value, at[14]);
  expect_equal(total, at[15]);
}

static void check_shape(pi_kernel kernel, const size_t *shape, int size) {
  static int values[GROUPS * ITEMS];
  static int out[GROUPS * ITEMS * COLUMNS];
  const size_t count = shape[0] * shape[1] * shape[2];
  const size_t global[3] = {shape[0] * GROUPS, shape[1], shape[2]};
  for (int i = 0; i < GROUPS * ITEMS; i++)
    values[i] = (i * 37 + 11) % 101;
  memset(out, 0xff, sizeof out);
  const pi_mem written = new_buffer(sizeof out, out);
  set_buffer(kernel, 0, written);
  set_buffer(kernel, 1, new_buffer(sizeof values, values));
  expect_success(pi.piKernelSetArg(kernel, 2, count * MOST * sizeof(int), NULL));
  expect_success(
      pi.piEnqueueKernelLaunch(the_queue(), kernel, 3, NULL, global, shape, 0, NULL, NULL));
  read_buffer(written, sizeof out, out);
  for (size_t g = 0; g < GROUPS; g++) {
    item group[ITEMS];
    for (size_t i = 0; i < count; i++) {
      const size_t row = i / shape[0];
      const size_t id = row * global[0] + g * shape[0] + i % shape[0];
      group[i] = (item){out + id * COLUMNS, values[id]};
    }
    for (size_t i = 0; i < count; i++)
      check_item(group, count, &group[i], size);
  }
}

/* Returns whether the device reports the size. */
static bool reports_size(size_t size) {
  size_t sizes[16];
  size_t bytes = 0;
  expect_success(
      pi.piDeviceGetInfo(the_device(), PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, 0, NULL, &bytes));
  expect(bytes <= sizeof sizes, "%zu bytes of sizes", bytes);
  device_answer(PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL, bytes, sizes);
  for (size_t i = 0; i < bytes / sizeof sizes[0]; i++)
    if (sizes[i] == size)
      return true;
  return false;
}

/* Makes a kernel of module sub_groups; skips the test unless the device reports all three sizes. */
static pi_kernel new_sized_kernel(const char *name) {
  for (size_t size = 8; size <= MOST; size *= 2)
    if (!reports_size(size))
      skip_test("the device has no sub-groups of %zu", size);
  return new_kernel(new_built_program(module_sub_groups()), name);
}

static pi_uint32 kernel_answer(pi_kernel kernel, pi_kernel_sub_group_info query) {
  pi_uint32 answer = 0;
  expect_success(pi.piKernelGetSubGroupInfo(kernel, the_device(), query, 0, NULL, sizeof answer,
                                            &answer, NULL));
  return answer;
}

static void check_size(const char *name, int size) {
  const pi_kernel kernel = new_sized_kernel(name);
  size_t most = 0;
  expect_equal(size, kernel_answer(kernel, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL));
  expect_success(pi.piKernelGetGroupInfo(kernel, the_device(), PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE,
                                         sizeof most, &most, NULL));
  if (size) {
    expect_equal(size, kernel_answer(kernel, PI_KERNEL_MAX_SUB_GROUP_SIZE));
    const size_t groups = kernel_answer(kernel, PI_KERNEL_MAX_NUM_SUB_GROUPS);
    expect((groups + 1) * (size_t)size > most,
           "the largest work-group has %zu work-items in %zu sub-groups of %d", most, groups, size);
  }
  for (size_t i = 0; i < SHAPES; i++)
    check_shape(kernel, shapes[i], size);
}

TEST(sub_groups, of_8_are_what_they_are_reported_to_be) {
  check_size("size_8", 8);
}

TEST(sub_groups, of_16_are_what_they_are_reported_to_be) {
  check_size("size_16", 16);
}

TEST(sub_groups, of_32_are_what_they_are_reported_to_be) {
  check_size("size_32", 32);
}

TEST(sub_groups, of_a_kernel_that_requires_none_are_one_size) {
  check_size("any_size", 0);
}

/* Checks that a kernel of the binary or of the linked program keeps its required sub-group size. */
static void check_made(pi_program made) {
  const pi_kernel kernel = new_kernel(made, "size_8");
  expect_equal(8, kernel_answer(kernel, PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL));
  check_shape(kernel, shapes[SHAPES - 1], 8);
}

TEST(sub_groups, a_binary_keeps_their_size) {
  (void)new_sized_kernel("size_8");
  const pi_program made = reload(new_built_program(module_sub_groups()));
  build_program(made, NULL);
  check_made(made);
}

TEST(sub_groups, a_linked_program_keeps_their_size) {
  (void)new_sized_kernel("size_8");
  const pi_device device = the_device();
  const pi_program parts[] = {new_program(module_link_part()), new_program(module_sub_groups())};
  for (size_t i = 0; i < 2; i++)
    expect_success(pi.piProgramCompile(parts[i], 1, &device, "", 0, NULL, NULL, NULL, NULL));
  pi_program linked = NULL;
  expect_success(pi.piProgramLink(the_context(), 1, &device, "", 2, parts, NULL, NULL, &linked));
  release_program_later(linked);
  check_made(linked);
}
