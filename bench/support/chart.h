/*
 * Draws charts as PNG files with gnuplot: lines over a numeric axis, or bars for named categories.
 * A JSON object describes a chart, so that other programs can make charts, too, with bench-chart:
 *
 *   {"kind": "lines", "title": .., "x": axis, "y": axis, "series": [..]}
 *   {"kind": "bars", "title": .., "axis": axis, "categories": [name, ..], "line": .., "series": ..}
 *
 *   "subtitle": a second line, in smaller letters (optional)
 *   axis: {"label": .., "log": true or false, "from": N, "to": N}
 *         "log" (default false), "from" and "to" are optional. Linear y axes begin at 0 by default.
 *   axis of bars: {"label": .., "to": N}
 *         It begins at 0. A bar that is longer than "to" is cut, but shows its full number.
 *   "line" of bars: {"name": .., "at": N}
 *         A series with the same value in all categories (optional)
 *   series of lines: {"name": .., "points": [[x, y], ..]}
 *         Points may be [x, y, lowest y, highest y].
 *   series of bars: {"name": .., "values": [..]}
 *         One value per category: a number; or [lowest, highest], a bar to the lowest with a
 *         whisker to the highest; or null, no bar
 *
 * If a series' name is in the table of chart.c, its colour and its name in the legend come from
 * there, so that a thing looks the same in all charts. Strings must not contain line breaks or
 * double quotes. A single series has no legend.
 */
#ifndef SPECPI_BENCH_CHART_H
#define SPECPI_BENCH_CHART_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Draws a chart into a file, or writes gnuplot's script into it if the file's name ends in ".gp".
 * Ends the program if the object is no chart or gnuplot fails. Prints a message to stderr and
 * returns false if gnuplot is not installed.
 */
bool bench_chart_draw(const json_t *chart, const char *file);

/* bench_chart_series creates a series of lines, to which bench_chart_point adds points. */
json_t *bench_chart_series(const char *name);
void bench_chart_point(json_t *series, double x, double y, double low, double high);

#endif
