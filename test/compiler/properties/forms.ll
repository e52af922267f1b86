; The properties for a runtime, as a .prop file and as JSON.
; RUN: %lower --mode=native --emit=prop %s | FileCheck %s --check-prefix=NATIVE --match-full-lines
; RUN: %lower --mode=native --emit=json %s | FileCheck %s --check-prefix=JSON --match-full-lines
; RUN: %lower --mode=emulate --emit=prop %s | FileCheck %s --check-prefix=EMULATE --match-full-lines
; RUN: %lower --mode=emulate --emit=json %s | FileCheck %s --check-prefix=BUFFER
; RUN: %lower --mode=default --emit=prop %s | FileCheck %s --check-prefix=DEFAULT --match-full-lines
; RUN: %lower --mode=native --emit=prop --target=spir64 %S/../native/Inputs/empty.ll | count 0
; NATIVE:      [SYCL/specialization constants]
; NATIVE-NEXT: flag=2|gBAAAAAAAAAAAAAAAAAAAEAAAAA
; NATIVE-NEXT: number=2|gBAAAAAAAAQAAAAAAAAAAQAAAAA
; NATIVE-NEXT: [SYCL/specialization constants default values]
; NATIVE-NEXT: all=2|oAAAAAAAAAQAENjIRA
; JSON: {"constants": [{"name": "flag", "kind": "scalar", "descriptors": [{"id": 0, "offset": 0, "size": 1}], "default": "01"}, {"name": "number", "kind": "scalar", "descriptors": [{"id": 1, "offset": 0, "size": 4}], "default": "44332211"}], "defaults": "0144332211", "buffer": []}
; EMULATE:      [SYCL/specialization constants]
; EMULATE-NEXT: flag=2|ADAAAAAAAAAAAAAAAAAAAEAAAAw/////BAAAAMAAAAA
; EMULATE-NEXT: number=2|gBAAAAAAAAQAAAAAAAAAAQAAAAA
; EMULATE:      [specpi/buffer arguments]
; EMULATE-NOT:  {{.+}}
; BUFFER: "defaults": "0100000044332211", "buffer": [{"id": 0, "offset": 0, "size": 1}, {"id": 1, "offset": 4, "size": 4}]}
; DEFAULT:      [SYCL/misc properties]
; DEFAULT-NEXT: specConstsReplacedWithDefault=1|1
target triple = "spir64-unknown-unknown"
%id.i8 = type { i8 }
%id.i32 = type { i32 }
@n.flag = private constant [5 x i8] c"flag\00"
@n.number = private constant [7 x i8] c"number\00"
@d.flag = internal constant %id.i8 { i8 1 }
@d.number = internal constant %id.i32 { i32 287454020 }
declare i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr, ptr, ptr)
declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr, ptr, ptr)
define i32 @k(ptr %buffer) {
  %f = call i1 @_Z37__sycl_getScalar2020SpecConstantValueIbET_(ptr @n.flag, ptr @d.flag, ptr %buffer)
  %n = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_(ptr @n.number, ptr @d.number, ptr %buffer)
  %s = select i1 %f, i32 %n, i32 0
  ret i32 %s
}
