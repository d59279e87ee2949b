/** At least `least`. `Math.max` overflows the stack with many arguments. */
export function largest(numbers: Iterable<number>, least: number): number {
  let found = least;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** At most `most`. */
export function smallest(numbers: Iterable<number>, most: number): number {
  let found = most;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}
