/*
 * LLVM's passes that simplify a module, as texts for passes_run.h: those of its default pipeline,
 * without reassociate, because that drops no-overflow flags, so that each address of an array would
 * be computed separately.
 */
#ifndef COMPILER_SIMPLIFY_H
#define COMPILER_SIMPLIFY_H

#define SIMPLIFY_MERGE_BLOCKS "simplifycfg<hoist-common-insts;sink-common-insts>"

/* The passes of a function. speculation: passes before jumps are threaded, each with a comma, or
 * "". unswitch: the pass that takes conditions out of loops. loops: passes of each loop. */
#define SIMPLIFY_FUNCTION(speculation, unswitch, loops)                                            \
  "sroa,early-cse<memssa>," speculation "jump-threading,correlated-propagation,simplifycfg,"       \
  "instcombine,aggressive-instcombine,tailcallelim,simplifycfg,"                                   \
  "loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm," unswitch "),"              \
  "simplifycfg,instcombine,loop(" loops "),sroa,mldst-motion,gvn,sccp,bdce,instcombine,"           \
  "jump-threading,correlated-propagation,adce,memcpyopt,dse,loop-mssa(licm)"                       \
  "," SIMPLIFY_MERGE_BLOCKS ",instcombine"

/* The passes of a module, with those of each function. */
#define SIMPLIFY_MODULE(function)                                                                  \
  "inferattrs,function(simplifycfg,sroa,early-cse),ipsccp,globalopt,function(mem2reg),"            \
  "deadargelim,function(instcombine,simplifycfg),"                                                 \
  "cgscc(devirt<4>(inline,function-attrs,function(" function ")))"

#endif
