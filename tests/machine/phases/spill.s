// 30 scalars are live into b1, 27 fit: three are stored, and loaded where they are added.
// REQUIRES: phases, nyuzi
// RUN: %phases spill %s | %expect %S/spill.out
.target nyuzi
b0:
   .logical -> b1
   .linear -> b1
   p_start %1:s1@s1, %2:v1@v0 =
   load_32 %10:s1 = %1:s1 imm:40
   load_32 %11:s1 = %1:s1 imm:44
   load_32 %12:s1 = %1:s1 imm:48
   load_32 %13:s1 = %1:s1 imm:52
   load_32 %14:s1 = %1:s1 imm:56
   load_32 %15:s1 = %1:s1 imm:60
   load_32 %16:s1 = %1:s1 imm:64
   load_32 %17:s1 = %1:s1 imm:68
   load_32 %18:s1 = %1:s1 imm:72
   load_32 %19:s1 = %1:s1 imm:76
   load_32 %20:s1 = %1:s1 imm:80
   load_32 %21:s1 = %1:s1 imm:84
   load_32 %22:s1 = %1:s1 imm:88
   load_32 %23:s1 = %1:s1 imm:92
   load_32 %24:s1 = %1:s1 imm:96
   load_32 %25:s1 = %1:s1 imm:100
   load_32 %26:s1 = %1:s1 imm:104
   load_32 %27:s1 = %1:s1 imm:108
   load_32 %28:s1 = %1:s1 imm:112
   load_32 %29:s1 = %1:s1 imm:116
   load_32 %30:s1 = %1:s1 imm:120
   load_32 %31:s1 = %1:s1 imm:124
   load_32 %32:s1 = %1:s1 imm:128
   load_32 %33:s1 = %1:s1 imm:132
   load_32 %34:s1 = %1:s1 imm:136
   load_32 %35:s1 = %1:s1 imm:140
   load_32 %36:s1 = %1:s1 imm:144
   load_32 %37:s1 = %1:s1 imm:148
   load_32 %38:s1 = %1:s1 imm:152
   load_32 %39:s1 = %1:s1 imm:156
b1:
   .logical b0
   .linear b0
   add_i %50:s1 = %1:s1, %10:s1
   add_i %51:s1 = %50:s1, %11:s1
   add_i %52:s1 = %51:s1, %12:s1
   add_i %53:s1 = %52:s1, %13:s1
   add_i %54:s1 = %53:s1, %14:s1
   add_i %55:s1 = %54:s1, %15:s1
   add_i %56:s1 = %55:s1, %16:s1
   add_i %57:s1 = %56:s1, %17:s1
   add_i %58:s1 = %57:s1, %18:s1
   add_i %59:s1 = %58:s1, %19:s1
   add_i %60:s1 = %59:s1, %20:s1
   add_i %61:s1 = %60:s1, %21:s1
   add_i %62:s1 = %61:s1, %22:s1
   add_i %63:s1 = %62:s1, %23:s1
   add_i %64:s1 = %63:s1, %24:s1
   add_i %65:s1 = %64:s1, %25:s1
   add_i %66:s1 = %65:s1, %26:s1
   add_i %67:s1 = %66:s1, %27:s1
   add_i %68:s1 = %67:s1, %28:s1
   add_i %69:s1 = %68:s1, %29:s1
   add_i %70:s1 = %69:s1, %30:s1
   add_i %71:s1 = %70:s1, %31:s1
   add_i %72:s1 = %71:s1, %32:s1
   add_i %73:s1 = %72:s1, %33:s1
   add_i %74:s1 = %73:s1, %34:s1
   add_i %75:s1 = %74:s1, %35:s1
   add_i %76:s1 = %75:s1, %36:s1
   add_i %77:s1 = %76:s1, %37:s1
   add_i %78:s1 = %77:s1, %38:s1
   add_i %79:s1 = %78:s1, %39:s1
   store_32 %79:s1, %1:s1
