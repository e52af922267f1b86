/* The test picture: gradients, discs, edges, and details so fine that any blur is visible. */
#include "picture.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { WIDTH = 768, HEIGHT = 512, SAMPLES = 3, RIDGES = 4 };

typedef struct colour {
  double red, green, blue;
} colour;

static colour mix(colour a, colour b, double share) {
  const double t = fmin(1, fmax(0, share));
  return (colour){a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t,
                  a.blue + (b.blue - a.blue) * t};
}

/* A pseudo-random number from 0 to 1, always the same for x and y. */
static double chance(int x, int y) {
  uint32_t bits = (uint32_t)x * UINT32_C(374761393) + (uint32_t)y * UINT32_C(668265263);
  bits = (bits ^ (bits >> 13)) * UINT32_C(1274126177);
  return (double)((bits ^ (bits >> 16)) & 0xffff) / 65535.0;
}

/* ---- Sky ---- */

static const double sun_x = 548, sun_y = 236, sun_radius = 52;

/* The light of stars. Each cell of a grid has one star at a random place. */
static double star_light(double x, double y) {
  const int cell = 26, column = (int)x / cell, row = (int)y / cell;
  const double star_x = (column + 0.2 + 0.6 * chance(column, row)) * cell;
  const double star_y = (row + 0.2 + 0.6 * chance(row, column + 99)) * cell;
  const double size = 0.5 + 1.6 * chance(column + 7, row + 5);
  const double dim = fmax(0, 1 - y / 230);
  return hypot(x - star_x, y - star_y) < size ? dim : 0;
}

static colour sky(double x, double y) {
  static const colour night = {16, 22, 58}, dusk = {96, 62, 124}, glow = {255, 168, 96};
  colour result = y < 190 ? mix(night, dusk, y / 190) : mix(dusk, glow, (y - 190) / 150);
  result = mix(result, (colour){255, 255, 255}, star_light(x, y));
  const double distance = hypot(x - sun_x, y - sun_y);
  result = mix(result, (colour){255, 190, 120}, 0.55 * exp(-fmax(0, distance - sun_radius) / 60));
  if (distance < sun_radius)
    result = mix((colour){255, 250, 214}, (colour){255, 214, 120}, distance / sun_radius);
  return result;
}

/* ---- Mountains; the nearest have trees ---- */

static double ridge(int which, double x) {
  const double phase = which * 1.9, scale = 1.0 - 0.12 * which;
  double height = 268 + 46 * which + 26 * scale * sin(x / 97 + phase) +
                  13 * sin(x / 41 + 2.3 * phase) + 5 * sin(x / 17 + phase);
  if (which < 2)
    return height + 3 * sin(x / 6.3 + phase);
  const double spacing = which == 2 ? 9 : 17;
  const int tree = (int)floor(x / spacing);
  const double from_stem = fabs(x / spacing - tree - 0.5) * 2;
  const double tall = spacing * (1.1 + 1.6 * chance(tree, which));
  /* Branches: the outline of a tree is jagged. */
  const double saw = 1 - from_stem;
  return height - tall * fmax(0, saw - 0.12 * fmod(saw * 5, 1));
}

static colour land(double x, double y, colour behind) {
  static const colour shades[RIDGES] = {{150, 96, 128}, {104, 70, 112}, {52, 46, 84}, {20, 24, 46}};
  colour result = behind;
  for (int i = 0; i < RIDGES; i++)
    if (y > ridge(i, x))
      result = mix(shades[i], (colour){230, 150, 120}, i < 2 ? 0.0035 * (y - ridge(i, x)) : 0);
  return result;
}

/* ---- Text ---- */

/*
 * A letter of 5 by 7 dots: one byte for each row, with the leftmost dot in the highest of 5 bits.
 */
typedef struct letter {
  char name;
  unsigned char rows[7];
} letter;

static const letter letters[] = {
    {'A', {14, 17, 17, 31, 17, 17, 17}}, {'C', {14, 17, 16, 16, 16, 17, 14}},
    {'D', {30, 17, 17, 17, 17, 17, 30}}, {'E', {31, 16, 16, 30, 16, 16, 31}},
    {'G', {14, 17, 16, 23, 17, 17, 14}}, {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},      {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}}, {'N', {17, 25, 21, 19, 17, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}}, {'P', {30, 17, 17, 30, 16, 16, 16}},
    {'R', {30, 17, 17, 30, 20, 18, 17}}, {'S', {15, 16, 16, 14, 1, 1, 30}},
    {'T', {31, 4, 4, 4, 4, 4, 4}},       {'U', {17, 17, 17, 17, 17, 17, 14}},
    {'W', {17, 17, 17, 21, 21, 27, 17}}, {'Z', {31, 1, 2, 4, 8, 16, 31}},
};

typedef struct line {
  const char *text;
  double x, y, dot; /* the upper left corner, and the size of a dot */
} line;

static const line lines[] = {
    {"SPECIALIZATION", 34, 424, 5},
    {"CONSTANTS", 34, 467, 3},
    {"RADIUS AND WEIGHTS", 210, 469, 2},
    {"SET AT RUN TIME", 210, 488, 1},
};

static bool is_inked(double x, double y) {
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    const double across = (x - lines[i].x) / lines[i].dot, down = (y - lines[i].y) / lines[i].dot;
    const double place = floor(across / 6);
    if (across < 0 || down < 0 || down >= 7 || place >= (double)strlen(lines[i].text))
      continue;
    const int column = (int)(across - 6 * place), row = (int)down;
    for (size_t j = 0; j < sizeof letters / sizeof *letters; j++)
      if (letters[j].name == lines[i].text[(size_t)place])
        return column < 5 && ((letters[j].rows[row] >> (4 - column)) & 1);
  }
  return false;
}

/* ---- The whole picture ---- */

static colour colour_at(double x, double y) {
  if (is_inked(x, y))
    return (colour){255, 236, 200};
  return land(x, y, sky(x, y));
}

/* The colour of a pixel: the mean of several points in it, so that edges are smooth. */
static pixel pixel_at(int x, int y) {
  double sum[3] = {0};
  for (int i = 0; i < SAMPLES; i++)
    for (int j = 0; j < SAMPLES; j++) {
      const colour at = colour_at(x + (i + 0.5) / SAMPLES, y + (j + 0.5) / SAMPLES);
      sum[0] += at.red;
      sum[1] += at.green;
      sum[2] += at.blue;
    }
  pixel pixel = {{0, 0, 0, 255}};
  for (int i = 0; i < 3; i++)
    pixel.channel[i] = (unsigned char)lround(fmin(255, fmax(0, sum[i] / (SAMPLES * SAMPLES))));
  return pixel;
}

picture picture_draw(void) {
  picture picture = picture_new(WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      picture.pixels[y * WIDTH + x] = pixel_at(x, y);
  return picture;
}
