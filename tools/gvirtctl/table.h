/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Columns for people.
 */
#ifndef GVIRTCTL_TABLE_H
#define GVIRTCTL_TABLE_H

#include <stddef.h>
#include "text.h"

/**
 * struct table - Rows of cells
 * @columns: cells in a row
 * @cells: row by row; the first row has the titles
 */
struct table {
	size_t columns;
	struct strings cells;
};

/**
 * table_add() - Add a cell
 * @table: to this
 * @format: as for printf()
 */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * table_print() - Print on standard output
 * @table: which
 * @rows: at most so many, with the titles; 0: all
 *
 * Columns are as wide as their widest cell; those in which all cells but the title are
 * figures are aligned to the right. No space follows the last one.
 */
void table_print(const struct table *table, size_t rows);

/**
 * table_free() - Free the cells
 * @table: which
 */
void table_free(struct table *table);

#endif
