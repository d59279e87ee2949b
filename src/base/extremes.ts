/** The largest of these numbers, `least` at the least. `Math.max` overflows the stack with many arguments. */
export function largest(numbers: Iterable<number>, least: number): number {
  let found = least;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** The smallest of these numbers, `most` at the most. */
export function smallest(numbers: Iterable<number>, most: number): number {
  let found = most;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}
