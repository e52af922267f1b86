/* The grammar of device selectors: accepted selectors with their meanings, and refused ones. */
#include "../../runtime/selector.h"
#include "../support/tests.h"

#include <stdio.h>
#include <string.h>

static const char *type_word(pi_device_type type) {
  switch (type) {
  case PI_DEVICE_TYPE_CPU:
    return "cpu";
  case PI_DEVICE_TYPE_GPU:
    return "gpu";
  case PI_DEVICE_TYPE_ACC:
    return "acc";
  default:
    return NULL;
  }
}

/* Writes the filters in a canonical form: one device each, separated by blanks; + selects, -
 * discards.
 */
static void render(const selector *selector, char *text, size_t size) {
  size_t end = 0;
  *text = '\0';
  for (size_t i = 0; i < selector->count; i++) {
    const selector_filter *filter = &selector->filters[i];
    end += (size_t)snprintf(text + end, size - end, "%s%s%s:", i ? " " : "",
                            filter->discards ? "-" : "+", filter->backend ? filter->backend : "*");
    if (type_word(filter->type)) {
      end += (size_t)snprintf(text + end, size - end, "%s", type_word(filter->type));
      continue;
    }
    for (unsigned level = 0; level < filter->levels; level++) {
      const char *dot = level ? "." : "";
      if (filter->numbers[level] == SELECTOR_ANY)
        end += (size_t)snprintf(text + end, size - end, "%s*", dot);
      else
        end += (size_t)snprintf(text + end, size - end, "%s%u", dot, filter->numbers[level]);
    }
  }
}

static const struct {
  const char *text;
  const char *filters;
} good[] = {
    {NULL, "+*:*"},
    {"", "+*:*"},
    {"*:*", "+*:*"},
    {"opencl:*", "+opencl:*"},
    {"level_zero:*", "+level_zero:*"},
    {"cuda:*", "+cuda:*"},
    {"hip:*", "+hip:*"},
    {"esimd_emulator:*", "+esimd_emulator:*"},
    {"native_cpu:*", "+native_cpu:*"},
    {"opencl:cpu", "+opencl:cpu"},
    {"opencl:gpu", "+opencl:gpu"},
    {"opencl:fpga", "+opencl:acc"},
    {"opencl:acc", "+opencl:acc"},
    {"OpenCL:GPU", "+opencl:gpu"},
    {"LEVEL_ZERO:Fpga", "+level_zero:acc"},
    {"*:gpu", "+*:gpu"},
    {"*:0", "+*:0"},
    {"opencl:0", "+opencl:0"},
    {"opencl:00", "+opencl:0"},
    {"opencl:12", "+opencl:12"},
    {"opencl:2147483647", "+opencl:2147483647"},
    {"opencl:0.1", "+opencl:0.1"},
    {"opencl:1.0", "+opencl:1.0"},
    {"opencl:0.*", "+opencl:0.*"},
    {"opencl:*.*", "+opencl:*.*"},
    {"opencl:0.1.2", "+opencl:0.1.2"},
    {"opencl:0.1.*", "+opencl:0.1.*"},
    {"opencl:0.*.*", "+opencl:0.*.*"},
    {"*:*.*.*", "+*:*.*.*"},
    {"opencl:gpu,cpu", "+opencl:gpu +opencl:cpu"},
    {"hip:0,2", "+hip:0 +hip:2"},
    {"level_zero:*,*.*", "+level_zero:* +level_zero:*.*"},
    {"opencl:gpu;level_zero:gpu", "+opencl:gpu +level_zero:gpu"},
    {"opencl:0.0,0.1;cuda:3", "+opencl:0.0 +opencl:0.1 +cuda:3"},
    {"opencl:*;!opencl:0", "+opencl:* -opencl:0"},
    {"*:gpu;!cuda:*", "+*:gpu -cuda:*"},
    {"!*:cpu", "+*:* -*:cpu"},
    {"!opencl:*", "+*:* -opencl:*"},
    {"!opencl:cpu;!cuda:1", "+*:* -opencl:cpu -cuda:1"},
    {"!opencl:cpu,fpga", "+*:* -opencl:cpu -opencl:acc"},
    {"*:*.*;!level_zero:0.1", "+*:*.* -level_zero:0.1"},
    {"opencl:cpu;", "+opencl:cpu"},
    {";;opencl:cpu", "+opencl:cpu"},
    {"opencl:cpu,", "+opencl:cpu"},
    {"opencl:,cpu,,0", "+opencl:cpu +opencl:0"},
};

TEST(good_selectors_are_understood) {
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    selector selector;
    if (selector_parse(good[i].text, &selector) != SPECPI_SUCCESS)
      fail_msg("\"%s\" is refused: %s", good[i].text ? good[i].text : "NULL", specpiGetLastError());
    char text[512];
    render(&selector, text, sizeof text);
    assert_string_equal(text, good[i].filters);
    selector_clear(&selector);
  }
}

/* position is the character (from 1) that the message must name; 0 for the whole text. */
static const struct {
  const char *text;
  size_t term;
  size_t position;
  const char *says;
} bad[] = {
    {"*", 1, 2, "the devices are missing"},
    {"opencl", 1, 7, "\"opencl:*\" stands for all of this backend"},
    {"opencl:", 1, 8, "a device is missing"},
    {"opencl:,", 1, 8, "a device is missing"},
    {":", 1, 1, "the backend is missing"},
    {":gpu", 1, 1, "the backend is missing"},
    {"gpu", 1, 1, "\"gpu\" is not a backend"},
    {"foo:*", 1, 1, "\"foo\" is not a backend; allowed are *, opencl, level_zero, cuda, hip"},
    {"host:*", 1, 1, "\"host\" is not a backend"},
    {"open:cpu", 1, 1, "\"open\" is not a backend"},
    {"opencl2:cpu", 1, 1, "\"opencl2\" is not a backend"},
    {"opencl,cuda:*", 1, 1, "\"opencl,cuda\" is not a backend"},
    {"0:gpu", 1, 1, "\"0\" is not a backend"},
    {"opencl:cpu:0", 1, 11, "a second colon"},
    {"opencl:*:", 1, 9, "a second colon"},
    {"opencl::cpu", 1, 8, "a second colon"},
    {"opencl:xpu", 1, 8, "\"xpu\" is not a device; allowed are *, cpu, gpu, fpga, acc, a number"},
    {"opencl:cp", 1, 8, "\"cp\" is not a device"},
    {"opencl:cpus", 1, 8, "\"cpus\" is not a device"},
    {"opencl:host", 1, 8, "\"host\" is not a device"},
    {"opencl:accelerator", 1, 8, "\"accelerator\" is not a device"},
    {"opencl:**", 1, 8, "\"**\" is not a device"},
    {"opencl:*a", 1, 8, "\"*a\" is not a device"},
    {"opencl:-1", 1, 8, "\"-1\" is not a device"},
    {"opencl:+0", 1, 8, "\"+0\" is not a device"},
    {"opencl:0x1", 1, 8, "\"0x1\" is not a device"},
    {"opencl:1e3", 1, 8, "\"1e3\" is not a device"},
    {"opencl:2147483648", 1, 8, "\"2147483648\" is not a device"},
    {"opencl:99999999999999999999", 1, 8, "is not a device"},
    {" opencl:cpu", 1, 1, "\" opencl\" is not a backend"},
    {"opencl :cpu", 1, 1, "\"opencl \" is not a backend"},
    {"opencl: cpu", 1, 8, "\" cpu\" is not a device"},
    {"opencl:cpu ", 1, 8, "\"cpu \" is not a device"},
    {"opencl:cpu, gpu", 1, 12, "\" gpu\" is not a device"},
    {"opencl:cpu; cuda:*", 2, 12, "\" cuda\" is not a backend"},
    {"opencl:.", 1, 8, "\"\" in \".\" is not a device"},
    {"opencl:0.", 1, 10, "\"\" in \"0.\" is not a device"},
    {"opencl:.0", 1, 8, "\"\" in \".0\" is not a device"},
    {"opencl:0..1", 1, 10, "\"\" in \"0..1\" is not a device"},
    {"opencl:0.x", 1, 10, "\"x\" in \"0.x\" is not a device"},
    {"opencl:*.0", 1, 10, "a number cannot follow * in \"*.0\""},
    {"opencl:0.*.1", 1, 12, "a number cannot follow * in \"0.*.1\""},
    {"opencl:*.*.0", 1, 12, "a number cannot follow *"},
    {"opencl:0.1.2.3", 1, 8, "more than two levels"},
    {"opencl:*.*.*.*", 1, 8, "more than two levels"},
    {"opencl:gpu.0", 1, 8, "sub-devices of a device type"},
    {"opencl:gpu.*", 1, 8, "sub-devices of a device type"},
    {"opencl:0.gpu", 1, 8, "sub-devices of a device type"},
    {"!opencl:cpu;opencl:*", 2, 13, "a term that selects cannot follow one that discards"},
    {"opencl:*;!cuda:*;*:gpu", 3, 18, "a term that selects cannot follow one that discards"},
    {"!", 1, 2, "the backend is missing"},
    {"!!opencl:*", 1, 2, "\"!opencl\" is not a backend"},
    {"! opencl:*", 1, 2, "\" opencl\" is not a backend"},
    {"opencl:!gpu", 1, 8, "\"!gpu\" is not a device"},
    {"opencl:cpu;foo:*", 2, 12, "\"foo\" is not a backend"},
    {"opencl:cpu,gpu;;cuda:0,q", 3, 24, "\"q\" is not a device"},
    {";", 0, 0, "has no term"},
    {";;;", 0, 0, "has no term"},
};

TEST(bad_selectors_are_refused) {
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    selector selector = {NULL, 77};
    if (selector_parse(bad[i].text, &selector) != SPECPI_ERROR_INVALID_SELECTOR)
      fail_msg("\"%s\" is not refused", bad[i].text);
    assert_int_equal(selector.count, 77);
    const char *sentence = specpiGetLastError();
    char start[128];
    if (bad[i].position)
      snprintf(start, sizeof start, "device selector \"%s\", term %zu (\"", bad[i].text,
               bad[i].term);
    else
      snprintf(start, sizeof start, "device selector \"%s\" ", bad[i].text);
    char place[64] = "";
    if (bad[i].position)
      snprintf(place, sizeof place, "\"), character %zu: ", bad[i].position);
    if (strncmp(sentence, start, strlen(start)) != 0 || !strstr(sentence, place) ||
        !strstr(sentence, bad[i].says))
      fail_msg("\"%s\" is refused with the wrong message: %s", bad[i].text, sentence);
  }
}

/* The message shortens a long selector, but not the fault. */
TEST(a_long_selector_is_cut_in_the_message) {
  char text[3000];
  size_t end = (size_t)snprintf(text, sizeof text, "opencl:0");
  for (unsigned i = 0; i < 500; i++)
    end += (size_t)snprintf(text + end, sizeof text - end, ",%u", i);
  snprintf(text + end, sizeof text - end, ",x;cuda:0");
  selector selector;
  assert_int_equal(selector_parse(text, &selector), SPECPI_ERROR_INVALID_SELECTOR);
  assert_non_null(strstr(specpiGetLastError(), "device selector \"opencl:0,0,1,2,"));
  assert_non_null(strstr(specpiGetLastError(), "...\", term 1 (\"opencl:0,0,1,2,"));
  assert_non_null(strstr(specpiGetLastError(), ": \"x\" is not a device; allowed are *, cpu"));
  for (size_t i = 0; i < 2000; i++)
    text[i] = 'y';
  text[2000] = '\0';
  assert_int_equal(selector_parse(text, &selector), SPECPI_ERROR_INVALID_SELECTOR);
  assert_non_null(strstr(specpiGetLastError(), "yyy...\" is not a backend; allowed are *, opencl"));
}

static const struct {
  const char *selector;
  selector_place place;
  bool discards;
} discarded[] = {
    {"!opencl:0", {"opencl", PI_DEVICE_TYPE_GPU, 1, {0}}, true},
    {"!opencl:0", {"opencl", PI_DEVICE_TYPE_GPU, 1, {1}}, false},
    {"!opencl:0", {"cuda", PI_DEVICE_TYPE_GPU, 1, {0}}, false},
    {"!*:0", {"cuda", PI_DEVICE_TYPE_GPU, 1, {0}}, true},
    {"!*:gpu", {"cuda", PI_DEVICE_TYPE_GPU, 1, {5}}, true},
    {"!*:cpu", {"cuda", PI_DEVICE_TYPE_GPU, 1, {5}}, false},
    {"!opencl:0", {"opencl", PI_DEVICE_TYPE_GPU, 2, {0, 3}}, true},
    {"!opencl:0.1", {"opencl", PI_DEVICE_TYPE_GPU, 1, {0}}, false},
    {"!opencl:0.1", {"opencl", PI_DEVICE_TYPE_GPU, 2, {0, 1}}, true},
    {"!opencl:0.1", {"opencl", PI_DEVICE_TYPE_GPU, 2, {0, 2}}, false},
    {"!opencl:0.1", {"opencl", PI_DEVICE_TYPE_GPU, 3, {0, 1, 4}}, true},
    {"!opencl:*.*", {"opencl", PI_DEVICE_TYPE_GPU, 1, {0}}, false},
    {"!opencl:*.*", {"opencl", PI_DEVICE_TYPE_GPU, 2, {0, 0}}, true},
    {"opencl:0", {"opencl", PI_DEVICE_TYPE_GPU, 1, {0}}, false},
};

TEST(discards) {
  for (size_t i = 0; i < sizeof discarded / sizeof discarded[0]; i++) {
    selector selector;
    assert_int_equal(selector_parse(discarded[i].selector, &selector), SPECPI_SUCCESS);
    if (selector_discards(&selector, &discarded[i].place) != discarded[i].discards)
      fail_msg("row %zu, \"%s\"", i, discarded[i].selector);
    selector_clear(&selector);
  }
}

TEST(names_backends) {
  selector selector;
  assert_int_equal(selector_parse("opencl:0;!cuda:*", &selector), SPECPI_SUCCESS);
  assert_true(selector_wants_backend(&selector, "opencl"));
  assert_false(selector_wants_backend(&selector, "cuda"));
  assert_false(selector_wants_backend(&selector, "level_zero"));
  selector_clear(&selector);
  assert_int_equal(selector_parse("!opencl:0", &selector), SPECPI_SUCCESS);
  assert_true(selector_wants_backend(&selector, "opencl"));
  assert_true(selector_wants_backend(&selector, "cuda"));
  selector_clear(&selector);
}
