/* Sub-group functions where only some work-items are active, against results computed here. */
#include "device.h"

/* The work-items [first, past) of a sub-group, and the lane of one of them. */
typedef struct group {
  int first, past, lane;
} group;

static group group_of(int id, int size) {
  const int lane = id % LOCAL % size;
  const int first = id - lane;
  const int end = id - id % LOCAL + LOCAL;
  return (group){.first = first, .past = first + size < end ? first + size : end, .lane = lane};
}

static bool is_active(int id) {
  return (inputs[id] & 1) != 0;
}

typedef enum operation { ADD, MUL, MIN, MAX, AND, OR, XOR } operation;

/* Combines the values of the active work-items in [first, past). */
static long long combine(operation how, long long none, const int *values, int first, int past) {
  long long ret = none;
  for (int i = first; i < past; i++) {
    const long long value = values[i];
    if (!is_active(i))
      continue;
    ret = how == ADD   ? ret + value
          : how == MUL ? ret * value
          : how == MIN ? (value < ret ? value : ret)
          : how == MAX ? (value > ret ? value : ret)
          : how == AND ? (ret & value)
          : how == OR  ? (ret | value)
                       : (ret ^ value);
  }
  return ret;
}

static int first_active(const group *in) {
  int ret = in->first;
  while (!is_active(ret))
    ret++;
  return ret;
}

#define EXPECT_OF(column, other, values)                                                           \
  do {                                                                                             \
    if ((other) >= in.first && (other) < in.past && is_active(other))                              \
      EXPECT(column, (values)[other]);                                                             \
  } while (0)

static void check_numbers(size_t s, long long out[ITEMS][COLUMNS], const int *values,
                          const int *factors) {
  for (int id = 0; id < ITEMS; id++) {
    const group in = group_of(id, sizes[s]);
    const int cluster = id - in.lane % 4;
    const int cluster_past = cluster + 4 < in.past ? cluster + 4 : in.past;
    const long long *at = out[id];
    if (!is_active(id)) {
      EXPECT(0, 0);
      continue;
    }
    const long long least = combine(MIN, 1000, values, in.first, in.past);
    const long long most = combine(MAX, -1, values, in.first, in.past);
    EXPECT(0, combine(ADD, 0, values, in.first, in.past));
    EXPECT(1, least);
    EXPECT(2, most);
    EXPECT(3, combine(ADD, 0, values, in.first, id + 1));
    EXPECT(4, combine(ADD, 0, values, in.first, id));
    EXPECT(5, combine(ADD, 0, values, cluster, cluster_past));
    EXPECT(6, combine(MUL, 1, factors, in.first, in.past));
    EXPECT(7, combine(MUL, 1, factors, in.first, id));
    EXPECT(8, values[first_active(&in)]);
    EXPECT(9, least == most);
    EXPECT(10, 1);
    EXPECT_OF(11, in.first + (in.lane ^ 1), values);
    EXPECT_OF(12, in.first + 2, values);
    EXPECT_OF(13, id - 1, values);
    EXPECT_OF(14, id + 2, values);
    EXPECT_OF(15, in.first + 4, values);
  }
}

TEST(reductions_cover_the_active_work_items) {
  static const char *const kernels[] = {
      "active_char", "active_uchar", "active_short", "active_ushort", "active_int",   "active_uint",
      "active_long", "active_ulong", "active_half",  "active_float",  "active_double"};
  static long long out[ITEMS][COLUMNS];
  int values[ITEMS];
  int factors[ITEMS];
  for (size_t s = 0; s < 3; s++)
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
      for (int i = 0; i < ITEMS; i++) {
        values[i] = inputs[i] & 3;
        factors[i] = i % LOCAL % sizes[s] % 8 == 3 ? 2 : 1;
      }
      run_kernel(s, kernels[k], 1, out, sizeof out);
      check_numbers(s, out, values, factors);
    }
}

TEST(bit_reductions_cover_the_active_work_items) {
  static const char *const kernels[] = {"bits_char", "bits_uchar", "bits_short", "bits_ushort",
                                        "bits_int",  "bits_uint",  "bits_long",  "bits_ulong"};
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++)
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
      run_kernel(s, kernels[k], 1, out, sizeof out);
      for (int id = 0; id < ITEMS; id++) {
        const group in = group_of(id, sizes[s]);
        const int eight = id - in.lane % 8;
        const int two = id - in.lane % 2;
        const long long *at = out[id];
        if (!is_active(id))
          continue;
        EXPECT(0, combine(AND, -1, inputs, in.first, in.past));
        EXPECT(1, combine(OR, 0, inputs, in.first, in.past));
        EXPECT(2, combine(XOR, 0, inputs, in.first, in.past));
        EXPECT(3, combine(AND, -1, inputs, in.first, id + 1));
        EXPECT(4, combine(OR, 0, inputs, in.first, id));
        EXPECT(5, combine(XOR, 0, inputs, in.first, id));
        EXPECT(6, combine(OR, 0, inputs, eight, eight + 8 < in.past ? eight + 8 : in.past));
        EXPECT(7, combine(XOR, 0, inputs, two, two + 2 < in.past ? two + 2 : in.past));
      }
    }
}

TEST(votes_cover_the_active_work_items) {
  static long long out[ITEMS][COLUMNS];
  int values[ITEMS];
  for (int i = 0; i < ITEMS; i++)
    values[i] = (inputs[i] & 2) != 0;
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "votes", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const group in = group_of(id, sizes[s]);
      const int four = id - in.lane % 4;
      const long long *at = out[id];
      long long votes = 0;
      int least = 99;
      int most = 99;
      if (!is_active(id))
        continue;
      for (int i = in.first; i < in.past; i++)
        if (is_active(i) && values[i]) {
          votes |= 1LL << (i - in.first);
          least = least == 99 ? i - in.first : least;
          most = i - in.first;
        }
      EXPECT(0, id == first_active(&in));
      EXPECT(1, combine(OR, 0, values, in.first, in.past));
      EXPECT(2, combine(AND, 1, values, in.first, in.past));
      EXPECT(3, votes);
      EXPECT(4, values[id]);
      EXPECT(5, votes >> 3 & 1);
      EXPECT(6, combine(ADD, 0, values, in.first, in.past));
      EXPECT(7, combine(ADD, 0, values, in.first, id + 1));
      EXPECT(8, combine(ADD, 0, values, in.first, id));
      EXPECT(9, least);
      EXPECT(10, most);
      EXPECT(11, combine(AND, 1, values, in.first, in.past));
      EXPECT(12, combine(OR, 0, values, in.first, in.past));
      EXPECT(13, combine(XOR, 0, values, in.first, in.past));
      EXPECT(14, combine(XOR, 0, values, in.first, id + 1));
      EXPECT(15, combine(OR, 0, values, four, four + 4 < in.past ? four + 4 : in.past));
    }
  }
}

TEST(rotations_and_exchanges_are_right) {
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "moves", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const group in = group_of(id, sizes[s]);
      const long long *at = out[id];
      if (in.past - in.first < sizes[s])
        continue;
      EXPECT(0, inputs[in.first + (in.lane + 3) % sizes[s]]);
      EXPECT(1, inputs[in.first + (in.lane + sizes[s] - 1) % sizes[s]]);
      EXPECT(2, inputs[id - in.lane % 4 + (in.lane + 1) % 4]);
      EXPECT(3, inputs[in.first + (in.lane ^ 1)]);
      EXPECT(4, inputs[in.first + (in.lane ^ 2)]);
    }
  }
}

/* Counts the work-items of a sub-group that are still in the loop at a step. */
static int count_of(const group *in, int step) {
  int ret = 0;
  for (int i = in->first; i < in->past; i++)
    ret += (inputs[i] & 7) > step;
  return ret;
}

static void a_loop_counts_its_remaining_work_items(void **state) {
  (void)state;
  static long long out[ITEMS][COLUMNS];
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "loops", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const group in = group_of(id, sizes[s]);
      const long long *at = out[id];
      long long sum = 0;
      for (int i = 0; i < (inputs[id] & 7); i++)
        sum = sum * 40 + count_of(&in, i);
      EXPECT(0, sum);
      EXPECT(1, in.past - in.first);
    }
  }
}

static void divergent_calls_cover_the_active_work_items(void **state) {
  (void)state;
  static long long out[ITEMS][COLUMNS];
  int values[ITEMS];
  int bits[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    values[i] = inputs[i] & 3;
    bits[i] = (inputs[i] & 2) != 0;
  }
  for (size_t s = 0; s < 3; s++) {
    run_kernel(s, "apart", 1, out, sizeof out);
    for (int id = 0; id < ITEMS; id++) {
      const group in = group_of(id, sizes[s]);
      const long long *at = out[id];
      long long sum = 0;
      for (int i = 0; i < (inputs[id] & 7); i++)
        sum = sum * 40 + count_of(&in, i);
      EXPECT(7, sum);
      EXPECT(8, in.past - in.first);
      if (!is_active(id))
        continue;
      const long long all = combine(ADD, 0, values, in.first, in.past);
      EXPECT(0, all);
      EXPECT(1, combine(ADD, 0, values, in.first, id + 1));
      EXPECT(2, combine(ADD, 0, values, in.first, id));
      EXPECT(3, combine(OR, 0, bits, in.first, in.past));
      EXPECT(4, combine(AND, 1, bits, in.first, in.past));
      EXPECT(5, all * 100 + combine(MAX, -1, values, in.first, in.past));
      EXPECT_OF(6, in.first + 4, values);
      EXPECT(9, combine(MIN, 1000, values, in.first, in.past));
    }
  }
}

static int start_optimised(void **state) {
  (void)state;
  return start("active", 3);
}

static int start_plain(void **state) {
  (void)state;
  return start("active", 0);
}

int main(void) {
  /* The loops run optimised only: the fake driver runs a warp's diverged paths in the order of the
   * PTX text, and unoptimised loops are not in that order. */
  const struct CMUnitTest loops[] = {cmocka_unit_test(a_loop_counts_its_remaining_work_items),
                                     cmocka_unit_test(divergent_calls_cover_the_active_work_items)};
  const int failed = tests_run_named("optimised", start_optimised, end) +
                     cmocka_run_group_tests_name("loops", loops, start_optimised, end);
  return failed + tests_run_named("not optimised", start_plain, end);
}
