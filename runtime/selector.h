/*
 * Device selectors: the text of ONEAPI_DEVICE_SELECTOR as a list of filters, and which
 * devices they match. The grammar is at specpiDevicesGet. Nothing here calls a plugin.
 */
#ifndef SPECPI_SELECTOR_H
#define SPECPI_SELECTOR_H

#include <specpi/specpi.h>

enum { SELECTOR_LEVELS = 3 };

/* Stands for "*" at a level of a path. */
#define SELECTOR_ANY UINT32_MAX

/* One "backend:device" of a selector. */
typedef struct selector_filter {
  bool discards;
  /* The lower-case name of the one backend it speaks of; NULL for all. Static. */
  const char *backend;
  /* The type of root devices only; 0 for all types. */
  pi_device_type type;
  /* Levels in use: 1 for a root device, 2 for a sub-device, 3 for a sub-sub-device. */
  unsigned levels;
  uint32_t numbers[SELECTOR_LEVELS];
} selector_filter;

typedef struct selector {
  selector_filter *filters;
  size_t count;
} selector;

/*
 * Parses a selector; NULL or empty is the one that accepts every root device. *ret is the
 * caller's, who gives its memory back with selector_clear. There is always at least one
 * filter that accepts, and all of those come before those that discard.
 *
 * SPECPI_ERROR_INVALID_SELECTOR, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result selector_parse(const char *text, selector *ret);

void selector_clear(selector *selector);

/* Where a device stands: its number, then that of the sub-device, and so on. */
typedef struct selector_place {
  const char *backend;
  pi_device_type type; /* of the root device */
  unsigned levels;
  uint32_t numbers[SELECTOR_LEVELS];
} selector_place;

/* Returns whether some filter accepts devices of a backend. */
bool selector_wants_backend(const selector *selector, const char *backend);

/* Returns whether some filter accepts devices of a backend by its name, not those of all. */
bool selector_names_backend(const selector *selector, const char *backend);

/*
 * Returns whether a filter matches the device itself, or, when the filter has more levels, may
 * match a part of it.
 */
bool selector_filter_leads_to(const selector_filter *filter, const selector_place *place);

/* Returns whether a filter discards the device, or a device that it is a part of. */
bool selector_discards(const selector *selector, const selector_place *place);

#endif
