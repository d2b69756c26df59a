/* SPDX-License-Identifier: MIT */
/* cmd_db.c - heddle db: figures of the machine code of many modules, and what changed in them.
 *
 * Files are divided among processes by their number in the sorted list, shares (--share) the same way,
 * so that all machines agree without speaking. Each row is appended by one write as soon as it is
 * known: a run that was ended goes on where it was. At the end the rows are sorted.
 */
#include "db.h"
#include "host.h"
#include "targets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct files {
   char **paths;
   size_t num, capacity;
   bool failed;
} files;

typedef struct job {
   tool *t;
   const hd_target *target;
   const char *folder, *output;
   files files;
   const db *known; /* rows that the output had */
   hd_blob message; /* the first of a module */
   unsigned num_workers;
} job;

static void
add_file(void *user, const char *path)
{
   files *f = user;

   if (f->num == f->capacity) {
      const size_t capacity = f->capacity ? 2 * f->capacity : 64;
      char **paths = realloc(f->paths, capacity * sizeof(*paths));
      if (!paths) {
         f->failed = true;
         return;
      }
      f->paths = paths;
      f->capacity = capacity;
   }
   const size_t size = strlen(path) + 1;
   char *copy = malloc(size);
   if (copy)
      f->paths[f->num++] = memcpy(copy, path, size);
   f->failed |= !copy;
}

static int
by_text(const void *a, const void *b)
{
   return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
keep_message(void *user, const hd_diag *diag)
{
   job *j = user;

   if (!j->message.size && diag->severity == HD_ERROR)
      hd_blob_printf(&j->message, "%s", diag->message);
}

/* The path in the folder. */
static const char *
name_of(const job *j, const char *path)
{
   path += strlen(j->folder);
   while (*path == '/')
      path++;
   return path;
}

/* The row of a name as JSON writes it, or NULL. */
static const db_row *
find_row(const db *d, const char *name)
{
   for (size_t low = 0, high = d->num_rows; low < high;) {
      const size_t middle = low + (high - low) / 2;
      const int order = strcmp(name, d->rows[middle].name);
      if (!order)
         return &d->rows[middle];
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return NULL;
}

static hd_result
figures_of(job *j, const char *path, figures *f)
{
   char *data;
   size_t size;
   int status;

   if (read_file(j->t, path, &data, &size))
      return HD_INVALID;
   j->t->quiet = true;
   hd_shader *shader = read_shader(j->t, path, data, size, &status);
   j->t->quiet = false;
   free(data);
   if (!shader)
      return HD_INVALID;
   const hd_result result = measure_shader(j->target, 0, shader, NULL, f);
   hd_shader_destroy(shader);
   return result;
}

/* The row of a file, or NULL. */
static const db_row *
row_of(const job *j, const db *d, const char *path)
{
   const char *name = name_of(j, path);
   hd_blob blob = { 0 };
   const db_row *row = NULL;

   hd_blob_json(&blob, name, strlen(name));
   if (blob.result == HD_OK && blob.size >= 2) {
      blob.data[blob.size - 1] = 0; /* its quote */
      row = find_row(d, blob.data + 1);
   }
   hd_blob_finish(&blob);
   return row;
}

static bool
write_row(job *j, const char *path, FILE *out)
{
   figures f = { 0 };

   j->message = (hd_blob){ 0 };
   const hd_result result = figures_of(j, path, &f);
   const char *why = j->message.size ? j->message.data : hd_result_name(result);
   if (result != HD_OK)
      trouble("%s: %s", path, why);
   fputs("{\"name\":", out);
   print_json_string(out, name_of(j, path));
   fprintf(out, ",\"target\":\"%s\"", hd_target_get_name(j->target));
   if (result != HD_OK) {
      fputs(",\"refused\":", out);
      print_json_string(out, why);
   } else {
      fprintf(out, ",\"instructions\":%" PRIu32 ",\"branches\":%" PRIu32 ",\"bytes\":%" PRIu32,
              f.instructions, f.branches, f.bytes);
      fprintf(out, ",\"scalars\":%" PRIu32 ",\"vectors\":%" PRIu32, f.scalars, f.vectors);
      for (unsigned n = 0; n < NUM_UNIT_FIGURES; n++) {
         if (f.units[n] != NO_FIGURE)
            fprintf(out, ",\"%s\":%" PRIu32, unit_figure_names[n], f.units[n]);
      }
   }
   fputs("}\n", out);
   hd_blob_finish(&j->message);
   return !fflush(out);
}

/* The files of one process. */
static int
work(void *user, unsigned worker)
{
   job *j = user;
   FILE *out = fopen(j->output, "ab");
   bool ok = out != NULL;

   for (size_t n = worker; ok && n < j->files.num; n += j->num_workers) {
      if (!row_of(j, j->known, j->files.paths[n]))
         ok = write_row(j, j->files.paths[n], out);
   }
   if (out && fclose(out))
      ok = false;
   return ok ? 0 : EXIT_TROUBLE;
}

/* "K/N" */
static bool
keep_share(job *j)
{
   const char *share = option_value(j->t, "share");
   unsigned k, n;
   char more;
   size_t kept = 0;

   if (!share)
      return true;
   if (sscanf(share, "%u/%u%c", &k, &n, &more) != 2 || !k || k > n) {
      trouble("--share wants K/N with K from 1 to N, not '%s'", share);
      return false;
   }
   for (size_t i = 0; i < j->files.num; i++) {
      if (i % n == k - 1)
         j->files.paths[kept++] = j->files.paths[i];
      else
         free(j->files.paths[i]);
   }
   j->files.num = kept;
   return true;
}

/* The rows of the output, sorted: those of a share that was added, too. */
static int
sort_output(job *j)
{
   char *text;
   size_t size, num = 0;

   int status = read_file(j->t, j->output, &text, &size);
   if (status)
      return status;
   char **lines = malloc((size + 1) * sizeof(*lines));
   hd_blob sorted = { 0 };
   for (size_t n = 0; lines && n < size; num++) {
      lines[num] = &text[n];
      while (n < size && text[n] != '\n')
         n++;
      if (n == size)
         break; /* cut off */
      text[n++] = 0;
   }
   if (lines)
      qsort(lines, num, sizeof(*lines), by_text);
   for (size_t n = 0; lines && n < num; n++)
      hd_blob_printf(&sorted, "%s\n", lines[n]);
   if (!lines || sorted.result != HD_OK)
      status = explain(j->t, "db", HD_OUT_OF_MEMORY);
   else if (!write_file(j->output, sorted.data ? sorted.data : "", sorted.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&sorted);
   free(lines);
   free(text);
   return status;
}

/* What an earlier run left, without a row that it could not end. */
static bool
read_known(job *j, db *known)
{
   FILE *file = fopen(j->output, "rb");

   *known = (db){ .text = NULL };
   if (!file)
      return true; /* there is none yet */
   fclose(file);
   /* A file of something else stays as it is. */
   return db_read(j->t, j->output, known) && !sort_output(j);
}

/* Figures of two machines in one file would be compared as if they were of one. */
static bool
is_of_target(const job *j, const db *known)
{
   for (size_t n = 0; n < known->num_rows; n++) {
      const char *target = known->rows[n].target;
      if (target && strcmp(target, hd_target_get_name(j->target)) != 0) {
         trouble("%s: has figures of %s, not of %s", j->output, target,
                 hd_target_get_name(j->target));
         return false;
      }
   }
   return true;
}

/* How many files there are, and what became of them. */
static int
say_result(const job *j)
{
   size_t refused = 0, before = 0;
   db rows;

   if (!db_read(j->t, j->output, &rows)) {
      db_free(&rows);
      return EXIT_TROUBLE;
   }
   for (size_t n = 0; n < j->files.num; n++) {
      const db_row *row = row_of(j, &rows, j->files.paths[n]);
      refused += row && row->refused;
      before += row_of(j, j->known, j->files.paths[n]) != NULL;
   }
   printf("%zu files: %zu compiled, %zu refused", j->files.num, j->files.num - refused, refused);
   if (before)
      printf("; %zu of them by an earlier run", before);
   printf("\n");
   db_free(&rows);
   return 0;
}

static int
run_all(job *j)
{
   const char *jobs = option_value(j->t, "jobs");
   db known;
   int status = EXIT_TROUBLE;

   j->num_workers = jobs ? (unsigned)strtoul(jobs, NULL, 10) : host_num_cores();
   if (!j->num_workers || j->num_workers > 1024)
      return trouble("--jobs wants a number from 1 to 1024, not '%s'", jobs ? jobs : "0");
   if (read_known(j, &known) && is_of_target(j, &known)) {
      j->known = &known;
      j->t->config.diag = (hd_diag_sink){ j, keep_message };
      status = host_run_workers(work, j, j->num_workers);
      if (status)
         trouble("%s: cannot write it", j->output);
      else
         status = sort_output(j);
      if (!status)
         status = say_result(j);
   }
   db_free(&known);
   return status;
}

static int
run(tool *t, const char *folder)
{
   job j = {
      .t = t, .folder = folder, .output = option_value(t, "output"), .target = find_target(t)
   };
   int status = EXIT_TROUBLE;

   if (!j.target)
      return status;
   if (!j.output)
      return trouble("db run wants --output=FILE");
   if (!host_list_files(folder, add_file, &j.files))
      return trouble("%s: cannot list the folder", folder);
   if (!j.files.num && !j.files.failed) {
      trouble("%s: has no files", folder);
   } else if (j.files.failed) {
      status = explain(t, "db", HD_OUT_OF_MEMORY);
   } else {
      qsort(j.files.paths, j.files.num, sizeof(*j.files.paths), by_text);
      if (keep_share(&j))
         status = run_all(&j);
   }
   for (size_t n = 0; n < j.files.num; n++)
      free(j.files.paths[n]);
   free(j.files.paths);
   return status;
}

int
run_db(tool *t)
{
   if (t->num_operands == 2 && !strcmp(t->operands[0], "run"))
      return run(t, t->operands[1]);
   if (t->num_operands == 3 && !strcmp(t->operands[0], "compare"))
      return db_compare(t, t->operands[1], t->operands[2]);
   return trouble("usage: heddle db run FOLDER -o FILE, or heddle db compare BEFORE AFTER");
}
