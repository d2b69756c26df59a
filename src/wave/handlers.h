/* SPDX-License-Identifier: MIT */
/* handlers.h - the functions that run intrinsics. */
#ifndef HEDDLE_WAVE_HANDLERS_H
#define HEDDLE_WAVE_HANDLERS_H

#include "wave/wave.h"

/* identity.c */
hd_wave_handler hd_wave_identity, hd_wave_lane_mask;
hd_wave_handler hd_wave_is_helper, hd_wave_demote, hd_wave_barrier, hd_wave_clock;

/* lanes.c */
hd_wave_handler hd_wave_ballot, hd_wave_elect, hd_wave_vote_any, hd_wave_vote_all;
hd_wave_handler hd_wave_vote_ieq, hd_wave_vote_feq;
hd_wave_handler hd_wave_mask_op, hd_wave_shuffle, hd_wave_reduce;
hd_wave_handler hd_wave_quad_vote, hd_wave_derivative;

/* memory.c */
hd_wave_handler hd_wave_load, hd_wave_store, hd_wave_atomic, hd_wave_atomic_swap;
hd_wave_handler hd_wave_buffer_size;

/* stage.c */
hd_wave_handler hd_wave_load_input, hd_wave_load_interpolated, hd_wave_store_output;
hd_wave_handler hd_wave_load_given, hd_wave_store_given;
hd_wave_handler hd_wave_barycentric_at;

/* image.c */
hd_wave_handler hd_wave_image_load, hd_wave_image_store, hd_wave_image_atomic;
hd_wave_handler hd_wave_image_query;

/* sample.c */
hd_wave_handler hd_wave_image_sample;

/* own.c */
hd_wave_handler hd_wave_own;

#endif
