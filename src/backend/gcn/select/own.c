/* SPDX-License-Identifier: MIT */
/* own.c - instruction selection of a driver's own intrinsics: its hook emits instructions with the emitter
 * of gcn_emit.h, which numbers operands and checks all arguments.
 */
#include "backend/gcn/select/alu.h"
#include "heddle/gcn_emit.h"
#include "heddle/ops.h"

#include "machine/emitted.h"

#include <string.h>

struct hd_gcn_emitter {
   hd_mach_emitted made;
   hd_gcn_selector *s;
   bool writes_scc; /* the last instruction that did either */
};

static const hd_gcn_emit_value NO_VALUE = { 0 };

bool
hd_gcn_emit_refuse(hd_gcn_emitter *e, const char *why)
{
   return hd_mach_emitted_refuse(&e->made, why);
}

/* Values */

static hd_gcn_emit_value
new_value(hd_gcn_emitter *e, hd_mach_operand operand)
{
   return (hd_gcn_emit_value){ hd_mach_emitted_add(&e->made, operand, false) };
}

hd_gcn_gen
hd_gcn_emit_target(const hd_gcn_emitter *e)
{
   return hd_gcn_target_in(e->s->p)->gen;
}

/* In registers: no instruction takes a constant for one. */
static hd_mach_operand
mask_of(hd_gcn_emitter *e, const hd_def *def)
{
   const hd_mach_operand mask = hd_gcn_as_mask(e->s, def);

   if (hd_gcn_is_mask(e->s, mask))
      return mask;
   const hd_mach_operand copy = hd_gcn_new_mask(e->s);
   hd_gcn_emit1(e->s, HD_GCN_S_MOV_B64, copy, mask);
   return copy;
}

hd_gcn_emit_value
hd_gcn_emit_src(hd_gcn_emitter *e, unsigned operand, unsigned component)
{
   if (operand >= e->made.info->num_srcs ||
       component >= e->made.intrinsic->src[operand].def->num_components) {
      hd_gcn_emit_refuse(
          e, "the hook asks for an operand or component that the intrinsic does not have");
      return NO_VALUE;
   }
   const hd_def *def = e->made.intrinsic->src[operand].def;
   if (def->bit_size == 1 && def->num_components > 1) {
      hd_gcn_emit_refuse(e, "unsupported operand: a vector of booleans");
      return NO_VALUE;
   }
   return new_value(e,
                    def->bit_size == 1 ? mask_of(e, def) : hd_gcn_component(e->s, def, component));
}

hd_gcn_emit_value
hd_gcn_emit_constant(hd_gcn_emitter *e, uint32_t bits)
{
   return new_value(e, hd_gcn_imm(e->s, bits));
}

bool
hd_gcn_emit_is_scalar(const hd_gcn_emitter *e, hd_gcn_emit_value value)
{
   const hd_mach_emitted_value *v = hd_mach_emitted_at(&e->made, value.number);

   return v && v->operand.size && hd_gcn_file_of(e->s, v->operand) == HD_GCN_SGPR &&
          !hd_gcn_is_mask(e->s, v->operand);
}

static hd_gcn_emit_value
to_file(hd_gcn_emitter *e, hd_gcn_file file, hd_gcn_emit_value value)
{
   const hd_mach_emitted_value *v = hd_mach_emitted_at(&e->made, value.number);

   if (!v) {
      hd_gcn_emit_refuse(e, "the hook copies an invalid value");
      return NO_VALUE;
   }
   if (hd_gcn_is_mask(e->s, v->operand)) {
      hd_gcn_emit_refuse(e, "the hook copies a mask, expected a value of one dword for each lane");
      return NO_VALUE;
   }
   return new_value(e, hd_gcn_to_file(e->s, file, v->operand));
}

hd_gcn_emit_value
hd_gcn_emit_to_vgpr(hd_gcn_emitter *e, hd_gcn_emit_value value)
{
   return to_file(e, HD_GCN_VGPR, value);
}

hd_gcn_emit_value
hd_gcn_emit_to_sgpr(hd_gcn_emitter *e, hd_gcn_emit_value value)
{
   return to_file(e, HD_GCN_SGPR, value);
}

/* Instructions */

unsigned
hd_gcn_op_number(hd_gcn_gen gen, const char *name)
{
   for (unsigned op = 1; (unsigned)gen < HD_GCN_NUM_GENS && op < HD_GCN_NUM_OPS; op++) {
      const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
      const char *known = info->format == HD_GCN_PSEUDO ? NULL : hd_gcn_op_name(info, gen);
      if (known && !strcmp(known, name))
         return op;
   }
   return 0;
}

static bool
refuse_op(hd_gcn_emitter *e, const hd_gcn_op_info *info, const char *why)
{
   return hd_mach_emitted_refuse_op(&e->made, hd_gcn_op_name(info, hd_gcn_emit_target(e)), why);
}

static bool
is_alu(const hd_gcn_op_info *info)
{
   if (info->format == HD_GCN_SOPK)
      return info->imm == HD_GCN_IMM_HWREG && info->mach.num_defs;
   if (info->format == HD_GCN_DS)
      return info->mach.flags & HD_MACH_CROSS_LANE;
   return hd_gcn_is_salu(info) || hd_gcn_is_valu(info);
}

/* What it touches without naming it: scc, and exec to read. */
static const char *
fault_of_implicit(const hd_gcn_emitter *e, const hd_gcn_op_info *info)
{
   const unsigned num = (unsigned)info->mach.num_defs + info->mach.num_srcs;

   for (unsigned n = 0; n < num; n++) {
      const hd_mach_operand_info *operand = &info->mach.operands[n];
      const bool written = n < info->mach.num_defs;
      if (!(operand->kinds & HD_GCN_TAKES_IMPLICIT) || operand->kinds & HD_GCN_TAKES_BEFORE_GFX9)
         continue;
      if (operand->fixed == HD_GCN_EXEC
              ? written
              : operand->fixed != HD_GCN_SCC && operand->fixed != HD_GCN_VCC)
         return "it touches a register that no hook may";
      if (operand->fixed == HD_GCN_VCC)
         return "it touches vcc without naming it";
      if (operand->fixed == HD_GCN_SCC && !written && !e->writes_scc)
         return "it reads scc, which nothing before it has written";
   }
   return NULL;
}

static const char *
fault_of_op(const hd_gcn_emitter *e, const hd_gcn_op_info *info)
{
   const unsigned refused = HD_MACH_LOADS | HD_MACH_STORES | HD_MACH_BRANCHES | HD_MACH_ENDS;

   if (!is_alu(info) || info->mach.flags & refused ||
       (info->mach.flags & HD_MACH_SIDE_EFFECT && info->imm != HD_GCN_IMM_HWREG))
      return "no instruction of the scalar or vector ALU without effects";
   return fault_of_implicit(e, info);
}

static const char *
fault_of_src(const hd_gcn_emitter *e, const hd_gcn_op_info *info, unsigned n,
             hd_mach_operand operand)
{
   const hd_mach_operand_info *row = &info->mach.operands[info->mach.num_defs + n];
   const bool scalar = hd_gcn_is_salu(info) && info->format != HD_GCN_SOPK;
   const bool constant = hd_gcn_is_constant(operand);

   if (row->type == HD_GCN_MASK)
      return hd_gcn_is_mask(e->s, operand) ? NULL : "is no mask";
   if (hd_gcn_is_mask(e->s, operand) && !(scalar && row->size == 2))
      return "is a mask";
   if (operand.size != row->size && !(constant && operand.size == 1 && row->size == 1))
      return "has another number of registers";
   if ((scalar || !(row->kinds & HD_GCN_TAKES_VGPR)) &&
       hd_gcn_file_of(e->s, operand) == HD_GCN_VGPR)
      return "must be scalar: hd_gcn_emit_to_sgpr makes it so";
   return NULL;
}

static unsigned
num_named(const hd_gcn_op_info *info)
{
   unsigned num = 0;

   while (num < info->mach.num_srcs &&
          !(info->mach.operands[info->mach.num_defs + num].kinds & HD_GCN_TAKES_IMPLICIT))
      num++;
   return num;
}

/* Remember whether scc is what the hook's instructions left there. */
static void
note_scc(hd_gcn_emitter *e, const hd_gcn_op_info *info)
{
   for (unsigned n = 0; n < info->mach.num_defs; n++) {
      if (info->mach.operands[n].fixed == HD_GCN_SCC)
         e->writes_scc = true;
   }
}

/* Fresh values for what the text names as written; how many. */
static unsigned
make_defs(hd_gcn_emitter *e, const hd_gcn_op_info *info, hd_mach_operand *defs)
{
   unsigned num = 0;

   for (; num < info->mach.num_defs; num++) {
      const hd_mach_operand_info *row = &info->mach.operands[num];
      if (row->kinds & HD_GCN_TAKES_IMPLICIT)
         break;
      defs[num] = row->type == HD_GCN_MASK
                      ? hd_gcn_new_mask(e->s)
                      : hd_gcn_new(e->s, row->kinds & HD_GCN_TAKES_VGPR ? HD_GCN_VGPR : HD_GCN_SGPR,
                                   row->size);
   }
   return num;
}

bool
hd_gcn_emit_op(hd_gcn_emitter *e, unsigned op, unsigned num_srcs, const hd_gcn_emit_value *srcs,
               int32_t imm, hd_gcn_emit_value *result)
{
   hd_mach_operand operands[HD_GCN_MAX_OPERANDS], defs[HD_GCN_MAX_OPERANDS];
   char message[80];

   if (result)
      *result = NO_VALUE;
   if (e->made.failed)
      return false;
   if (!op || op >= HD_GCN_NUM_OPS || hd_gcn_op_infos[op].format == HD_GCN_PSEUDO ||
       !hd_gcn_op_name(&hd_gcn_op_infos[op], hd_gcn_emit_target(e)))
      return hd_gcn_emit_refuse(e, "the hook emits an instruction that this target does not have");
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const char *fault = fault_of_op(e, info);
   if (fault)
      return refuse_op(e, info, fault);
   if (imm < 0 || imm > 0xffff || (imm && info->imm == HD_GCN_IMM_NONE))
      return refuse_op(e, info, "invalid immediate");
   if (num_srcs != num_named(info))
      return refuse_op(e, info, "wrong number of operands");
   for (unsigned n = 0; n < num_srcs; n++) {
      const hd_mach_emitted_value *src = hd_mach_emitted_at(&e->made, srcs[n].number);
      fault = src ? fault_of_src(e, info, n, src->operand) : "does not exist";
      operands[n] = src ? src->operand : hd_gcn_nothing();
      if (fault) {
         snprintf(message, sizeof(message), "operand %u %s", n, fault);
         return refuse_op(e, info, message);
      }
   }
   const unsigned num_defs = make_defs(e, info, defs);
   hd_mach_inst *inst = hd_gcn_emit_full(e->s, op, num_defs, defs, num_srcs, operands, 0);
   inst->imm = imm;
   note_scc(e, info);
   if (result && num_defs)
      *result = new_value(e, defs[0]);
   return true;
}

static unsigned
num_results(const hd_gcn_emitter *e)
{
   const hd_def *def = hd_instr_def(&e->made.intrinsic->instr);

   return def ? def->num_components : 0;
}

bool
hd_gcn_emit_result(hd_gcn_emitter *e, unsigned component, hd_gcn_emit_value value)
{
   const hd_def *def = &e->made.intrinsic->instr.def;
   const hd_mach_emitted_value *v =
       hd_mach_emitted_result(&e->made, component, num_results(e), value.number);

   if (!v)
      return false;
   if (def->bit_size == 1
           ? !hd_gcn_is_mask(e->s, v->operand)
           : hd_gcn_is_mask(e->s, v->operand) || v->operand.size != (def->bit_size == 64 ? 2 : 1))
      return hd_gcn_emit_refuse(
          e, "the size of a result component that the hook sets is not that of the intrinsic");
   hd_mach_emitted_give(&e->made, component, v->operand);
   return true;
}

/* The results in the register file that users expect. */
static bool
take_results(hd_gcn_emitter *e)
{
   const hd_def *def = &e->made.intrinsic->instr.def;
   hd_gcn_selector *s = e->s;

   if (def->bit_size == 1 && def->num_components > 1)
      return hd_gcn_emit_refuse(e, "unsupported result: a vector of booleans");
   for (unsigned n = 0; def->bit_size != 1 && n < def->num_components; n++)
      e->made.results[n] = hd_gcn_to_file(
          s, s->known[def->index].scalar ? HD_GCN_SGPR : HD_GCN_VGPR, e->made.results[n]);
   hd_gcn_set_parts(s, def, e->made.results);
   return true;
}

bool
hd_gcn_select_own(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_gcn_options *options = hd_gcn_of(s->p)->options;
   hd_gcn_emitter e = { .s = s };

   if (!options->select_own)
      return hd_mach_refuse(
          s->p, &i->instr,
          "unsupported intrinsic %s: it is the driver's own, and no hook selects it",
          hd_instr_intrinsic_info(&i->instr)->name);
   hd_mach_emitted_init(&e.made, s->p, i);
   if (!hd_mach_emitted_end(&e.made, options->select_own(options->user, &e, i), num_results(&e)))
      return false;
   return !num_results(&e) || take_results(&e);
}
