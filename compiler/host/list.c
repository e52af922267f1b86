/* The list of variables as JSON. */
#include "write.h"

#include <jansson.h>
#include <stdlib.h>

/* Types and file names need not be UTF-8, which JSON is. */
static json_t *text(const char *from) {
  json_t *made = json_string(from);
  return made != NULL ? made : json_string("?");
}

static json_t *entry(const variable *variable) {
  json_t *id = json_string(variable->id);
  if (id == NULL)
    return NULL;
  return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:I, s:I}", "id", id, "name",
                   text(variable->name), "linkage", variable->is_internal ? "internal" : "external",
                   "kind", variable->kind, "type", text(variable->type), "file",
                   text(variable->file), "line", (json_int_t)variable->line, "column",
                   (json_int_t)variable->column);
}

host_result write_list(unit *unit, const variables *found, FILE *to) {
  json_t *variables = json_array();
  bool failed = false;
  for (size_t i = 0; i < found->list.count && !failed; i++)
    failed = json_array_append_new(variables, entry(&found->list.items[i])) != 0;
  json_t *all = json_pack("{s:s, s:o}", "unit", unit->prefix, "variables", variables);
  failed = failed || all == NULL || json_dumpf(all, to, JSON_INDENT(2)) != 0;
  fputc('\n', to);
  json_decref(all);
  return failed ? host_error_memory() : HOST_SUCCESS;
}
