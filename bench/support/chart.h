/*
 * Charts as PNG files, drawn by gnuplot: lines over a number, or bars beside names. A JSON object
 * describes a chart, so that other programs can have charts, too (bench-chart):
 *
 *   {"kind": "lines", "title": .., "x": axis, "y": axis, "series": [..]}
 *   {"kind": "bars", "title": .., "axis": axis, "categories": [name, ..], "line": .., "series": ..}
 *
 *   "subtitle": a second line, in smaller letters; can be left out
 *   axis: {"label": .., "log": true or false, which is the default, "from": N, "to": N}; "from" and
 *         "to" can be left out. Linear axes of y begin at 0 unless "from" says otherwise.
 *   axis of bars: {"label": .., "to": N}, which begins at 0. A bar that is longer than "to" is cut,
 *         and has its number all the same.
 *   "line" of bars: {"name": .., "at": N}, a series that is the same in all categories; can be left
 *         out
 *   series of lines: {"name": .., "points": [[x, y], ..]}, or [x, y, lowest y, highest y]
 *   series of bars: {"name": .., "values": [..]}, one for each category: a number, [lowest,
 * highest] for a bar to the lowest with a whisker to the highest, or null for no bar
 *
 * A series whose name is in the table of chart.c has its colour and its words in the legend from
 * there, so that a thing looks the same in all charts. Texts have no line breaks and no double
 * quotes. A single series has no legend.
 */
#ifndef SPECPI_BENCH_CHART_H
#define SPECPI_BENCH_CHART_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Draws a chart into a file, or writes gnuplot's script there when the file's name ends in ".gp".
 * Ends the program when the object is no chart, or gnuplot fails. Returns false, with a note on
 * stderr, when there is no gnuplot.
 */
bool bench_chart_draw(const json_t *chart, const char *file);

/* A series of lines to which points are added. */
json_t *bench_chart_series(const char *name);
void bench_chart_point(json_t *series, double x, double y, double low, double high);

#endif
