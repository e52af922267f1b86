target triple = "spir64-unknown-unknown"
declare ptr addrspace(3) @__specpi_local_memory()
define spir_func i32 @_Z6sharedv() "llvm.assume"="specpi.external" {
  %m = call ptr addrspace(3) @__specpi_local_memory()
  %v = load i32, ptr addrspace(3) %m
  ret i32 %v
}
