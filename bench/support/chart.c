#define _GNU_SOURCE /* pipe2, environ */
#include "chart.h"

#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERIES_MAX = 6, WORDS_MAX = 3 };

/*
 * Things that charts compare. A thing has one name and one colour in all charts; words are its
 * names in the benchmarks' tables. Colour-blind people can tell the colours of one chart apart.
 */
static const struct thing {
  const char *name, *colour, *words[WORDS_MAX];
} things[] = {
    /* Places of a constant */
    {"typed in, compiled by nvcc -O3", "#0072B2", {"typed in, nvcc -O3"}},
    {"typed in", "#0072B2", {"typed into the source"}},
    {"typed in, compiled by specpi-cc", "#56B4E9", {"typed in, specpi-cc"}},
    {"set at run time", "#009E73", {"set, SPIR-V", "set with PI", "native constants"}},
    {"patched into finished PTX", "#CC79A7", {"patched into the PTX"}},
    {"read from a buffer", "#E69F00", {"constants in a buffer"}},
    /* Ways to a kernel */
    {"set at run time, built ahead (default on a GPU)", "#009E73", {NULL}},
    {"set at run time, built one by one", "#8FD3BC", {NULL}},
    {"compiled by NVRTC with -D", "#8C5A2B", {NULL}},
    {"CuPy, by NVRTC", "#D55E00", {NULL}},
    {"Kernel Tuner's NVCUDA", "#F0A07A", {NULL}},
    {"kept from an earlier build", "#7F7F7F", {NULL}},
    /* Launches */
    {"a launch", "#3B2F73", {NULL}},
    {"a launch with an event", "#8C7AB8", {NULL}},
    {"five arguments and a launch", "#CBBFE6", {NULL}},
    {"CUDA's driver alone", "#404040", {NULL}},
    {"libsycl over specpi", "#3B2F73", {NULL}},
    /* Arrays */
    {"dpctl.tensor over specpi", "#3B2F73", {NULL}},
    {"the same, without the pool", "#CBBFE6", {NULL}},
    {"CuPy 14.2", "#D55E00", {NULL}},
};
enum { THINGS = sizeof things / sizeof things[0] };

/* Colours of series that are not in things, by their index in the chart. */
static const char *const colours[SERIES_MAX] = {"#0072B2", "#D55E00", "#009E73",
                                                "#CC79A7", "#E69F00", "#56B4E9"};
/* gnuplot's marks (disk, square, triangle, ...), so that lines differ by more than colour. */
static const int marks[SERIES_MAX] = {7, 5, 9, 13, 11, 15};

typedef struct axis {
  const char *label;
  int log;
  const json_t *from, *to; /* NULL if left out */
} axis;

/* Writes a string in gnuplot's single quotes, in which only the quote itself is special. */
static void quote(FILE *to, const char *text) {
  fputc('\'', to);
  for (; *text; text++) {
    if ((unsigned char)*text < ' ' || *text == '"')
      bench_die("chart: a text has a line break or a double quote");
    if (*text == '\'')
      fputc('\'', to);
    fputc(*text, to);
  }
  fputc('\'', to);
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  if (!text)
    bench_die("chart: there is no text \"%s\"", key);
  return text;
}

static bool is_called(const struct thing *thing, const char *name) {
  bool found = strcmp(thing->name, name) == 0;
  for (size_t i = 0; i < WORDS_MAX && thing->words[i]; i++)
    found |= strcmp(thing->words[i], name) == 0;
  return found;
}

/* Returns the name and the colour for a series of a chart with this index. */
static struct thing thing_of(const json_t *object, size_t index) {
  const char *name = text_of(object, "name");
  for (size_t i = 0; i < THINGS; i++)
    if (is_called(&things[i], name))
      return things[i];
  return (struct thing){name, colours[index], {NULL}};
}

static const json_t *array_of(const json_t *object, const char *key) {
  const json_t *array = json_object_get(object, key);
  if (json_array_size(array) == 0)
    bench_die("chart: there is no array \"%s\" with anything in it", key);
  return array;
}

static double number_at(const json_t *array, size_t index) {
  const json_t *number = json_array_get(array, index);
  if (!json_is_number(number))
    bench_die("chart: where a number should be there is none");
  return json_number_value(number);
}

static axis axis_of(const json_t *chart, const char *key) {
  const json_t *object = json_object_get(chart, key);
  const axis axis = {text_of(object, "label"), json_is_true(json_object_get(object, "log")),
                     json_object_get(object, "from"), json_object_get(object, "to")};
  if ((axis.from && !json_is_number(axis.from)) || (axis.to && !json_is_number(axis.to)))
    bench_die("chart: an end of the axis \"%s\" is no number", key);
  return axis;
}

static void write_axis(FILE *to, char name, const axis *axis) {
  fprintf(to, "set %clabel ", name);
  quote(to, axis->label);
  fprintf(to, "\nset format %c '%%.10g'\n", name);
  if (axis->log)
    fprintf(to, "set logscale %c 10\n", name);
  fprintf(to, "set %crange [", name);
  if (axis->from)
    fprintf(to, "%.17g", json_number_value(axis->from));
  else
    fprintf(to, "%s", name == 'y' && !axis->log ? "0" : "*");
  fprintf(to, ":");
  if (axis->to)
    fprintf(to, "%.17g", json_number_value(axis->to));
  else
    fprintf(to, "*");
  fprintf(to, "]\n");
}

/* Sizes in pixels. */
enum {
  WIDTH = 1000,
  LINES_HEIGHT = 620,
  BAR_HEIGHT = 19,
  MARGIN = 20,
  LEGEND_TOP = 64,
  LEGEND_ROW = 19,
  LEGEND_BOX = 22,
  BARS_BOTTOM = 58
};

/* Approximate width in pixels of a letter in the legend and in category names. */
static const double letter_width = 7.6;

static const json_t *series_of(const json_t *chart) {
  const json_t *series = array_of(chart, "series");
  if (json_array_size(series) > SERIES_MAX)
    bench_die("chart: there are %zu series, and colours for %d", json_array_size(series),
              SERIES_MAX);
  return series;
}

static void write_title(FILE *to, const json_t *chart, int height) {
  const bool has_subtitle = json_object_get(chart, "subtitle");
  fprintf(to, "set label ");
  quote(to, text_of(chart, "title"));
  fprintf(to, " at screen 0.02, screen %.4f left font 'DejaVu Sans Bold,13'\n", 1 - 24.0 / height);
  if (!has_subtitle)
    return;
  fprintf(to, "set label ");
  quote(to, text_of(chart, "subtitle"));
  fprintf(to, " at screen 0.02, screen %.4f left font 'DejaVu Sans,11' textcolor '#404040'\n",
          1 - 50.0 / height);
}

static void write_frame(FILE *to, const json_t *chart, const char *file, int height) {
  fprintf(to,
          "set terminal pngcairo size %d,%d font 'DejaVu Sans,11' background '#FFFFFF' noenhanced"
          " linewidth 1.5\nset output ",
          WIDTH, height);
  quote(to, file);
  fprintf(to, "\n");
  write_title(to, chart, height);
  fprintf(to, "set border 3 linecolor '#404040'\nset tics nomirror textcolor '#202020'\n"
              "set grid linetype 1 linecolor '#D0D0D0' linewidth 0.5\n");
}

/* ---- Lines ---- */

static void write_points(FILE *to, const json_t *series, size_t index, bool *ranges) {
  const json_t *points = array_of(series, "points");
  *ranges = true;
  fprintf(to, "$s%zu << END\n", index);
  for (size_t i = 0; i < json_array_size(points); i++) {
    const json_t *point = json_array_get(points, i);
    const size_t size = json_array_size(point);
    if (size != 2 && size != 4)
      bench_die("chart: a point has two numbers, or four");
    *ranges &= size == 4;
    for (size_t j = 0; j < size; j++)
      fprintf(to, "%.17g%c", number_at(point, j), j + 1 < size ? ' ' : '\n');
  }
  fprintf(to, "END\n");
}

static void write_lines(FILE *to, const json_t *chart, const char *file) {
  write_frame(to, chart, file, LINES_HEIGHT);
  const axis x = axis_of(chart, "x"), y = axis_of(chart, "y");
  const json_t *series = series_of(chart);
  const size_t count = json_array_size(series);
  bool ranges[SERIES_MAX];
  fprintf(to, "set lmargin 12\nset rmargin 4\nset tmargin 5\n%s",
          count > 1 ? "set bmargin 6\nset key at screen 0.5, 0.03 center horizontal\n"
                    : "unset key\n");
  write_axis(to, 'x', &x);
  write_axis(to, 'y', &y);
  for (size_t i = 0; i < count; i++)
    write_points(to, json_array_get(series, i), i, &ranges[i]);
  fprintf(to, "plot ");
  for (size_t i = 0; i < count; i++) {
    const struct thing thing = thing_of(json_array_get(series, i), i);
    fprintf(to,
            "%s$s%zu using 1:2%s with %s linecolor '%s' linewidth 2 pointtype %d pointsize 1.2 "
            "title ",
            i ? ", " : "", i, ranges[i] ? ":3:4" : "", ranges[i] ? "yerrorlines" : "linespoints",
            thing.colour, marks[i]);
    quote(to, thing.name);
  }
  fprintf(to, "\n");
}

/* ---- Bars ---- */

/* The gap between two categories, in units of a bar's height. */
static const double category_gap = 0.7;

/* A bar's length (low), and the end of its whisker (high), equal to low without a whisker. */
typedef struct extent {
  double low, high;
} extent;

/* Reads the bar at an index. Returns false if its value is null. */
static bool bar_at(const json_t *values, size_t index, extent *bar) {
  const json_t *value = json_array_get(values, index);
  if (json_is_null(value))
    return false;
  bar->low = json_is_array(value) ? number_at(value, 0) : number_at(values, index);
  bar->high = json_is_array(value) ? number_at(value, 1) : bar->low;
  if (bar->low < 0)
    bench_die("chart: a bar of %g: bars begin at 0", bar->low);
  return true;
}

static const json_t *values_at(const json_t *chart, size_t index) {
  const json_t *values = array_of(json_array_get(series_of(chart), index), "values");
  const size_t count = json_array_size(array_of(chart, "categories"));
  if (json_array_size(values) != count)
    bench_die("chart: a series has %zu values for %zu categories", json_array_size(values), count);
  return values;
}

/* Returns how many of the first series series have a bar in a category. */
static size_t bars_in(const json_t *chart, size_t category, size_t series) {
  size_t count = 0;
  extent bar;
  for (size_t i = 0; i < series; i++)
    count += bar_at(values_at(chart, i), category, &bar);
  return count;
}

/* Returns the y of a category's top edge, in units of a bar's height. */
static double category_top(const json_t *chart, size_t category) {
  const size_t series = json_array_size(series_of(chart));
  double top = category_gap / 2;
  for (size_t i = 0; i < category; i++)
    top += (double)bars_in(chart, i, series) + category_gap;
  return top;
}

static axis bar_axis_of(const json_t *chart) {
  const axis x = axis_of(chart, "axis");
  if (x.log || x.from)
    bench_die("chart: bars begin at 0; an axis with \"log\" or \"from\" is for lines");
  return x;
}

/* Writes a number with three significant digits, or with all digits before the point. */
static void write_number(FILE *to, double number) {
  fprintf(to,
          number >= 100 || number == floor(number) ? "%.0f"
          : number >= 0.1                          ? "%#.3g"
                                                   : "%.3g",
          number);
}

/*
 * Writes a series' bars as lines of a data block: length, middle, upper and lower edge, the end of
 * the whisker, the number's x and the number. The upper edge has the smaller y, because y counts
 * from the top. The number goes after the bar, its whisker and the chart's line.
 */
static void write_block(FILE *to, const json_t *chart, size_t index, double end) {
  const json_t *values = values_at(chart, index);
  const double line = json_number_value(json_object_get(json_object_get(chart, "line"), "at"));
  fprintf(to, "$s%zu << END\n", index);
  for (size_t i = 0; i < json_array_size(values); i++) {
    extent bar;
    if (!bar_at(values, i, &bar))
      continue;
    const double top = category_top(chart, i) + (double)bars_in(chart, i, index);
    const double high = fmin(bar.high, end);
    /* Bars have a minimum length, so that their colour is visible. */
    const double length = fmax(fmin(bar.low, end), 0.003 * end);
    fprintf(to, "%.17g %.3f %.3f %.3f %.17g %.17g \"", length, top + 0.5, top + 0.06, top + 0.94,
            high, fmax(high, line));
    write_number(to, bar.low);
    if (bar.high > bar.low) {
      fprintf(to, " to ");
      write_number(to, bar.high);
    }
    fprintf(to, "\"\n");
  }
  fprintf(to, "END\n");
}

/* Writes a white gap near the end of each bar that exceeds the axis. */
static void write_gaps(FILE *to, const json_t *chart, size_t index, double end) {
  const json_t *values = values_at(chart, index);
  extent bar;
  for (size_t i = 0; i < json_array_size(values); i++) {
    const double top = category_top(chart, i) + (double)bars_in(chart, i, index);
    if (bar_at(values, i, &bar) && bar.low > end)
      fprintf(to,
              "set arrow from first %.17g, first %.3f to first %.17g, first %.3f nohead front "
              "linecolor '#FFFFFF' linewidth 3\n",
              0.955 * end, top + 1, 0.97 * end, top);
  }
}

/* Writes the names of the categories. Returns their width in pixels. */
static double write_categories(FILE *to, const json_t *chart, size_t series) {
  const json_t *categories = array_of(chart, "categories");
  size_t longest = 0;
  fprintf(to, "set ytics (");
  for (size_t i = 0; i < json_array_size(categories); i++) {
    const char *name = json_string_value(json_array_get(categories, i));
    if (!name)
      bench_die("chart: a category is no text");
    longest = strlen(name) > longest ? strlen(name) : longest;
    fprintf(to, "%s", i ? ", " : "");
    quote(to, name);
    fprintf(to, " %.3f", category_top(chart, i) + (double)bars_in(chart, i, series) / 2);
  }
  fprintf(to, ") scale 0\n");
  return MARGIN + 8 + letter_width * (double)longest;
}

/* Writes the chart's line, for a series with the same value in all categories, and its legend. */
static void write_constant(FILE *to, const json_t *line, double bottom) {
  const struct thing thing = thing_of(line, 0);
  const json_t *at = json_object_get(line, "at");
  if (!json_is_number(at))
    bench_die("chart: the line \"%s\" is at no number", thing.name);
  fprintf(to, "$line << END\n%.17g 0\n%.17g %.3f\nEND\n", json_number_value(at),
          json_number_value(at), bottom);
  fprintf(to, "plot $line using 1:2 with lines linecolor '%s' linewidth 2 title ", thing.colour);
  quote(to, thing.name);
}

/* Writes the command that draws the bars, their whiskers and their numbers. */
static void write_plot(FILE *to, const json_t *chart, const json_t *line, double bottom) {
  const json_t *series = series_of(chart);
  if (line)
    write_constant(to, line, bottom);
  for (size_t i = 0; i < json_array_size(series); i++) {
    const struct thing thing = thing_of(json_array_get(series, i), i);
    fprintf(to, "%s$s%zu using 1:2:(0):1:3:4 with boxxyerror linecolor '%s' title ",
            i || line ? ", " : "plot ", i, thing.colour);
    quote(to, thing.name);
    fprintf(to,
            ", $s%zu using ($5 > $1 ? $1 : NaN):2:($5 - $1):(0) with vectors heads size screen "
            "0.004,90 linecolor '#404040' notitle, $s%zu using 6:2:7 with labels left offset "
            "0.7,0 font ',10' textcolor '#202020' notitle",
            i, i);
  }
  fprintf(to, "\n");
}

/* Returns the length of the longest bar, including its whisker. */
static double bars_end(const json_t *chart) {
  double end = 0;
  extent bar;
  for (size_t i = 0; i < json_array_size(series_of(chart)); i++)
    for (size_t j = 0; j < json_array_size(values_at(chart, i)); j++)
      if (bar_at(values_at(chart, i), j, &bar))
        end = fmax(end, bar.high);
  return end;
}

/* The legend: its entries, each with its position, in pixels from the left and in rows. */
typedef struct layout {
  struct thing entries[SERIES_MAX + 1];
  double left[SERIES_MAX + 1];
  int row[SERIES_MAX + 1], rows;
  size_t count;
} layout;

static layout legend_of(const json_t *chart) {
  const json_t *series = series_of(chart), *line = json_object_get(chart, "line");
  layout legend = {.rows = 0};
  if (line)
    legend.entries[legend.count++] = thing_of(line, 0);
  for (size_t i = 0; i < json_array_size(series); i++)
    legend.entries[legend.count++] = thing_of(json_array_get(series, i), i);
  if (legend.count == 1)
    legend.count = 0;
  double right = WIDTH;
  for (size_t i = 0; i < legend.count; i++) {
    const double width = LEGEND_BOX + 10 + letter_width * (double)strlen(legend.entries[i].name);
    if (right + width > WIDTH - MARGIN) {
      right = MARGIN;
      legend.rows++;
    }
    legend.left[i] = right;
    legend.row[i] = legend.rows - 1;
    right += width + 20;
  }
  return legend;
}

static void write_legend(FILE *to, const layout *legend, int height) {
  for (size_t i = 0; i < legend->count; i++) {
    const double left = legend->left[i], y = LEGEND_TOP + (legend->row[i] + 0.5) * LEGEND_ROW;
    fprintf(to,
            "set object rectangle from screen %.4f, screen %.4f to screen %.4f, screen %.4f front "
            "fillcolor '%s' fillstyle solid noborder\nset label ",
            left / WIDTH, 1 - (y + 5) / height, (left + LEGEND_BOX) / WIDTH, 1 - (y - 5) / height,
            legend->entries[i].colour);
    quote(to, legend->entries[i].name);
    fprintf(to, " at screen %.4f, screen %.4f left\n", (left + LEGEND_BOX + 8) / WIDTH,
            1 - y / height);
  }
}

static void write_bars(FILE *to, const json_t *chart, const char *file) {
  const axis x = bar_axis_of(chart);
  const json_t *line = json_object_get(chart, "line");
  const size_t series = json_array_size(series_of(chart));
  const double bottom = category_top(chart, json_array_size(array_of(chart, "categories")));
  const double end = x.to ? json_number_value(x.to) : bars_end(chart);
  const layout legend = legend_of(chart);
  const int top = LEGEND_TOP + legend.rows * LEGEND_ROW + 8;
  const int height = (int)(BAR_HEIGHT * bottom) + top + BARS_BOTTOM;
  write_frame(to, chart, file, height);
  fprintf(to, "set xlabel ");
  quote(to, x.label);
  /* The range has space for numbers after the longest bars. */
  fprintf(to, "\nset format x '%%.10g'\nset xrange [0:%.17g]\nset yrange [%.3f:0]\n", 1.16 * end,
          bottom);
  fprintf(to, "set style fill solid 1.0 noborder\nset grid noytics\n");
  const double left = write_categories(to, chart, series);
  fprintf(to,
          "set lmargin at screen %.4f\nset rmargin at screen 0.98\nset tmargin at screen %.4f\n"
          "set bmargin at screen %.4f\n",
          left / WIDTH, 1 - (double)top / height, (double)BARS_BOTTOM / height);
  fprintf(to, "unset key\n");
  write_legend(to, &legend, height);
  for (size_t i = 0; i < series; i++) {
    write_block(to, chart, i, end);
    write_gaps(to, chart, i, end);
  }
  write_plot(to, chart, line, bottom);
}

/* Runs gnuplot, which reads the script from its standard input. */
static void run_gnuplot(const char *script, size_t size, const char *png) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    bench_die("gnuplot cannot be started: there is no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  char *const argv[] = {(char[]){"gnuplot"}, NULL};
  pid_t child;
  const int error = posix_spawn(&child, BENCH_GNUPLOT, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (error != 0)
    bench_die("%s cannot be started: %s", BENCH_GNUPLOT, strerror(error));
  FILE *to = fdopen(ends[1], "w");
  const bool written = to && fwrite(script, 1, size, to) == size;
  if (to)
    fclose(to);
  int status;
  if (waitpid(child, &status, 0) != child || status != 0 || !written)
    bench_die("gnuplot failed at %s", png);
}

static void write_script(FILE *to, const json_t *chart, const char *file) {
  const char *kind = text_of(chart, "kind");
  if (strcmp(kind, "lines") == 0)
    write_lines(to, chart, file);
  else if (strcmp(kind, "bars") == 0)
    write_bars(to, chart, file);
  else
    bench_die("chart: there is no kind \"%s\"", kind);
}

/* Writes the script into a file, for people who want to change it. */
static void write_file(const char *script, size_t size, const char *file) {
  FILE *to = fopen(file, "w");
  if (!to || fwrite(script, 1, size, to) != size || fclose(to) != 0)
    bench_die("%s cannot be written: %s", file, strerror(errno));
}

bool bench_chart_draw(const json_t *chart, const char *file) {
  const size_t length = strlen(file);
  const bool is_script = length > 3 && strcmp(file + length - 3, ".gp") == 0;
  if (!is_script && access(BENCH_GNUPLOT, X_OK) != 0) {
    fprintf(stderr, "bench: %s is not drawn: there was no gnuplot when this was built\n", file);
    return false;
  }
  char *script = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&script, &size);
  if (!to)
    bench_die("no memory for a chart");
  write_script(to, chart, file);
  if (fclose(to) != 0)
    bench_die("no memory for a chart");
  if (is_script)
    write_file(script, size, file);
  else
    run_gnuplot(script, size, file);
  free(script);
  return true;
}

json_t *bench_chart_series(const char *name) {
  json_t *series = json_pack("{s:s, s:[]}", "name", name, "points");
  if (!series)
    bench_die("no memory for a chart");
  return series;
}

void bench_chart_point(json_t *series, double x, double y, double low, double high) {
  json_array_append_new(json_object_get(series, "points"),
                        json_pack("[f, f, f, f]", x, y, low, high));
}
