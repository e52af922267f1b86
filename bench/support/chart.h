/*
 * Charts as PNG files, drawn by gnuplot: lines over a number, or bars over names. What is drawn
 * comes as a JSON object, so that other programs can have charts, too (bench-chart):
 *
 *   {"kind": "lines", "title": .., "x": axis, "y": axis, "series": [..]}
 *   {"kind": "bars", "title": .., "y": axis, "categories": [name, ..], "series": [..]}
 *
 *   axis: {"label": .., "log": true or false, which is the default, "from": N, "to": N}, where
 *         "from" and "to" can be left out. Linear axes of y begin at 0 unless "from" says
 * otherwise. series of lines: {"name": .., "points": [[x, y], ..]}, or [x, y, lowest y, highest y]
 *   series of bars: {"name": .., "values": [y of each category]}
 *
 * Texts have no line breaks and no double quotes. A single series has no legend.
 */
#ifndef SPECPI_BENCH_CHART_H
#define SPECPI_BENCH_CHART_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Draws a chart into a file. Ends the program when the object is no chart, or gnuplot fails.
 * False, with a note on stderr, when there is no gnuplot.
 */
bool bench_chart_draw(const json_t *chart, const char *png);

/* A series of lines to which points are added. */
json_t *bench_chart_series(const char *name);
void bench_chart_point(json_t *series, double x, double y, double low, double high);

#endif
