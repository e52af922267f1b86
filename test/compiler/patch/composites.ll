; Composites are assembled from their scalars, by value and through a pointer. Holes stay undefined and
; take an id, padding takes none. The modules are those of mode native.
; RUN: %lower --mode=patch --target=nvptx64 %S/../native/structs.ll | FileCheck %s --check-prefix=STRUCTS
; STRUCTS: %[[A:.*]] = call i32 asm "mov.b32 $0, 0x00000007; //specpi:0", "=r"()
; STRUCTS-NEXT: %[[P:.*]] = getelementptr i8, ptr %tail.slot, i32 0
; STRUCTS-NEXT: store i32 %[[A]], ptr %[[P]], align 4
; STRUCTS-NEXT: %[[B:.*]] = call i16 asm "mov.b16 $0, 0x08; //specpi:1", "=h"()
; STRUCTS-NEXT: %[[C:.*]] = trunc i16 %[[B]] to i8
; STRUCTS-NEXT: %[[Q:.*]] = getelementptr i8, ptr %tail.slot, i32 4
; STRUCTS-NEXT: store i8 %[[C]], ptr %[[Q]], align 4
; STRUCTS: getelementptr i8, ptr %outer.slot, i32 0
; STRUCTS: getelementptr i8, ptr %outer.slot, i32 4
; STRUCTS: getelementptr i8, ptr %outer.slot, i32 8
; STRUCTS: getelementptr i8, ptr %outer.slot, i32 12
; STRUCTS: getelementptr i8, ptr %outer.slot, i32 16
; STRUCTS: insertvalue %packed{{.*}} undef, i8 %{{.*}}, 0
; STRUCTS: insertvalue %packed{{.*}}, i32 %{{.*}}, 1
; STRUCTS: insertvalue %packed{{.*}}, [3 x i8] %{{.*}}, 2
; STRUCTS-NEXT: store %packed{{.*}} %{{.*}}, ptr addrspace(1) %out, align 1
; STRUCTS: %[[D:.*]] = call i64 asm "mov.b64 $0, 0x0000000000000000; //specpi:16", "=l"()
; STRUCTS-NEXT: %[[E:.*]] = bitcast i64 %[[D]] to double
; STRUCTS-NEXT: %[[R:.*]] = getelementptr i8, ptr %mixed.slot, i32 16
; STRUCTS-NEXT: store double %[[E]], ptr %[[R]], align 8
; STRUCTS: !{!"tail", i32 0, i32 0, i32 4, i32 1, i32 4, i32 1, i32 -1, i32 5, i32 3}

; RUN: %lower --mode=patch --target=nvptx64 %S/../native/holes.ll | FileCheck %s --check-prefix=HOLES
; HOLES: //specpi:1"
; HOLES: insertvalue %middle{{.*}}, [3 x i8] {{undef|poison}}, 2
; HOLES-NEXT: call i32 asm "mov.b32 $0, 0x00000003; //specpi:3", "=r"()
; HOLES: !{!"middle", i32 0, i32 0, i32 4, i32 1, i32 4, i32 1, i32 3, i32 8, i32 4, i32 4, i32 12, i32 1, i32 -1, i32 13, i32 3}
; HOLES-NEXT: !{!"first", i32 7, i32 4, i32 4}

; RUN: %lower --mode=patch --target=nvptx64 %S/../native/vectors.ll | FileCheck %s --check-prefix=VECTORS
; VECTORS: %[[A:.*]] = insertelement <3 x float> undef, float %{{.*}}, i32 0
; VECTORS: %[[B:.*]] = insertelement <3 x float> %[[A]], float %{{.*}}, i32 1
; VECTORS: insertvalue [2 x <3 x i32>] undef, <3 x i32> %{{.*}}, 0

; In this mode the functions of SYCL 1.2.1 have ids; an alloca's number of elements has none.
; RUN: %lower --mode=patch --target=nvptx64 %S/../native/legacy.ll | FileCheck %s --check-prefix=LEGACY
; LEGACY: !{!"b", i32 0, i32 0, i32 1}
; LEGACY: !{!"p", i32 1, i32 0, i32 4, i32 2, i32 4, i32 1, i32 -1, i32 5, i32 3}
; RUN: %lower --mode=patch --target=nvptx64 %S/../native/alloca.ll | FileCheck %s --check-prefix=ALLOCA
; ALLOCA: alloca float, i64 10, align 16
; ALLOCA: !sycl.specialization-constants = !{}

; Clang's output without optimization.
; RUN: %lower --mode=patch --target=nvptx64 %S/../native/unoptimized.ll | FileCheck %s --check-prefix=O0
; O0: define {{.*}}@gone(
; O0: call i32 asm "mov.b32 $0, 0x00000001; //specpi:0", "=r"()
; O0: define {{.*}}@field(
; O0: //specpi:2"
; O0: //specpi:3"
; O0: store
; O0: //specpi:2"
; O0: //specpi:3"

; If a name has two defaults, the text has the first.
; RUN: %lower --mode=patch --target=nvptx64 %S/../native/many_defaults.ll 2>&1 | FileCheck %s --check-prefix=MANY
; MANY: warning: function 'k': constant 'n' has another default than at its first use, which counts
; MANY: call i32 asm "mov.b32 $0, 0x00000001; //specpi:0", "=r"()
; MANY-NEXT: call i32 asm "mov.b32 $0, 0x00000001; //specpi:0", "=r"()
