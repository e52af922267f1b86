; REQUIRES: ptxas
; RUN: %lower --mode=emulate --emit=ptx %S/emulate.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --emit=ptx -O 0 %S/emulate.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
