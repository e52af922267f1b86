/* The integration footer. */
#include "naming.h"
#include "write.h"

#include <stdlib.h>

static void write_comment(unit *it, FILE *to, const variable *which) {
  fprintf(to, "\n// %s, %s\n", write_plain(it, which->name),
          which->is_internal ? "internal" : "external");
}

/* The specialisations, in one block, after the shims that they need. */
static host_result write_specialisations(unit *it, FILE *to, const variables *found,
                                         const naming *how) {
  const char **expressions = calloc(found->list.count + 1, sizeof *expressions);
  if (expressions == NULL)
    return host_error_memory();
  for (size_t i = 0; i < found->list.count; i++) {
    if (how[i] == NAMING_EXTERN)
      continue;
    if (how[i] != NAMING_DIRECT)
      write_comment(it, to, &found->list.items[i]);
    expressions[i] = naming_write(it, to, &found->list.items[i], how[i], i);
  }
  fputc('\n', to);
  naming_open(to, &found->function);
  for (size_t i = 0; i < found->list.count; i++) {
    if (how[i] == NAMING_EXTERN)
      continue;
    write_comment(it, to, &found->list.items[i]);
    fprintf(to,
            "template <>\n"
            "inline const char *" HOST_ID_FUNCTION "<%s>() {\n"
            "  return \"%s\";\n"
            "}\n",
            expressions[i], found->list.items[i].id);
  }
  naming_close(to, &found->function);
  free(expressions);
  return HOST_SUCCESS;
}

/*
 * Variables that cannot be arguments of a template here: for what has no specialisation, the
 * template compares addresses.
 */
static host_result write_addresses(unit *it, FILE *to, const variables *found, const naming *how) {
  char *cases = NULL;
  size_t size = 0;
  FILE *to_cases = open_memstream(&cases, &size);
  if (to_cases == NULL)
    return host_error_memory();
  for (size_t i = 0; i < found->list.count; i++)
    if (how[i] == NAMING_EXTERN) {
      write_comment(it, to, &found->list.items[i]);
      fprintf(to_cases, "  if (address == &%s)\n    return \"%s\";\n",
              naming_write(it, to, &found->list.items[i], how[i], i), found->list.items[i].id);
    }
  if (fclose(to_cases) != 0) {
    free(cases);
    return host_error_memory();
  }
  if (size > 0) {
    const char *name = pool_format(&it->strings, "__sycl_find_%s", it->identifier);
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
  free(cases);
  return HOST_SUCCESS;
}

host_result write_footer(unit *it, const variables *found, FILE *to) {
  fprintf(to,
          "\n\n// Integration footer of %s: the symbolic ids of its specialization constants.\n",
          write_plain(it, it->options->file));
  if (found->list.count == 0 && !found->has_function) {
    fputs("// It has none.\n", to);
    return HOST_SUCCESS;
  }
  if (found->list.count > 0) {
    const variable *first = &found->list.items[0];
    HOST_REQUIRE(found->has_function, HOST_ERROR_UNSUPPORTED,
                 "%s:%u: '%s' needs the template sycl::detail::" HOST_ID_FUNCTION
                 ", which %s does not include",
                 first->file, first->line, first->name, it->options->file);
  }
  naming *how = NULL;
  HOST_TRY(naming_choose(it, found, &how));
  /* A shim may declare a variable again, on purpose. */
  fputs("#if defined(__GNUC__)\n"
        "#pragma GCC diagnostic push\n"
        "#pragma GCC diagnostic ignored \"-Wredundant-decls\"\n"
        "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
        "#endif\n",
        to);
  host_result result = write_specialisations(it, to, found, how);
  if (result == HOST_SUCCESS)
    result = write_addresses(it, to, found, how);
  fputs("\n"
        "#if defined(__GNUC__)\n"
        "#pragma GCC diagnostic pop\n"
        "#endif\n"
        "#include <sycl/detail/spec_const_integration.hpp>\n",
        to);
  free(how);
  return result;
}
