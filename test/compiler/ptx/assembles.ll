; REQUIRES: ptxas
; RUN: %lower --mode=emulate --emit=ptx %S/emulate.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --emit=ptx -O 0 %S/emulate.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx %S/spir.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 %S/spir.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=patch --target=nvptx64 --emit=ptx %S/spir_typed.ll -o %t.ptx
; RUN: %ptxas %t.ptx -o %t.cubin
; RUN: %lower --mode=default --target=nvptx64 --emit=ptx -O 0 %S/debug.ll -o %t.ptx
; RUN: %ptxas -g %t.ptx -o %t.cubin
