; Code of -O0 with typed pointers: names and defaults go through stack slots and casts.
; RUN: %lower --mode=native %s | FileCheck %s
; RUN: %lower --mode=native --emit=bc %s -o %t.bc
; RUN: %spirv %t.bc -o %t.spv
; RUN: spirv-val %t.spv
target triple = "spir64-unknown-unknown"

%pair = type { i32, float }
%id.i32 = type { i32 }
%id.pair = type { %pair }
%holder = type { i64, i8 addrspace(4)* }

; CHECK-NOT: c"gone\00"
; CHECK: c"kept\00"
; CHECK-NOT: c"field\00"
@n.gone = private unnamed_addr addrspace(1) constant [5 x i8] c"gone\00"
@n.kept = private unnamed_addr addrspace(1) constant [5 x i8] c"kept\00"
@n.field = private unnamed_addr addrspace(1) constant [6 x i8] c"field\00"
@d.i32 = internal addrspace(1) constant %id.i32 { i32 1 }
@d.pair = internal addrspace(1) constant %id.pair { %pair { i32 2, float 3.0 } }

declare i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(i8 addrspace(4)*, i8 addrspace(4)*, i8 addrspace(4)*)
declare void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_PKcPKvS5_(%pair addrspace(4)* sret(%pair), i8 addrspace(4)*, i8 addrspace(4)*, i8 addrspace(4)*)
declare spir_func void @look(i8 addrspace(4)*)

; CHECK-LABEL: define spir_func i32 @gone(
; CHECK-NOT: store {{i8 addrspace\(4\)\*|ptr addrspace\(4\)}} addrspacecast
; CHECK-NOT: %name
; CHECK: %[[V:.*]] = call spir_func i32 @_Z20__spirv_SpecConstantii(i32 0, i32 1)
; CHECK: ret i32 %[[V]]
define spir_func i32 @gone(i8 addrspace(4)* %buffer) {
  %slot = alloca i8 addrspace(4)*, align 8
  %buffer.slot = alloca i8 addrspace(4)*, align 8
  %cast = addrspacecast i8 addrspace(4)** %slot to i8 addrspace(4)* addrspace(4)*
  %buffer.cast = addrspacecast i8 addrspace(4)** %buffer.slot to i8 addrspace(4)* addrspace(4)*
  store i8 addrspace(4)* %buffer, i8 addrspace(4)* addrspace(4)* %buffer.cast, align 8
  store i8 addrspace(4)* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([5 x i8], [5 x i8] addrspace(1)* @n.gone, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)* addrspace(4)* %cast, align 8
  %name = load i8 addrspace(4)*, i8 addrspace(4)* addrspace(4)* %cast, align 8
  %default = bitcast %id.i32 addrspace(4)* addrspacecast (%id.i32 addrspace(1)* @d.i32 to %id.i32 addrspace(4)*) to i8 addrspace(4)*
  %passed = load i8 addrspace(4)*, i8 addrspace(4)* addrspace(4)* %buffer.cast, align 8
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(i8 addrspace(4)* %name, i8 addrspace(4)* %default, i8 addrspace(4)* %passed)
  ret i32 %v
}

; Another function uses the name, too.
; CHECK-LABEL: define spir_func i32 @kept(
; CHECK: store {{i8 addrspace\(4\)\*|ptr addrspace\(4\)}} {{.*}}@n.kept
; CHECK: call spir_func i32 @_Z20__spirv_SpecConstantii(i32 1, i32 1)
; CHECK: call spir_func void @look(
define spir_func i32 @kept() {
  %slot = alloca i8 addrspace(4)*, align 8
  store i8 addrspace(4)* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([5 x i8], [5 x i8] addrspace(1)* @n.kept, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)** %slot, align 8
  %name = load i8 addrspace(4)*, i8 addrspace(4)** %slot, align 8
  %v = call i32 @_Z37__sycl_getScalar2020SpecConstantValueIiET_PKcPKvS4_(i8 addrspace(4)* %name, i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (%id.i32 addrspace(1)* @d.i32 to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  call spir_func void @look(i8 addrspace(4)* %name)
  ret i32 %v
}

; A slot inside of a structure feeds two calls; the first one stores its result elsewhere.
; CHECK-LABEL: define spir_func void @field(
; CHECK-NOT: store {{i8 addrspace\(4\)\*|ptr addrspace\(4\)}} addrspacecast
; CHECK: %[[C1:.*]] = call spir_func %pair @_Z29__spirv_SpecConstantCompositeif_Rpair(
; CHECK-NEXT: store %pair %[[C1]], {{%pair addrspace\(4\)\*|ptr addrspace\(4\)}} %{{.*}}, align 4
; CHECK: %[[C2:.*]] = call spir_func %pair @_Z29__spirv_SpecConstantCompositeif_Rpair(
; CHECK-NEXT: store %pair %[[C2]], {{%pair addrspace\(4\)\*|ptr addrspace\(4\)}} %{{.*}}, align 4
; CHECK-NEXT: ret void
define spir_func void @field() {
  %holder = alloca %holder, align 8
  %one = alloca %pair, align 4
  %two = alloca %pair, align 4
  %one.cast = addrspacecast %pair* %one to %pair addrspace(4)*
  %two.cast = addrspacecast %pair* %two to %pair addrspace(4)*
  %member = getelementptr inbounds %holder, %holder* %holder, i32 0, i32 1
  store i8 addrspace(4)* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([6 x i8], [6 x i8] addrspace(1)* @n.field, i64 0, i64 0) to i8 addrspace(4)*), i8 addrspace(4)** %member, align 8
  %name1 = load i8 addrspace(4)*, i8 addrspace(4)** %member, align 8
  call void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_PKcPKvS5_(%pair addrspace(4)* sret(%pair) %one.cast, i8 addrspace(4)* %name1, i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (%id.pair addrspace(1)* @d.pair to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  %again = getelementptr inbounds %holder, %holder* %holder, i32 0, i32 1
  %name2 = load i8 addrspace(4)*, i8 addrspace(4)** %again, align 8
  call void @_Z40__sycl_getComposite2020SpecConstantValueI4pairET_PKcPKvS5_(%pair addrspace(4)* sret(%pair) %two.cast, i8 addrspace(4)* %name2, i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (%id.pair addrspace(1)* @d.pair to i8 addrspace(1)*) to i8 addrspace(4)*), i8 addrspace(4)* null)
  ret void
}
