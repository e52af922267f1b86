/* Output of specpi launch after a run. */
#ifndef SPECPI_TOOLS_LAUNCH_REPORT_H
#define SPECPI_TOOLS_LAUNCH_REPORT_H

#include "launch_argument.h"
#include "launch_warning.h"

typedef struct launch_report {
  specpi_device device;
  const char *kernel;
  const specpi_range *range;
  const launch_argument *arguments; /* buffers have their content after the run */
  size_t count;
  const launch_warnings *warnings; /* already printed to stderr */
  uint64_t *times;                 /* one per run, in nanoseconds; the report sorts them */
  size_t repeats;
} launch_report;

/* Prints the report as a table. Long buffers are cut. */
void launch_report_text(const launch_report *report);

/* Prints the report as one line of JSON. Returns false after an error. */
bool launch_report_json(const launch_report *report);

#endif
