# SPDX-License-Identifier: MIT
"""Instructions whose meaning no expression of one lane says.

SPECIAL: name -> where it is written. UNMODELLED: name -> why running it is reported instead.
"""

import re

from codegen.gcn.isa import all_rows

HANDLERS = {
   'exec_scalar.c': '''
      s_branch s_cbranch_scc0 s_cbranch_scc1 s_cbranch_vccz s_cbranch_vccnz s_cbranch_execz
      s_cbranch_execnz s_getpc_b64 s_setpc_b64 s_swappc_b64 s_call_b64
      s_trap s_cbranch_cdbgsys s_cbranch_cdbguser s_cbranch_cdbgsys_or_user
      s_cbranch_cdbgsys_and_user s_ttracedata s_movrels_b32 s_movrels_b64 s_movreld_b32
      s_movreld_b64 s_set_gpr_idx_on s_set_gpr_idx_off s_set_gpr_idx_idx s_set_gpr_idx_mode
      s_setprio s_icache_inv s_incperflevel s_decperflevel s_wakeup''',
   'exec_state.c': '''
      s_getreg_b32 s_setreg_b32 s_setreg_imm32_b32 s_setvskip s_cbranch_g_fork s_cbranch_i_fork
      s_cbranch_join''',
   'exec_lanes.c': '''
      v_nop v_clrexcp v_readfirstlane_b32 v_readlane_b32 v_writelane_b32 v_movreld_b32
      v_movrels_b32 v_movrelsd_b32 v_mqsad_u32_u8''',
   'exec_graphics.c': 'v_interp_p1_f32 v_interp_p2_f32 v_interp_mov_f32 exp',
   'run.c': 's_nop s_endpgm s_barrier s_waitcnt s_sleep s_sendmsg',
}

REASONS = {
   'it belongs to who handles traps': 's_rfe_b64 s_rfe_restore_b64 s_endpgm_saved',
   'a debugger would have to go on': 's_setkill s_sethalt s_sendmsghalt',
   'it orders pixels': 's_endpgm_ordered_ps_done',
   "what it reads is the chip's setup": 'v_screen_partition_4se_b32',
   'the manuals do not say what it computes': 'v_mullit_f32',
}

# Memory: by patterns of names.
NOT_MEMORY = (
   (r'image_sample_.*cd', 'how coarse its gradients are'),
   (r'image_.*_pck', 'texels without a format'),
   (r'buffer_store_lds_dword', 'LDS as the target of a buffer'),
   (r'ds_condxchg32_rtn_b64', 'the manuals do not say under which condition'),
   (r's_scratch_', 'scratch of scalars'),
   (r's_dcache_discard', 'the state of a cache'),
)

MEMORY_FORMATS = ('smem', 'ds', 'mubuf', 'flat', 'global', 'scratch', 'mimg', 'mtbuf')


def collect():
   special, unmodelled = {}, {}
   for place, names in HANDLERS.items():
      special.update((name, place) for name in names.split())
   for reason, names in REASONS.items():
      unmodelled.update((name, reason) for name in names.split())
   for op in all_rows():
      if op.format in MEMORY_FORMATS:
         reason = next((why for pattern, why in NOT_MEMORY if re.match(pattern, op.name)), None)
         if reason:
            unmodelled[op.name] = reason
         else:
            special[op.name] = 'gcn/sem_memory.py'
   return special, unmodelled


SPECIAL, UNMODELLED = collect()
