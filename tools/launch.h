/* SPDX-License-Identifier: MIT */
/* launch.h - how a shader is launched, from the command line. */
#ifndef HEDDLE_TOOLS_LAUNCH_H
#define HEDDLE_TOOLS_LAUNCH_H

#include "memories.h"
#include "run_kernel.h"

#define MAX_MEMORIES 64

/* `t` and `shader` are set by the command; operands are read from the second on, or behind num_shaders of them. */
struct launch_arguments {
   tool *t;
   hd_shader *shader;
   int num_shaders;
   struct memory memories[MAX_MEMORIES];
   unsigned num_memories;
   struct kernel_arguments arguments;
   hd_wave_buffer buffers[MAX_MEMORIES];
   hd_wave_region regions[MAX_MEMORIES];
   hd_wave_image images[MAX_MEMORIES];
   hd_wave_sampler samplers[MAX_MEMORIES + MAX_CONSTANT_SAMPLERS];
   hd_wave_builtin given[MAX_MEMORIES];
   hd_const_value params[MAX_MEMORIES * 4];
   uint32_t named_components; /* of the parameters that were given by their names */
   hd_wave_launch launch;
   hd_wave_mask active;
   uint8_t *helpers; /* one byte for each element that was given */
};

/* The options that need no shader, and then what stands after it. False: a message was printed. */
bool read_launch_options(struct launch_arguments *s);
bool read_launch_memories(struct launch_arguments *s);
/* As many push constants as the shader has, which may be NULL, were given. */
bool check_push(const struct launch_arguments *s, const hd_shader *shader);
/* The shader is left. */
void free_launch(struct launch_arguments *s);

/* What is run: NULL if there is none of the name that was asked for. */
hd_function *find_launched_function(const struct launch_arguments *s);

/* Is it a parameter of that, by its name? */
bool is_launch_param(const struct launch_arguments *s, const struct memory *m);
/* Is it what is given under this name? */
bool is_memory_of(const struct memory *m, const char *name);

#endif
