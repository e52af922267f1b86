/*
 * Device selectors: parses the text of ONEAPI_DEVICE_SELECTOR to a list of filters, and matches
 * devices. specpiDevicesGet documents the grammar. Calls no plugin.
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
  /* The backend's name in lower case, a static text; NULL for all backends. */
  const char *backend;
  /* The type of the root device; 0 for all types. */
  pi_device_type type;
  /* The number of levels: 1 for a root device, 2 for a sub-device, 3 for a sub-sub-device. */
  unsigned levels;
  uint32_t numbers[SELECTOR_LEVELS];
} selector_filter;

typedef struct selector {
  selector_filter *filters;
  size_t count;
} selector;

/*
 * Parses a selector. NULL and "" accept every root device. The caller frees *ret with
 * selector_clear. There is always at least one accepting filter, and accepting filters come before
 * discarding ones.
 *
 * SPECPI_ERROR_INVALID_SELECTOR, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result selector_parse(const char *text, selector *ret);

void selector_clear(selector *selector);

/* The place of a device: the root device's number, then the sub-device's, and so on. */
typedef struct selector_place {
  const char *backend;
  pi_device_type type; /* type of the root device */
  unsigned levels;
  uint32_t numbers[SELECTOR_LEVELS];
} selector_place;

/* Returns whether some filter accepts devices of a backend. */
bool selector_wants_backend(const selector *selector, const char *backend);

/* Returns whether some accepting filter names the backend, not "*". */
bool selector_names_backend(const selector *selector, const char *backend);

/*
 * Returns whether a filter matches the device or, if the filter has more levels, may match one of
 * its sub-devices.
 */
bool selector_filter_leads_to(const selector_filter *filter, const selector_place *place);

/* Returns whether a filter discards the device, or a device that contains it. */
bool selector_discards(const selector *selector, const selector_place *place);

#endif
