; REQUIRES: ptxas
; RUN: %lower --mode=patch --emit=ptx %S/scalars.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --emit=ptx -O 0 %S/scalars.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
