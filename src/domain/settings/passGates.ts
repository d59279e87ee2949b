import * as z from 'zod';
import type { Settings } from './settings.ts';

/** The tickets whose gates are passed where nothing is to be decided. */
export const PassGates = z.enum(['off', 'quick', 'always']);
export type PassGates = z.infer<typeof PassGates>;

/** True if gates that leave nothing to decide are passed (docs/decisions/190-gates-by-policy.md). */
export function passesGates({ passGates, depth }: Pick<Settings, 'passGates' | 'depth'>): boolean {
  return passGates === 'always' || (passGates === 'quick' && depth === 'quick');
}
