#include "modules.h"

#include "../support/embed.h"
#include "check.h"

code_form code_in_use;

/* The modules themselves: embedded_NAME, embedded_NAME_patch and embedded_NAME_emulate. */
#define EMBED_SPIRV(name) SPECPI_EMBED(embedded_##name, #name ".spv")
#define EMBED_PATCH(name) SPECPI_EMBED(embedded_##name##_patch, #name ".patch.ptx")
#define EMBED_EMULATE(name) SPECPI_EMBED(embedded_##name##_emulate, #name ".emulate.ptx")
#define MODULE(name)                                                                               \
  EMBED_SPIRV(name)                                                                                \
  EMBED_PATCH(name)                                                                                \
  EMBED_EMULATE(name)
#define MODULE_SPIRV(name, reason) EMBED_SPIRV(name)
#define MODULE_EMULATE(name, reason) EMBED_EMULATE(name)
#include "modules.def"

typedef struct embedded {
  const unsigned char *begin; /* NULL: the module does not have this form */
  const unsigned char *end;
} embedded;

#define FORM_SPIRV(name) [CODE_SPIRV] = {embedded_##name##_begin, embedded_##name##_end}
#define FORM_PATCH(name)                                                                           \
  [CODE_PTX_PATCH] = {embedded_##name##_patch_begin, embedded_##name##_patch_end}
#define FORM_EMULATE(name)                                                                         \
  [CODE_PTX_EMULATE] = {embedded_##name##_emulate_begin, embedded_##name##_emulate_end}

static const struct {
  embedded forms[CODE_FORM_COUNT];
  const char *reason;
} modules[] = {
#define MODULE(name) {{FORM_SPIRV(name), FORM_PATCH(name), FORM_EMULATE(name)}, NULL},
#define MODULE_SPIRV(name, reason) {{FORM_SPIRV(name)}, reason},
#define MODULE_EMULATE(name, reason) {{FORM_EMULATE(name)}, reason},
#include "modules.def"
};

module module_in_form(module_index index) {
  const embedded *embedded = &modules[index].forms[code_in_use];
  if (!embedded->begin)
    skip_test("%s", modules[index].reason);
  return (module){embedded->begin, (size_t)(embedded->end - embedded->begin)};
}
