/* SPDX-License-Identifier: MIT */
/* scene.h - what --draw describes: a draw without its shaders, and the attachments with their memory.
 *
 * A text of lines; `#` begins a comment. The first word of a line says what it is about, the others are as doc/drawing.md
 * tells.
 */
#ifndef HEDDLE_TOOLS_SCENE_H
#define HEDDLE_TOOLS_SCENE_H

#include "memories.h"

#include "heddle/raster.h"

#define MAX_SCENE_BUFFERS    16
#define MAX_SCENE_ATTRIBUTES 32
#define MAX_SCENE_VIEWPORTS  16

/* An attachment: who asks for it, and where its bytes go. */
struct target {
   hd_wave_image image;
   uint32_t clear[4]; /* floats, or integers where the format has them */
   char *file;        /* its bytes after the draw, or NULL; free() */
};

struct scene {
   const tool *t;
   const char *name; /* of the file, and the line that is read: for messages */
   unsigned line;
   char *text; /* free() */
   hd_raster_draw draw;
   bool has_counts;
   struct memory memories[MAX_SCENE_BUFFERS + 1]; /* of buffers, then of indices */
   hd_vertex_buffer buffers[MAX_SCENE_BUFFERS];
   hd_vertex_attribute attributes[MAX_SCENE_ATTRIBUTES];
   hd_wave_memory indices;
   hd_color_attachment colors[HD_RASTER_MAX_ATTACHMENTS];
   struct target targets[HD_RASTER_MAX_ATTACHMENTS + 2]; /* of colors, depth, stencil */
   hd_viewport viewports[MAX_SCENE_VIEWPORTS];
   uint32_t width, height, layers, samples;
};

enum { DEPTH_TARGET = HD_RASTER_MAX_ATTACHMENTS, STENCIL_TARGET };

/* Read the file. False: a message was printed. */
bool read_scene(const tool *t, const char *path, struct scene *s);
void free_scene(struct scene *s);

#endif
