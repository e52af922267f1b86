#include "optimize.h"

#include "../passes_run.h"
#include "../simplify.h"
#include "inline_calls.h"
#include "unroll_hints.h"

#include <llvm-c/Support.h>
#include <pthread.h>

/*
 * The pipeline of levels 2 and 3. It is LLVM's default for one module, without the passes that make
 * GPU code worse (simplify.h). Loops are not vectorised. They are unrolled only once, after all
 * other simplification. docs/internals/bench.md compares with nvcc -O3.
 */
#define SIMPLIFY                                                                                   \
  SIMPLIFY_FUNCTION("speculative-execution,", "simple-loop-unswitch<nontrivial>",                  \
                    "loop-idiom,indvars,loop-deletion,loop-unroll-full")
#define UNROLL_LOOPS                                                                               \
  "float2int,lower-constant-intrinsics,loop(loop-rotate,loop-deletion),loop-load-elim,"            \
  "instcombine," SIMPLIFY_MERGE_BLOCKS ",vector-combine,instcombine,loop-unroll<O3>,"              \
  "instcombine,loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,simplifycfg"
#define BEGIN_MODULE "function(nvvm-reflect)," SIMPLIFY_MODULE(SIMPLIFY)
#define FINISH_MODULE                                                                              \
  "deadargelim,globalopt,globaldce,rpo-function-attrs,function(" UNROLL_LOOPS                      \
  "),globaldce,constmerge"

/*
 * Sets LLVM's options for unrolling. The thresholds are high enough that arrays which a loop
 * indexes become registers. Loops of unknown count are unrolled by four so that their loads
 * overlap, and not by more because the remaining steps run one by one. unroll_hints.h has the
 * exceptions.
 *
 * The options of instcombine and dse end searches that find nothing: of 264 modules of dpctl, 262
 * have the same PTX without them. instcombine would run again to see that nothing is left, and dse
 * would compare each store with the 150 memory accesses before it.
 *
 * The text of a pipeline cannot set these options, which are global to the process.
 */
static void set_options(void) {
  static const char *const words[] = {"specpi-compiler",
                                      "-unroll-threshold=3000",
                                      "-unroll-partial-threshold=160",
                                      "-unroll-max-count=4",
                                      "-scev-cheap-expansion-budget=20",
                                      "-instcombine-max-iterations=1",
                                      "-dse-memoryssa-walklimit=20",
                                      "-dse-memoryssa-scanlimit=30"};
  LLVMParseCommandLineOptions(sizeof words / sizeof words[0], words, NULL);
}

/*
 * Passes before inline_calls, passes that run only if it has inlined any, and passes after that.
 */
typedef struct level_passes {
  const char *before, *inlined, *after;
} level_passes;

static specpi_compiler_result run_level(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                        unsigned level, const level_passes *passes) {
  bool is_changed;
  COMPILER_TRY(passes_run(module, machine, passes->before, "optimise"));
  COMPILER_TRY(inline_calls(module, machine, &is_changed));
  if (is_changed)
    COMPILER_TRY(passes_run(module, machine, passes->inlined, "optimise"));
  if (level == 2)
    COMPILER_TRY(unroll_hints_settle(module));
  return passes_run(module, machine, passes->after, "optimise");
}

specpi_compiler_result optimize_module(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                       unsigned level) {
  static const level_passes levels[] = {
      [1] = {"default<O1>", "function(sroa,early-cse,instcombine,simplifycfg)", "globaldce"},
      [2] = {BEGIN_MODULE, "function(" SIMPLIFY ")", FINISH_MODULE},
      [3] = {BEGIN_MODULE, "function(" SIMPLIFY ")", FINISH_MODULE},
  };
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (level == 0) /* removes unused functions even here */
    return passes_run(module, machine, "default<O0>,globaldce", "optimise");
  if (level >= 2) {
    pthread_once(&once, set_options);
    COMPILER_TRY(unroll_hints_write(module, machine, level));
  }
  return run_level(module, machine, level, &levels[level]);
}
