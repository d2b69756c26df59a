/* SPDX-License-Identifier: MIT */
/* image.h - interface of image.c and sample.c. */
#ifndef HEDDLE_SPIRV_IMAGE_H
#define HEDDLE_SPIRV_IMAGE_H

#include "heddle/intrinsic_enum.h"
#include "spirv/spirv.h"

/* One descriptor, of an image or of a sampler. */
struct spirv_descriptor {
   uint32_t set, binding;
   hd_def *index;                         /* into its array; NULL is 0 */
   uint32_t access;                       /* HD_ACCESS_* */
   const struct spirv_constant *constant; /* a constant sampler; else NULL */
};

struct spirv_image {
   struct spirv_descriptor image, sampler;
};

struct image_shape {
   hd_image_dim dim;
   bool array, ms;
};

/* Indices that an access has besides. */
struct image_access {
   uint32_t access, component, atomic_op;
   int32_t offset[3];
};

/* Image operands: ids, or 0. */
struct image_operands {
   uint32_t mask;
   uint32_t bias, lod, grad[2], offset, offsets, sample, min_lod;
   uint32_t access;
};

/* make_value.c */
struct spirv_value *hd_spirv_make_image(struct spirv *s, const struct spirv_type *t,
                                        const struct spirv_image *image);
struct image_operands hd_spirv_image_operands(struct spirv *s, const struct spirv_instr *i,
                                              uint32_t at);
struct image_shape hd_spirv_image_shape(struct spirv *s, const struct spirv_type *t);
/* The descriptors of a sampled image, and the type of its image. */
const struct spirv_image *hd_spirv_sampled_image(struct spirv *s, uint32_t id,
                                                 const struct spirv_type **type);
hd_def *hd_spirv_descriptor_index(struct spirv *s, const struct spirv_descriptor *d);
hd_def *hd_spirv_first_components(struct spirv *s, uint32_t id, unsigned num, bool is_float);
/* The numbers of an offset that is a constant; false if it is none. */
bool hd_spirv_constant_offset(struct spirv *s, uint32_t id, int32_t offset[3]);
/* An intrinsic with the indices that it has; components and bits 0: as its operands say. */
hd_def *hd_spirv_build_image(struct spirv *s, hd_intrinsic_id id, const struct spirv_image *image,
                             struct image_shape shape, const struct image_access *a,
                             unsigned components, unsigned bits, unsigned num_srcs,
                             hd_def *const *srcs);
/* image.c: texels and queries. False: it is one of sample.c, which samples or gathers, or OpImageQueryLod. */
bool hd_spirv_texel_instr(struct spirv *s, const struct spirv_instr *i);

#endif
