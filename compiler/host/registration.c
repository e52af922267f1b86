#include "registration.h"

#include "naming.h"

/* The name is the proposal's. */
#define CLASS "__sycl_device_global_registration"

/* Units of which the compiler's pass registers the variables, and device code, have none. */
static void open_condition(FILE *to) {
  fputs("#if !defined(__SYCL_DEVICE_ONLY__) && !defined(__INTEL_SYCL_HOST_COMPILER__)\n", to);
}

void registration_declare(const variables *found, FILE *to) {
  if (!variables_are_registered(found))
    return;
  open_condition(to);
  fputs("#ifndef SPECPI_UNIT_REGISTRATION\n"
        "#define SPECPI_UNIT_REGISTRATION\n",
        to);
  naming_open(to, &found->function);
  /* Priority 101 is the first that programs can have, and this is the first object with it. */
  fputs("namespace {\n"
        "class " CLASS " {\n"
        "public:\n"
        "  " CLASS "() noexcept;\n"
        "  ~" CLASS "();\n"
        "};\n"
        "#if defined(__GNUC__)\n"
        "__attribute__((init_priority(101)))\n"
        "#endif\n" CLASS " __sycl_device_global_registrar;\n"
        "}\n",
        to);
  naming_close(to, &found->function);
  fputs("#endif\n"
        "#endif\n",
        to);
}

static void write_calls(const variables *found, const char *const *expressions,
                        const char *function, FILE *to) {
  for (size_t i = 0; i < found->list.count; i++) {
    const variable *variable = &found->list.items[i];
    if (variable->is_defined)
      fprintf(to, "  %s((void *)__builtin_addressof(%s), \"%s\", \"%s\");\n", function,
              expressions[i], variable->id, variable->kind);
  }
}

void registration_define(const variables *found, const char *const *expressions, FILE *to) {
  if (!variables_are_registered(found))
    return;
  fputc('\n', to);
  registration_declare(found, to);
  open_condition(to);
  naming_open(to, &found->function);
  fputs("namespace {\n"
        "\n" CLASS "::" CLASS "() noexcept {\n",
        to);
  write_calls(found, expressions, HOST_REGISTER_FUNCTION, to);
  fputs("}\n"
        "\n" CLASS "::~" CLASS "() {\n",
        to);
  write_calls(found, expressions, HOST_UNREGISTER_FUNCTION, to);
  fputs("}\n"
        "\n"
        "}\n",
        to);
  naming_close(to, &found->function);
  fputs("#endif\n", to);
}
