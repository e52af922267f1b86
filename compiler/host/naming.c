#include "naming.h"

#include <string.h>

void naming_open(FILE *to, const scopes *in) {
  for (size_t i = 0; i < in->count; i++)
    fprintf(to, "%snamespace %s%s{\n", in->items[i].is_inline ? "inline " : "",
            in->items[i].name != NULL ? in->items[i].name : "",
            in->items[i].name != NULL ? " " : "");
}

void naming_close(FILE *to, const scopes *in) {
  for (size_t i = 0; i < in->count; i++)
    fputs("}\n", to);
}

const char *naming_speakable(unit *unit, const char *name) {
  static const char unnamed[] = "(anonymous namespace)::";
  for (const char *at; (at = strstr(name, unnamed)) != NULL;)
    name = pool_format(&unit->strings, "%.*s%s", (int)(at - name), name, at + strlen(unnamed));
  return name;
}

/* The name without the namespaces. */
static const char *unqualified(unit *unit, const variable *which) {
  const char *simple = naming_speakable(unit, which->simple);
  return which->classes != NULL
             ? pool_format(&unit->strings, "%s::%s", naming_speakable(unit, which->classes), simple)
             : simple;
}

/* The name from the global namespace; names from unnamed namespaces are visible around these. */
static const char *qualified(unit *unit, const scopes *in, const char *name) {
  const char *all = name;
  for (size_t i = in->count; i-- > 0;)
    if (in->items[i].name != NULL)
      all = pool_format(&unit->strings, "%s::%s", in->items[i].name, all);
  return pool_format(&unit->strings, "::%s", all);
}

/*
 * Hands a shim on, out of named namespaces in unnamed ones, from the inside to the outside: the
 * name of a named one may stand for another namespace when it is looked up from further out.
 * Returns how to call the outermost shim.
 */
static const char *hand_on(unit *unit, FILE *to, const scopes *in, const char *call, size_t number,
                           const char *specifier) {
  const char *reached = call;
  bool is_simple = true;
  for (size_t i = in->count; i-- > 0;) {
    if (in->items[i].name != NULL) {
      reached = pool_format(&unit->strings, "%s::%s", in->items[i].name, reached);
      is_simple = false;
      continue;
    }
    if (is_simple)
      continue;
    const scopes outer = {in->items, i + 1, 0};
    const char *shim = pool_format(&unit->strings, "__sycl_shim_%zu_%zu()", number, i);
    naming_open(to, &outer);
    fprintf(to, "[[maybe_unused]] static %s auto &%s { return %s; }\n", specifier, shim, reached);
    naming_close(to, &outer);
    reached = shim;
    is_simple = true;
  }
  return pool_format(&unit->strings, "::%s", reached);
}

/*
 * A type that may stand for another one when it is looked up from inside a namespace gets a name
 * for itself in the global one.
 */
static void write_type(unit *unit, FILE *to, const variable *which, size_t number) {
  fprintf(to, "using __sycl_type_%zu = %s;\n", number, naming_speakable(unit, which->type));
}

static const char *write_access(unit *unit, FILE *to, const variable *which, bool inside,
                                size_t number) {
  const scopes nowhere = {0};
  const scopes *in = inside ? &which->scopes : &nowhere;
  const char *name = unqualified(unit, which);
  /* Every unit has a template of its own: two units may have the same number for two variables. */
  const char *template =
      pool_format(&unit->strings, "__sycl_access_%zu_%s", number, unit->identifier);
  const char *shim = pool_format(&unit->strings, "__sycl_shim_%zu()", number);
  naming_open(to, in);
  fprintf(to,
          "[[maybe_unused]] static constexpr auto &%s;\n"
          "template <auto &variable>\n"
          "struct %s {\n"
          "  friend constexpr auto &%s { return variable; }\n"
          "};\n"
          "template struct %s<%s>;\n",
          shim, template, shim, template, inside ? name : qualified(unit, &which->scopes, name));
  naming_close(to, in);
  return hand_on(unit, to, in, shim, number, "constexpr");
}

const char *naming_write(unit *unit, FILE *to, const variable *which, naming how, size_t number) {
  const char *name = unqualified(unit, which);
  if (how == NAMING_DIRECT)
    return qualified(unit, &which->scopes, name);
  if (how == NAMING_ACCESS || how == NAMING_ACCESS_INSIDE)
    return write_access(unit, to, which, how == NAMING_ACCESS_INSIDE, number);
  const char *shim = pool_format(&unit->strings, "__sycl_shim_%zu()", number);
  /* In a constant expression GCC takes the block's declaration for another variable. */
  const char *specifier = how == NAMING_EXTERN ? "inline" : "constexpr";
  if (how == NAMING_EXTERN)
    write_type(unit, to, which, number);
  naming_open(to, &which->scopes);
  /* Its type is deduced, so that bodies of functions are not skipped here when it is tried out. */
  if (how == NAMING_EXTERN)
    fprintf(to,
            "[[maybe_unused]] static inline auto &%s {\n"
            "  extern __sycl_type_%zu %s;\n"
            "  return %s;\n"
            "}\n",
            shim, number, name, name);
  else
    fprintf(to, "[[maybe_unused]] static constexpr decltype(%s) &%s { return %s; }\n", name, shim,
            name);
  naming_close(to, &which->scopes);
  return hand_on(unit, to, &which->scopes, shim, number, specifier);
}
