#include "note.h"

#include <stdlib.h>
#include <string.h>

specpi_compiler_result note_read(LLVMValueRef function, const char *kind, note *ret) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  const unsigned id = LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind));
  *ret = (note){0};
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
  LLVMValueRef node = NULL;
  for (unsigned i = 0; i < count; i++)
    if (LLVMValueMetadataEntriesGetKind(entries, i) == id)
      node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(entries, i));
  LLVMDisposeValueMetadataEntries(entries);
  const unsigned length = node != NULL ? LLVMGetMDNodeNumOperands(node) : 0;
  if (length == 0)
    return SPECPI_COMPILER_SUCCESS;
  ret->operands = calloc(length, sizeof *ret->operands);
  if (ret->operands == NULL)
    return compiler_error_memory();
  LLVMGetMDNodeOperands(node, ret->operands);
  ret->count = length;
  return SPECPI_COMPILER_SUCCESS;
}

void note_free(note *freed) {
  free(freed->operands);
  *freed = (note){0};
}

void note_move_all(LLVMValueRef from, LLVMValueRef to) {
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
  for (unsigned i = 0; i < count; i++)
    LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                          LLVMValueMetadataEntriesGetMetadata(entries, i));
  LLVMDisposeValueMetadataEntries(entries);
  LLVMGlobalClearMetadata(from);
}
