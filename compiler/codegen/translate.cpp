#include "translate.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <LLVMSPIRVLib/LLVMSPIRVOpts.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>
#include <sstream>

extern "C" char *translate_spirv(const void *module, std::size_t size, std::size_t *ret_size,
                                 char *message, std::size_t message_size) {
  SPIRV::TranslatorOpts options(SPIRV::VersionNumber::MaximumVersion);
  options.enableAllExtensions();
  options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL20);
  std::istringstream input(std::string(static_cast<const char *>(module), size));
  llvm::LLVMContext context;
  context.setOpaquePointers(false); /* the translator needs the pointee types of built-in values */
  llvm::Module *read = nullptr;
  std::string why;
  const bool done = llvm::readSpirv(context, options, input, read, why);
  const std::unique_ptr<llvm::Module> made(read);
  if (!done || !made) {
    std::snprintf(message, message_size, "%s", why.c_str());
    return nullptr;
  }
  std::string bitcode;
  llvm::raw_string_ostream output(bitcode);
  llvm::WriteBitcodeToFile(*made, output);
  output.flush();
  char *copy = static_cast<char *>(std::malloc(bitcode.size()));
  if (!copy) {
    std::snprintf(message, message_size, "no memory for %zu bytes of bitcode", bitcode.size());
    return nullptr;
  }
  std::copy(bitcode.begin(), bitcode.end(), copy);
  *ret_size = bitcode.size();
  return copy;
}
