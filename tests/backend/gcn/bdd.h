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
uint32_t bdd_xor(uint32_t a, uint32_t b);
uint32_t bdd_if(uint32_t condition, uint32_t a, uint32_t b);

/* 1 where the function is 1 for some value of the atom. */
uint32_t bdd_exists(uint32_t f, uint32_t atom);

/* The atom's place is taken by the one before it, on which the function does not depend. */
uint32_t bdd_rename(uint32_t f, uint32_t atom);

/* The root of a function that is no constant: the least atom, and what the function is where that is 0, and 1. */
uint32_t bdd_first_atom(uint32_t f);
uint32_t bdd_low(uint32_t f);
uint32_t bdd_high(uint32_t f);

#endif
