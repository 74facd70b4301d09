/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fuzzer's bytes, taken from the front.
 */
#ifndef GVIRT_FUZZ_INPUT_H
#define GVIRT_FUZZ_INPUT_H

#include <linux/types.h>

/**
 * struct input - What is left of the fuzzer's bytes
 * @data: the next one
 * @left: how many
 */
struct input {
	const u8 *data;
	size_t left;
};

/**
 * take() - Take a number, its highest byte first
 * @input: from where
 * @bytes: how many; fewer when there are no more
 *
 * Return: the number.
 */
static inline u64 take(struct input *input, unsigned int bytes)
{
	u64 value = 0;

	for (; bytes && input->left; bytes--, input->left--)
		value = value << 8 | *input->data++;
	return value;
}

#endif
