/* SPDX-License-Identifier: MIT */
/* barrier.c - scopes and memory semantics, barriers. */
#include "heddle/build_intrinsics.h"
#include "spirv/body.h"

/* Bits of memory semantics */
#define ACQUIRE         0x2u
#define RELEASE         0x4u
#define ACQUIRE_RELEASE 0x8u
#define SEQUENTIAL      0x10u
#define UNIFORM         0x40u
#define SUBGROUP        0x80u
#define WORKGROUP       0x100u
#define CROSS_WORKGROUP 0x200u
#define ATOMIC_COUNTER  0x400u
#define IMAGE           0x800u

hd_scope
hd_spirv_scope(struct spirv *s, uint32_t id)
{
   uint64_t scope;

   /* One that is only known when it runs reaches everybody. */
   if (!hd_spirv_is_constant(s, id, &scope))
      return HD_SCOPE_SYSTEM;
   switch (scope) {
   case SPV_SCOPE_CROSS_DEVICE:
      return HD_SCOPE_SYSTEM;
   case SPV_SCOPE_DEVICE:
   case SPV_SCOPE_QUEUE_FAMILY:
      return HD_SCOPE_DEVICE;
   case SPV_SCOPE_WORKGROUP:
      return HD_SCOPE_WORKGROUP;
   case SPV_SCOPE_SUBGROUP:
      return HD_SCOPE_SUBGROUP;
   case SPV_SCOPE_INVOCATION:
      return HD_SCOPE_INVOCATION;
   default:
      hd_spirv_unsupported(s, "scope %llu", (unsigned long long)scope);
   }
}

static uint32_t
memory_of(uint32_t semantics)
{
   uint32_t memory = 0;

   if (semantics & (UNIFORM | CROSS_WORKGROUP | ATOMIC_COUNTER))
      memory |= HD_MEMORY_BUFFER | HD_MEMORY_GLOBAL;
   if (semantics & (WORKGROUP | SUBGROUP))
      memory |= HD_MEMORY_SHARED;
   if (semantics & IMAGE)
      memory |= HD_MEMORY_IMAGE;
   return memory;
}

/* What is asked for, of what `allowed` lets through. */
static void
emit(struct spirv *s, hd_scope exec, uint32_t scope_id, uint32_t semantics_id, uint32_t allowed)
{
   uint64_t asked;
   uint32_t semantics = 0;
   hd_scope scope = hd_spirv_scope(s, scope_id);

   if (!hd_spirv_is_constant(s, semantics_id, &asked))
      asked = SEQUENTIAL | UNIFORM | WORKGROUP | CROSS_WORKGROUP | IMAGE;
   if (asked & (ACQUIRE | ACQUIRE_RELEASE | SEQUENTIAL))
      semantics |= HD_SEMANTICS_ACQUIRE;
   if (asked & (RELEASE | ACQUIRE_RELEASE | SEQUENTIAL))
      semantics |= HD_SEMANTICS_RELEASE;
   semantics &= allowed;
   uint32_t memory = memory_of((uint32_t)asked);
   if (!semantics || !memory || scope <= HD_SCOPE_INVOCATION) {
      semantics = memory = 0;
      scope = HD_SCOPE_NONE;
   }
   if (exec != HD_SCOPE_NONE || semantics)
      hd_barrier(&s->b, exec, scope, semantics, memory);
}

void
hd_spirv_fence(struct spirv *s, unsigned exec_scope, uint32_t scope_id, uint32_t semantics_id)
{
   emit(s, (hd_scope)exec_scope, scope_id, semantics_id, HD_SEMANTICS_ALL);
}

void
hd_spirv_release(struct spirv *s, uint32_t scope_id, uint32_t semantics_id)
{
   emit(s, HD_SCOPE_NONE, scope_id, semantics_id, HD_SEMANTICS_RELEASE);
}

void
hd_spirv_acquire(struct spirv *s, uint32_t scope_id, uint32_t semantics_id)
{
   emit(s, HD_SCOPE_NONE, scope_id, semantics_id, HD_SEMANTICS_ACQUIRE);
}

void
hd_spirv_control_barrier(struct spirv *s, const struct spirv_instr *i)
{
   hd_scope exec = hd_spirv_scope(s, i->words[0]);

   if (exec > HD_SCOPE_WORKGROUP)
      hd_spirv_unsupported(s, "execution scopes wider than a workgroup");
   /* The lanes of a wave that get here are here together. */
   if (exec < HD_SCOPE_WORKGROUP)
      exec = HD_SCOPE_NONE;
   hd_spirv_fence(s, exec, i->words[1], i->words[2]);
}
