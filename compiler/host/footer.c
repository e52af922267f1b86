/* The integration footer. */
#include "naming.h"
#include "registration.h"
#include "write.h"

#include <stdlib.h>

static void write_comment(unit *unit, FILE *to, const variable *which) {
  fprintf(to, "\n// %s, %s\n", write_plain(unit, which->name),
          which->is_internal ? "internal" : "external");
}

/* Writes the shims that the namings need; the expressions that are the variables go to the array.
 */
static void write_shims(unit *unit, FILE *to, const variables *found, const naming *how,
                        const char **expressions) {
  for (size_t i = 0; i < found->list.count; i++) {
    if (how[i] != NAMING_DIRECT)
      write_comment(unit, to, &found->list.items[i]);
    expressions[i] = naming_write(unit, to, &found->list.items[i], how[i], i);
  }
}

/* The specialisations, in one block. */
static void write_specialisations(unit *unit, FILE *to, const variables *found, const naming *how,
                                  const char *const *expressions) {
  fputc('\n', to);
  naming_open(to, &found->function);
  for (size_t i = 0; i < found->list.count; i++) {
    if (how[i] == NAMING_EXTERN || !found->list.items[i].is_constant)
      continue;
    write_comment(unit, to, &found->list.items[i]);
    fprintf(to,
            "template <>\n"
            "inline const char *" HOST_ID_FUNCTION "<%s>() {\n"
            "  return \"%s\";\n"
            "}\n",
            expressions[i], found->list.items[i].id);
  }
  naming_close(to, &found->function);
}

/*
 * Variables that cannot be arguments of a template here: for what has no specialisation, the
 * template compares addresses.
 */
static void write_addresses(unit *unit, FILE *to, const variables *found, const naming *how,
                            const char *const *expressions) {
  const char *cases = "";
  for (size_t i = 0; i < found->list.count; i++)
    if (how[i] == NAMING_EXTERN && found->list.items[i].is_constant)
      cases = pool_format(&unit->strings, "%s  if (address == &%s)\n    return \"%s\";\n", cases,
                          expressions[i], found->list.items[i].id);
  if (cases[0] == '\0')
    return;
  const char *name = pool_format(&unit->strings, "__sycl_find_%s", unit->identifier);
  fprintf(to,
          "\n[[maybe_unused]] static inline const char *%s(const volatile void *address) {\n"
          "%s"
          "  __builtin_trap(); // a variable that this footer does not know\n"
          "}\n",
          name, cases);
  naming_open(to, &found->function);
  fprintf(to,
          "template <auto &variable>\n"
          "const char *" HOST_ID_FUNCTION "() {\n"
          "  return ::%s(&variable);\n"
          "}\n",
          name);
  naming_close(to, &found->function);
}

/* Checks that the headers of the file declare the names that the footer needs. */
static host_result check_headers(const unit *unit, const variables *found) {
  for (size_t i = 0; i < found->list.count; i++) {
    const variable *at = &found->list.items[i];
    HOST_REQUIRE(found->has_function, HOST_ERROR_UNSUPPORTED,
                 "%s:%u: '%s' needs the template sycl::detail::" HOST_ID_FUNCTION
                 ", which %s does not include",
                 at->file, at->line, at->name, unit->options->file);
    HOST_REQUIRE(at->is_constant || found->has_register, HOST_ERROR_UNSUPPORTED,
                 "%s:%u: '%s' needs the function " HOST_REGISTER_FUNCTION
                 ", which %s does not include",
                 at->file, at->line, at->name, unit->options->file);
  }
  return HOST_SUCCESS;
}

/* All that needs the variables' names. */
static host_result write_variables(unit *unit, FILE *to, const variables *found) {
  naming *how = NULL;
  const char **expressions = calloc(found->list.count + 1, sizeof *expressions);
  if (expressions == NULL)
    return host_error_memory();
  const host_result result = naming_choose(unit, found, &how);
  if (result == HOST_SUCCESS) {
    write_shims(unit, to, found, how, expressions);
    write_specialisations(unit, to, found, how, expressions);
    write_addresses(unit, to, found, how, expressions);
    registration_define(found, expressions, to);
  }
  free(how);
  free(expressions);
  return result;
}

host_result write_footer(unit *unit, const variables *found, FILE *to) {
  /* The last line of the file may lack its end, or have a backslash there. */
  fputs("\n\n", to);
  host_write_line(unit->options->file, ".footer", to);
  fprintf(to, "// Integration footer of %s: the symbolic ids of its variables.\n",
          write_plain(unit, unit->options->file));
  if (found->list.count == 0 && !found->has_function) {
    fputs("// It has none.\n", to);
    return HOST_SUCCESS;
  }
  HOST_TRY(check_headers(unit, found));
  /*
   * A shim may declare a variable again, on purpose; variables of every type become addresses; a
   * constant has an id even if nobody asks for it.
   */
  fputs("#if defined(__GNUC__)\n"
        "#pragma GCC diagnostic push\n"
        "#pragma GCC diagnostic ignored \"-Wredundant-decls\"\n"
        "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
        "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
        "#pragma GCC diagnostic ignored \"-Wold-style-cast\"\n"
        "#pragma GCC diagnostic ignored \"-Wcast-qual\"\n"
        "#endif\n",
        to);
  const host_result result = write_variables(unit, to, found);
  fputs("\n"
        "#if defined(__GNUC__)\n"
        "#pragma GCC diagnostic pop\n"
        "#endif\n"
        "#include <sycl/detail/spec_const_integration.hpp>\n",
        to);
  return result;
}
