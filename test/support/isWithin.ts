import type { Range } from '../../src/domain/estimate/estimate.ts';

export function isWithin({ low, high }: Range, value: number): boolean {
  return low <= value && value <= high;
}
