/* Output of specpi launch after a run. */
#ifndef SPECPI_TOOLS_LAUNCH_REPORT_H
#define SPECPI_TOOLS_LAUNCH_REPORT_H

#include "launch_argument.h"
#include "launch_warning.h"

typedef struct launch_report {
  specpi_device device;
  const char *kernel;
  const specpi_range *range;
  const launch_argument *arguments; /* buffers with their content after the run */
  size_t count;
  const launch_warnings *warnings; /* which stderr has already */
  uint64_t *times;                 /* of each run, in nanoseconds; the report sorts them */
  size_t repeats;
} launch_report;

/* As a table for people; long buffers are cut. */
void launch_report_text(const launch_report *report);

/* As one line of JSON; false after an error when it could not be written. */
bool launch_report_json(const launch_report *report);

#endif
