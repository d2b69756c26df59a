// SPDX-License-Identifier: MIT
// Structures in global memory, by value as arguments, nested, with arrays, unions and packed members.
//: global 32
//: local 32
//: arg io u8*768=random:219
//: arg i32*2=3,-5 f32*2=0.5,0 u8*16=9,8,7,6,5,4,3,2,1,0,1,2,3,4,5,6
//: arg out i32*32
typedef struct {
   int id;
   char name[5];
   short flags;
   union {
      float f;
      int i;
   } value;
   long big;
} item;

typedef struct {
   int2 step;
   float scale;
   uchar table[16];
} settings;

kernel void structures(global item *items, settings s, global int *b)
{
   size_t i = get_global_id(0);
   item x = items[i];
   int sum = x.id + x.name[i % 5] * s.step.x + x.flags;

   x.value.i ^= s.table[i & 15] << 3;
   x.big += x.value.i * (long)s.step.y;
   x.name[2] = (char)sum;
   if (s.scale < 1.0f)
      x.flags = ~x.flags;
   items[i] = x;
   b[i] = sum + (int)(x.big >> 33);
}
