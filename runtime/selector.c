#include "selector.h"

#include "../plugins/base/digits.h"
#include "../plugins/base/vector.h"
#include "error.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Backends of other runtimes, which a selector may name, too. They match no device here. */
#define OTHER_BACKENDS(X) X(, hip, ) X(, esimd_emulator, ) X(, native_cpu, )

static const char *const backend_names[] = {
#define BACKEND(NAME, name, file) #name,
    SPECPI_BACKENDS(BACKEND) OTHER_BACKENDS(BACKEND)
#undef BACKEND
};

#define DEVICE_TYPES(X) X(cpu, CPU) X(gpu, GPU) X(fpga, ACC) X(acc, ACC)

static const struct {
  const char *name;
  pi_device_type type;
} device_types[] = {
#define DEVICE_TYPE(name, TYPE) {#name, PI_DEVICE_TYPE_##TYPE},
    DEVICE_TYPES(DEVICE_TYPE)
#undef DEVICE_TYPE
};

#define BACKEND_WORD(NAME, name, file) ", " #name
#define DEVICE_WORD(name, TYPE) ", " #name
#define BACKENDS_ALLOWED "*" SPECPI_BACKENDS(BACKEND_WORD) OTHER_BACKENDS(BACKEND_WORD)
#define DEVICES_ALLOWED                                                                            \
  "*" DEVICE_TYPES(DEVICE_WORD) ", a number N, and for sub-devices N.N, N.*, *.*, N.N.N, N.N.*, "  \
                                "N.*.*, *.*.*"

/* A part of the text: [begin, end). */
typedef struct span {
  const char *begin;
  const char *end;
} span;

typedef struct parser {
  span text;
  span term;
  size_t term_number; /* from 1 */
  selector *out;
  size_t capacity;
  bool discarding_seen;
} parser;

static size_t span_size(span part) {
  return (size_t)(part.end - part.begin);
}

static bool span_is(span part, const char *word) {
  return span_size(part) == strlen(word) && strncasecmp(part.begin, word, span_size(part)) == 0;
}

/* Takes the piece up to the separator off the front of rest; false when nothing is left. */
static bool next_piece(span *rest, char separator, span *piece) {
  if (!rest->begin)
    return false;
  const char *stop = memchr(rest->begin, separator, span_size(*rest));
  *piece = (span){rest->begin, stop ? stop : rest->end};
  rest->begin = stop ? stop + 1 : NULL;
  return true;
}

/* The maximum length of a quoted part in a message, so that there is space for the reason. */
enum { QUOTED_SIZE = 120 };
#define QUOTED "\"%.*s%s\""
#define QUOTE(part)                                                                                \
  (int)(span_size(part) < QUOTED_SIZE ? span_size(part) : QUOTED_SIZE), (part).begin,              \
      span_size(part) > QUOTED_SIZE ? "..." : ""

/* Fails with the position of a part of the text, counted from 1. */
#define FAIL(parser, part, format, ...)                                                            \
  error_set(SPECPI_ERROR_INVALID_SELECTOR,                                                         \
            "device selector " QUOTED ", term %zu (" QUOTED "), character %zu: " format,           \
            QUOTE((parser)->text), (parser)->term_number, QUOTE((parser)->term),                   \
            (size_t)((part).begin - (parser)->text.begin) + 1, __VA_ARGS__)

static specpi_result parse_backend(const parser *parser, span part, const char **ret) {
  if (span_is(part, "*")) {
    *ret = NULL;
    return SPECPI_SUCCESS;
  }
  for (size_t i = 0; i < sizeof backend_names / sizeof backend_names[0]; i++)
    if (span_is(part, backend_names[i])) {
      *ret = backend_names[i];
      return SPECPI_SUCCESS;
    }
  if (span_size(part) == 0)
    return FAIL(parser, part, "the backend is missing; allowed are %s", BACKENDS_ALLOWED);
  return FAIL(parser, part, QUOTED " is not a backend; allowed are %s", QUOTE(part),
              BACKENDS_ALLOWED);
}

/* Parses one level of a path, "*" or a number; false if it is neither. */
static bool parse_level(span part, uint32_t *ret) {
  if (span_is(part, "*")) {
    *ret = SELECTOR_ANY;
    return true;
  }
  uint64_t number;
  const char *at = part.begin;
  if (!digits_read(&at, part.end, INT32_MAX, &number) || at != part.end)
    return false;
  *ret = (uint32_t)number;
  return true;
}

static specpi_result parse_path(const parser *parser, span part, selector_filter *filter) {
  span rest = part;
  span piece;
  while (next_piece(&rest, '.', &piece)) {
    for (size_t i = 0; i < sizeof device_types / sizeof device_types[0]; i++)
      if (span_is(piece, device_types[i].name))
        return FAIL(parser, part,
                    QUOTED " asks for sub-devices of a device type; allowed in front of a dot are "
                           "a number and *",
                    QUOTE(part));
    if (filter->levels == SELECTOR_LEVELS)
      return FAIL(parser, part, QUOTED " has more than two levels of sub-devices", QUOTE(part));
    uint32_t number;
    if (!parse_level(piece, &number)) {
      if (span_size(piece) == span_size(part))
        return FAIL(parser, piece, QUOTED " is not a device; allowed are %s", QUOTE(piece),
                    DEVICES_ALLOWED);
      return FAIL(parser, piece, QUOTED " in " QUOTED " is not a device; allowed are %s",
                  QUOTE(piece), QUOTE(part), DEVICES_ALLOWED);
    }
    if (number != SELECTOR_ANY && filter->levels > 0 &&
        filter->numbers[filter->levels - 1] == SELECTOR_ANY)
      return FAIL(parser, piece, "a number cannot follow * in " QUOTED "; allowed are %s",
                  QUOTE(part), DEVICES_ALLOWED);
    filter->numbers[filter->levels++] = number;
  }
  return SPECPI_SUCCESS;
}

static specpi_result parse_device(const parser *parser, span part, selector_filter *filter) {
  for (size_t i = 0; i < sizeof device_types / sizeof device_types[0]; i++)
    if (span_is(part, device_types[i].name)) {
      filter->type = device_types[i].type;
      filter->levels = 1;
      filter->numbers[0] = SELECTOR_ANY;
      return SPECPI_SUCCESS;
    }
  return parse_path(parser, part, filter);
}

static specpi_result add_filter(parser *parser, const selector_filter *filter) {
  selector *out = parser->out;
  if (!vector_reserve(&out->filters, &parser->capacity, out->count, sizeof *filter))
    return error_memory();
  out->filters[out->count++] = *filter;
  return SPECPI_SUCCESS;
}

static specpi_result parse_term(parser *parser) {
  span rest = parser->term;
  selector_filter filter = {.discards = *rest.begin == '!'};
  if (filter.discards) {
    rest.begin++;
    parser->discarding_seen = true;
  } else if (parser->discarding_seen) {
    return FAIL(parser, rest, "%s",
                "a term that selects cannot follow one that discards; put those with ! last");
  }

  span backend;
  next_piece(&rest, ':', &backend);
  ERROR_TRY(parse_backend(parser, backend, &filter.backend));
  if (!rest.begin)
    return FAIL(parser, ((span){parser->term.end, NULL}),
                "the devices are missing; \"%.*s:*\" stands for all of this backend",
                (int)span_size(backend), backend.begin);
  const char *colon = memchr(rest.begin, ':', span_size(rest));
  if (colon)
    return FAIL(parser, ((span){colon, NULL}), "%s",
                "a second colon; a term is one backend, a colon, and devices with commas between");

  const span devices = rest;
  size_t found = 0;
  span piece;
  while (next_piece(&rest, ',', &piece)) {
    if (span_size(piece) == 0)
      continue;
    selector_filter one = filter;
    ERROR_TRY(parse_device(parser, piece, &one));
    ERROR_TRY(add_filter(parser, &one));
    found++;
  }
  if (found == 0)
    return FAIL(parser, devices, "a device is missing; allowed are %s", DEVICES_ALLOWED);
  return SPECPI_SUCCESS;
}

/* Puts the filter that accepts all root devices in front of the others. */
static specpi_result accept_all(parser *parser) {
  const selector_filter all = {.levels = 1, .numbers = {SELECTOR_ANY}};
  ERROR_TRY(add_filter(parser, &all));
  selector *out = parser->out;
  memmove(&out->filters[1], &out->filters[0], (out->count - 1) * sizeof all);
  out->filters[0] = all;
  return SPECPI_SUCCESS;
}

static specpi_result parse_text(parser *parser) {
  span rest = parser->text;
  while (next_piece(&rest, ';', &parser->term)) {
    parser->term_number++;
    if (span_size(parser->term) == 0)
      continue;
    ERROR_TRY(parse_term(parser));
  }
  if (span_size(parser->text) && parser->out->count == 0)
    return error_set(SPECPI_ERROR_INVALID_SELECTOR,
                     "device selector " QUOTED
                     " has no term; a term is backend:devices, e.g. opencl:cpu",
                     QUOTE(parser->text));
  if (parser->out->count == 0 || parser->out->filters[0].discards)
    return accept_all(parser);
  return SPECPI_SUCCESS;
}

specpi_result selector_parse(const char *text, selector *ret) {
  selector out = {0};
  const char *given = text ? text : "";
  parser parser = {.text = {given, given + strlen(given)}, .out = &out};
  const specpi_result result = parse_text(&parser);
  if (result == SPECPI_SUCCESS)
    *ret = out;
  else
    selector_clear(&out);
  return result;
}

void selector_clear(selector *selector) {
  free(selector->filters);
  selector->filters = NULL;
  selector->count = 0;
}

static bool speaks_of(const selector_filter *filter, const char *backend) {
  return !filter->backend || strcmp(filter->backend, backend) == 0;
}

bool selector_wants_backend(const selector *selector, const char *backend) {
  for (size_t i = 0; i < selector->count; i++)
    if (!selector->filters[i].discards && speaks_of(&selector->filters[i], backend))
      return true;
  return false;
}

bool selector_names_backend(const selector *selector, const char *backend) {
  for (size_t i = 0; i < selector->count; i++)
    if (!selector->filters[i].discards && selector->filters[i].backend &&
        speaks_of(&selector->filters[i], backend))
      return true;
  return false;
}

/* Returns whether filter and place agree on their first levels. */
static bool agrees(const selector_filter *filter, const selector_place *place, unsigned levels) {
  if (!speaks_of(filter, place->backend) || (filter->type && !(filter->type & place->type)))
    return false;
  for (unsigned i = 0; i < levels; i++)
    if (filter->numbers[i] != SELECTOR_ANY && filter->numbers[i] != place->numbers[i])
      return false;
  return true;
}

bool selector_filter_leads_to(const selector_filter *filter, const selector_place *place) {
  return filter->levels >= place->levels && agrees(filter, place, place->levels);
}

bool selector_discards(const selector *selector, const selector_place *place) {
  for (size_t i = 0; i < selector->count; i++) {
    const selector_filter *filter = &selector->filters[i];
    if (filter->discards && filter->levels <= place->levels &&
        agrees(filter, place, filter->levels))
      return true;
  }
  return false;
}
