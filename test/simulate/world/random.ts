import { randomOf } from '../../support/randomOf.ts';

/** The same for a seed everywhere. Everything by chance comes from one of these. */
export class Random {
  /** From 0 to 1. */
  readonly next: () => number;

  constructor(seed: number) {
    // Seeds that differ by one bit would begin alike.
    this.next = randomOf(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(choices: readonly [T, ...(readonly T[])]): T {
    return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
  }
}
