/**
 * The largest of these numbers, and `least` at the least. Any number of them, where arguments of a call would
 * overflow its stack.
 */
export function largest(numbers: Iterable<number>, least: number): number {
  let found = least;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/**
 * The smallest of these numbers, and `most` at the most. Any number of them, where arguments of a call would
 * overflow its stack.
 */
export function smallest(numbers: Iterable<number>, most: number): number {
  let found = most;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}
