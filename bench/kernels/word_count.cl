// SPDX-License-Identifier: MIT
// A scanner as a machine of states that jumps from one to the next.
// workgroup 64 1 1
// workgroups 1 1 1
// u32[192] zero
// u8[4096] text
// u32 64
KERNEL(64) word_count(__global uint *restrict out, __global const uchar *restrict text, uint length)
{
   uint at = local_id * length, end = at + length;
   uint words = 0, runs = 0, longest = 0, size = 0;
   uchar c;

outside:
   if (at == end)
      goto done;
   c = text[at++];
   if (c == ' ')
      goto outside;
   words++;
   size = 1;
inside:
   if (at == end)
      goto finish;
   c = text[at++];
   if (c == ' ') {
      longest = max(longest, size);
      goto outside;
   }
   size++;
   if (c == 'b')
      goto run;
   goto inside;
run:
   runs++;
   if (at == end)
      goto finish;
   c = text[at++];
   if (c == 'b')
      goto run;
   if (c == ' ') {
      longest = max(longest, size);
      goto outside;
   }
   size++;
   goto inside;
finish:
   longest = max(longest, size);
done:
   out[local_id * 3] = words;
   out[local_id * 3 + 1] = runs;
   out[local_id * 3 + 2] = longest;
}
