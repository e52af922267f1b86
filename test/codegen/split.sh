#!/bin/sh
# split.sh WHOLE OUT: splits each barrier of a SPIR-V module into an arrival and a wait, because llvm-spirv 15 cannot.
set -eu
spirv-dis --no-header --raw-id "$1" | sed \
  -e '0,/OpCapability/s//OpCapability SplitBarrierINTEL\n&/' \
  -e '0,/.*OpExtInstImport/s//OpExtension "SPV_INTEL_split_barrier"\n&/' \
  -e 's/OpControlBarrier \(.*\)/OpControlBarrierArriveINTEL \1\nOpControlBarrierWaitINTEL \1/' |
  spirv-as --target-env spv1.2 --preserve-numeric-ids - -o "$2"
