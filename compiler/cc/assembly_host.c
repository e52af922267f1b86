#define _GNU_SOURCE /* open_memstream */
/*
 * Host code in LLVM assembly. Functions that no kernel reaches get a body that is nothing: clang
 * makes code for devices of them that LLVM does not read, of virtual base classes for example.
 * The text says which ones these are: every mention of a name counts.
 */
#include "../../plugins/base/vector.h"
#include "../identifier.h"
#include "assembly.h"
#include "file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function or a variable that the module defines: its text. */
typedef struct node {
  const char *name; /* with its @, and quotes if it has them */
  size_t name_size;
  const char *start;
  const char *body; /* after the brace of a function; NULL for a variable */
  const char *end;
  bool reached;
} node;

typedef struct graph {
  node *nodes;
  size_t count;
  size_t capacity;
  size_t *places; /* a hash table of indices plus one */
  size_t place_count;
  size_t *work;
  size_t work_count;
} graph;

/* ---- Names ---- */

static const char letters[] = IDENTIFIER_LETTERS ".$-";

/* The size of a name that begins with @ here; 0 when there is none. */
static size_t name_size(const char *at, const char *end) {
  if (at + 1 < end && at[1] == '"') {
    const char *quote = memchr(at + 2, '"', (size_t)(end - at - 2));
    return quote ? (size_t)(quote + 1 - at) : 0;
  }
  const char *last = at + 1;
  while (last < end && *last && strchr(letters, *last))
    last++;
  return last > at + 1 ? (size_t)(last - at) : 0;
}

static size_t *place_of(const graph *graph, const char *name, size_t size) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
  size_t i = (size_t)(hash ^ hash >> 32) % graph->place_count;
  while (graph->places[i] && (graph->nodes[graph->places[i] - 1].name_size != size ||
                              memcmp(graph->nodes[graph->places[i] - 1].name, name, size) != 0))
    i = (i + 1) % graph->place_count;
  return &graph->places[i];
}

/* ---- The parts of the text ---- */

static node *add_node(graph *graph) {
  if (!vector_reserve(&graph->nodes, &graph->capacity, graph->count, sizeof *graph->nodes))
    cc_no_memory();
  graph->nodes[graph->count] = (node){0};
  return &graph->nodes[graph->count++];
}

static const char *line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline + 1 : end;
}

/* A function's text ends with a line that is a brace. */
static const char *function_end(const char *at, const char *end) {
  while (at < end && !(end - at >= 2 && at[0] == '}' && at[1] == '\n'))
    at = line_end(at, end);
  return at;
}

static void read_text(graph *graph, const char *at, const char *end) {
  while (at < end) {
    const char *next = line_end(at, end);
    const bool function = end - at > 7 && memcmp(at, "define ", 7) == 0;
    const char *name = *at == '@' ? at : function ? memchr(at, '@', (size_t)(next - at)) : NULL;
    if (!name) {
      at = next;
      continue;
    }
    node *made = add_node(graph);
    made->name = name;
    made->name_size = name_size(name, next);
    made->start = at;
    made->body = function ? next : NULL;
    made->end = function ? function_end(next, end) : next;
    at = made->end;
  }
  graph->place_count = 2 * graph->count + 1;
  graph->places = cc_new(graph->place_count, sizeof *graph->places);
  graph->work = cc_new(graph->count, sizeof *graph->work);
  for (size_t i = 0; i < graph->count; i++)
    *place_of(graph, graph->nodes[i].name, graph->nodes[i].name_size) = i + 1;
}

/* ---- What is reached ---- */

static void reach(graph *graph, size_t index) {
  if (graph->nodes[index].reached)
    return;
  graph->nodes[index].reached = true;
  graph->work[graph->work_count++] = index;
}

static void follow(graph *graph, const node *from) {
  for (const char *at = from->start; at < from->end; at++) {
    at = memchr(at, '@', (size_t)(from->end - at));
    if (!at)
      return;
    const size_t size = name_size(at, from->end);
    const size_t found = size ? *place_of(graph, at, size) : 0;
    if (found)
      reach(graph, found - 1);
  }
}

/* Returns whether a part of the text has a word. */
static bool has(const char *start, const char *end, const char *word) {
  return memmem(start, (size_t)(end - start), word, strlen(word)) != NULL;
}

/* The groups of attributes of functions for other images, as functions name them. */
static cc_texts find_groups(const char *text, const char *end) {
  static const char group[] = "\nattributes #";
  cc_texts found = {0};
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), group, sizeof group - 1));) {
    const char *number = at + sizeof group - 1;
    /* The next group begins with the line break. */
    at = line_end(at + 1, end) - 1;
    if (has(number, at, "specpi.external"))
      cc_texts_add(&found, cc_format(" #%.*s ", (int)strspn(number, "0123456789"), number));
  }
  return found;
}

/* Kernels, and functions for other images. */
static void reach_roots(graph *graph, const char *text, const char *end) {
  cc_texts groups = find_groups(text, end);
  for (size_t i = 0; i < graph->count; i++) {
    const node *one = &graph->nodes[i];
    if (!one->body)
      continue;
    bool root = has(one->body, one->end, "@__specpi_kernel_entry(");
    for (size_t j = 0; j < groups.count && !root; j++)
      root = has(one->start, one->body, groups.items[j]);
    if (root)
      reach(graph, i);
  }
  for (size_t j = 0; j < groups.count; j++)
    free((char *)groups.items[j]);
  cc_texts_free(&groups);
}

/* A variable may have the address of a label, which then must stay: its function is kept whole. */
static void keep_labels(graph *graph) {
  static const char word[] = "blockaddress(";
  for (size_t i = 0; i < graph->count; i++) {
    const node *one = &graph->nodes[i];
    const char *at = one->body ? NULL : one->start;
    while (at && (at = memmem(at, (size_t)(one->end - at), word, sizeof word - 1))) {
      at += sizeof word - 1;
      const size_t size = *at == '@' ? name_size(at, one->end) : 0;
      const size_t found = size ? *place_of(graph, at, size) : 0;
      if (found)
        graph->nodes[found - 1].reached = true;
    }
  }
}

/*
 * Keeps the functions whole that compute a constant's default before main, so that an error can say
 * so; their calls go.
 */
static void keep_defaults(graph *graph) {
  static const char initializer[] = "@__cxx_global_var_init";
  for (size_t i = 0; i < graph->count; i++) {
    node *one = &graph->nodes[i];
    if (one->body && strncmp(one->name, initializer, sizeof initializer - 1) == 0 &&
        (has(one->body, one->end, "@_ZN4sycl17specialization_idI") ||
         has(one->body, one->end, "@_ZN4sycl7spec_idI")))
      one->reached = true;
  }
}

/* ---- The text without host code ---- */

static void write_text(const graph *graph, const char *text, const char *end, FILE *to) {
  for (size_t i = 0; i < graph->count; i++) {
    const node *one = &graph->nodes[i];
    if (!one->body || one->reached)
      continue;
    fwrite(text, 1, (size_t)(one->body - text), to);
    fputs("  unreachable\n", to);
    text = one->end;
  }
  fwrite(text, 1, (size_t)(end - text), to);
}

bool assembly_empty_host_code(const char *path) {
  file_bytes text;
  if (!file_read(path, &text))
    return false;
  const char *end = text.data + text.size;
  graph graph = {0};
  read_text(&graph, text.data, end);
  reach_roots(&graph, text.data, end);
  while (graph.work_count > 0)
    follow(&graph, &graph.nodes[graph.work[--graph.work_count]]);
  keep_labels(&graph);
  keep_defaults(&graph);
  char *made = NULL;
  size_t size;
  FILE *to = open_memstream(&made, &size);
  if (!to)
    cc_no_memory();
  write_text(&graph, text.data, end, to);
  if (fclose(to) != 0)
    cc_no_memory();
  const bool done = file_write(path, path, made, size, false);
  free(made);
  free(graph.work);
  free(graph.places);
  free(graph.nodes);
  file_free(&text);
  return done;
}
