#define _GNU_SOURCE /* pipe2, environ */
#include "chart.h"

#include "report.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERIES_MAX = 6 };

/* Colours that people tell apart who see few. */
static const char *const colours[SERIES_MAX] = {"#0072B2", "#D55E00", "#009E73",
                                                "#CC79A7", "#E69F00", "#56B4E9"};
/* Disk, square, triangle, diamond, and so on: not by colour alone. */
static const int marks[SERIES_MAX] = {7, 5, 9, 13, 11, 15};

typedef struct axis {
  const char *label;
  int log;
  const json_t *from, *to; /* or NULL */
} axis;

/* A text in gnuplot's quotes, in which only the quote itself means something. */
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
  const axis it = {text_of(object, "label"), json_is_true(json_object_get(object, "log")),
                   json_object_get(object, "from"), json_object_get(object, "to")};
  if ((it.from && !json_is_number(it.from)) || (it.to && !json_is_number(it.to)))
    bench_die("chart: an end of the axis \"%s\" is no number", key);
  return it;
}

static void write_axis(FILE *to, char name, const axis *it) {
  fprintf(to, "set %clabel ", name);
  quote(to, it->label);
  fprintf(to, "\nset format %c '%%.10g'\n", name);
  if (it->log)
    fprintf(to, "set logscale %c 10\n", name);
  fprintf(to, "set %crange [", name);
  if (it->from)
    fprintf(to, "%.17g", json_number_value(it->from));
  else
    fprintf(to, "%s", name == 'y' && !it->log ? "0" : "*");
  fprintf(to, ":");
  if (it->to)
    fprintf(to, "%.17g", json_number_value(it->to));
  else
    fprintf(to, "*");
  fprintf(to, "]\n");
}

static void write_frame(FILE *to, const json_t *chart, const char *png) {
  fprintf(
      to,
      "set terminal pngcairo size 1000,620 font 'DejaVu Sans,12' background '#FFFFFF' noenhanced"
      " linewidth 1.5\nset output ");
  quote(to, png);
  fprintf(to, "\nset title ");
  quote(to, text_of(chart, "title"));
  fprintf(to,
          " font ',14'\n"
          "set border 3 linecolor '#404040'\nset tics nomirror textcolor '#202020'\n"
          "set grid linetype 1 linecolor '#D0D0D0' linewidth 0.5\nset lmargin 12\nset rmargin 4\n");
  const size_t count = json_array_size(array_of(chart, "series"));
  if (count > SERIES_MAX)
    bench_die("chart: there are %zu series, and colours for %d", count, SERIES_MAX);
  fprintf(to, count > 1 ? "set bmargin 6\nset key at screen 0.5, 0.03 center horizontal\n"
                        : "unset key\n");
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

static void write_lines(FILE *to, const json_t *chart) {
  const axis x = axis_of(chart, "x"), y = axis_of(chart, "y");
  const json_t *series = array_of(chart, "series");
  const size_t count = json_array_size(series);
  bool ranges[SERIES_MAX];
  write_axis(to, 'x', &x);
  write_axis(to, 'y', &y);
  for (size_t i = 0; i < count; i++)
    write_points(to, json_array_get(series, i), i, &ranges[i]);
  fprintf(to, "plot ");
  for (size_t i = 0; i < count; i++) {
    fprintf(to,
            "%s$s%zu using 1:2%s with %s linecolor '%s' linewidth 2 pointtype %d pointsize 1.2 "
            "title ",
            i ? ", " : "", i, ranges[i] ? ":3:4" : "", ranges[i] ? "yerrorlines" : "linespoints",
            colours[i], marks[i]);
    quote(to, text_of(json_array_get(series, i), "name"));
  }
  fprintf(to, "\n");
}

/* ---- Bars ---- */

enum { BARS_WITH_NUMBERS = 24 };

static void write_bars(FILE *to, const json_t *chart) {
  const axis y = axis_of(chart, "y");
  const json_t *categories = array_of(chart, "categories"), *series = array_of(chart, "series");
  const size_t count = json_array_size(series);
  write_axis(to, 'y', &y);
  fprintf(to,
          "set style fill solid 1.0 noborder\nset boxwidth %.3f\nset grid noxtics\n"
          "set xrange [-0.6:%.1f]\nset offsets 0, 0, graph 0.08, 0\nset xtics (",
          0.92 / (double)(count + 1), (double)json_array_size(categories) - 0.4);
  for (size_t i = 0; i < json_array_size(categories); i++) {
    const char *name = json_string_value(json_array_get(categories, i));
    if (!name)
      bench_die("chart: a category is no text");
    fprintf(to, "%s", i ? ", " : "");
    quote(to, name);
    fprintf(to, " %zu", i);
  }
  fprintf(to, ") scale 0\n");
  for (size_t i = 0; i < count; i++) {
    const json_t *values = array_of(json_array_get(series, i), "values");
    if (json_array_size(values) != json_array_size(categories))
      bench_die("chart: a series has %zu values for %zu categories", json_array_size(values),
                json_array_size(categories));
    fprintf(to, "$s%zu << END\n", i);
    for (size_t j = 0; j < json_array_size(values); j++)
      fprintf(to, "%.6f %.17g\n",
              (double)j + ((double)i - (double)(count - 1) / 2.0) / (double)(count + 1),
              number_at(values, j));
    fprintf(to, "END\n");
  }
  fprintf(to, "plot ");
  for (size_t i = 0; i < count; i++) {
    fprintf(to, "%s$s%zu using 1:2 with boxes linecolor '%s' title ", i ? ", " : "", i, colours[i]);
    quote(to, text_of(json_array_get(series, i), "name"));
    /* Each bar says its number, where there is room. */
    if (count * json_array_size(categories) <= BARS_WITH_NUMBERS)
      fprintf(to,
              ", $s%zu using 1:2:(sprintf('%%.4g', $2)) with labels offset 0,0.7 font ',10' "
              "textcolor '#202020' notitle",
              i);
  }
  fprintf(to, "\n");
}

/* gnuplot reads the script from its standard input. */
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

bool bench_chart_draw(const json_t *chart, const char *png) {
  if (access(BENCH_GNUPLOT, X_OK) != 0) {
    fprintf(stderr, "bench: %s is not drawn: there was no gnuplot when this was built\n", png);
    return false;
  }
  char *script = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&script, &size);
  if (!to)
    bench_die("no memory for a chart");
  const char *kind = text_of(chart, "kind");
  write_frame(to, chart, png);
  if (strcmp(kind, "lines") == 0)
    write_lines(to, chart);
  else if (strcmp(kind, "bars") == 0)
    write_bars(to, chart);
  else
    bench_die("chart: there is no kind \"%s\"", kind);
  if (fclose(to) != 0)
    bench_die("no memory for a chart");
  run_gnuplot(script, size, png);
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
