// SPDX-License-Identifier: GPL-2.0-only
/*
 * Columns: see table.h.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "table.h"

void table_add(struct table *table, const char *format, ...)
{
	char *cell = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&cell, format, args) < 0)
		cell = text_copy("");
	va_end(args);
	strings_add(&table->cells, cell);
}

static const char *cell_at(const struct table *table, size_t row, size_t column)
{
	return table->cells.item[row * table->columns + column];
}

static size_t width_of(const struct table *table, size_t rows, size_t column)
{
	size_t row, width, widest = 0;

	for (row = 0; row < rows; row++) {
		width = strlen(cell_at(table, row, column));
		if (width > widest)
			widest = width;
	}
	return widest;
}

/* An UUID may begin with a digit, so all of the cell counts. */
static bool is_figure(const char *cell)
{
	return !strcmp(cell, "-") || (*cell && !cell[strspn(cell, "0123456789.%")]);
}

static bool is_figures(const struct table *table, size_t rows, size_t column)
{
	size_t row;

	for (row = 1; row < rows; row++)
		if (!is_figure(cell_at(table, row, column)))
			return false;
	return rows > 1;
}

static void print_cell(const struct table *table, size_t rows, size_t row, size_t column)
{
	const char *cell = cell_at(table, row, column);
	int width = width_of(table, rows, column);

	if (column)
		fputs("  ", stdout);
	if (is_figures(table, rows, column))
		printf("%*s", width, cell);
	else if (column + 1 < table->columns)
		printf("%-*s", width, cell);
	else
		fputs(cell, stdout);
}

void table_print(const struct table *table, size_t rows)
{
	size_t all = table->cells.count / table->columns, row, column;

	if (!rows || rows > all)
		rows = all;
	for (row = 0; row < rows; row++) {
		for (column = 0; column < table->columns; column++)
			print_cell(table, rows, row, column);
		putchar('\n');
	}
}

void table_free(struct table *table)
{
	strings_free(&table->cells);
}
