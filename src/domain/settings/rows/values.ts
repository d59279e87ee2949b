import * as z from 'zod';

/** The longest timeout, in milliseconds: 0 means that one, so that nothing runs forever. */
export const longestTimeoutMs = 3_600_000;

/** A time that people write in whole seconds, stored in milliseconds. */
export function seconds(defaultValue: number, least = 0, most = longestTimeoutMs / 1_000) {
  return z
    .number()
    .int()
    .min(1_000 * least)
    .max(1_000 * most)
    .default(1_000 * defaultValue);
}

/** A whole number within bounds. */
export function attempts(least: number, most: number, defaultValue: number) {
  return z.number().int().min(least).max(most).default(defaultValue);
}

/** A number that nothing bounds; 0 means no limit. */
export function cap(defaultValue = 0) {
  return z.number().int().min(0).default(defaultValue);
}
