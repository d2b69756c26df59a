/* SPDX-License-Identifier: MIT */
/* bdd.h - boolean functions as binary decision diagrams (BDDs).
 *
 * A function is a number; equal functions are equal numbers. An atom is an unknown bit; atoms are ordered by their numbers.
 * There is one table of functions. If it is full, the functions are invalid.
 */
#ifndef TESTS_BACKEND_GCN_BDD_H
#define TESTS_BACKEND_GCN_BDD_H

#include <stdbool.h>
#include <stdint.h>

enum { BDD_FALSE, BDD_TRUE };

/* Forgets all functions but these two. */
void bdd_reset(void);
bool bdd_is_full(void);

uint32_t bdd_atom(uint32_t atom);
uint32_t bdd_not(uint32_t a);
uint32_t bdd_and(uint32_t a, uint32_t b);
uint32_t bdd_or(uint32_t a, uint32_t b);
uint32_t bdd_if(uint32_t condition, uint32_t a, uint32_t b);

/* What is left of it when the atom is another one: 1 where it was 1 in any case, 0 where it was 0 in any case, and
 * there is no more to say than `instead` elsewhere.
 */
uint32_t bdd_without(uint32_t f, uint32_t atom, uint32_t instead);

/* A function that is this one where the other one holds, and depends on less. For all functions of a state it is the same
 * change of atoms.
 */
uint32_t bdd_given(uint32_t f, uint32_t holds);

bool bdd_is_atom(uint32_t f, uint32_t atom);
bool bdd_depends(uint32_t f, uint32_t atom);

/* On one of these atoms? */
bool bdd_depends_within(uint32_t f, uint32_t first, uint32_t end);

/* Has it more than *left nodes? What is left of them. */
bool bdd_is_large(uint32_t f, unsigned *left);

/* The root of a function that is no constant: the least atom, and what the function is where that is 0, and 1. */
uint32_t bdd_first_atom(uint32_t f);
uint32_t bdd_low(uint32_t f);
uint32_t bdd_high(uint32_t f);

#endif
