import type { Range } from '../../src/domain/estimate/estimate.ts';

/** Whether what a ticket took lies in the range that was estimated. */
export function isWithin({ low, high }: Range, value: number): boolean {
  return low <= value && value <= high;
}
