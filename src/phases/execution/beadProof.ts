import type { Bead, BeadStatusMarker } from '../../domain/bead.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { failuresOf } from './describeEvidence.ts';

/** Whether every test command of the bead was seen to pass, each in its turn. */
export function isProved(bead: Bead, evidence: readonly Evidence[]): boolean {
  const commands = evidence.map((item) => item.command);
  return failuresOf(evidence).length === 0 && bead.testCommands.every((command, index) => commands[index] === command);
}

/** Whether the marker claims success (seed 001 section 8); else the reason why not. */
export function claimProblem(marker: BeadStatusMarker | null): string {
  if (!marker) return 'There is no status marker.';
  const failed = Object.entries(marker.checks).filter(([, result]) => result !== 'pass');
  if (marker.status === 'done' && failed.length === 0) return '';
  const checks = failed.length > 0 ? ` These checks are reported as failing: ${failed.map(([name]) => name).join(', ')}.` : '';
  return `The marker says status "${marker.status}".${checks}${marker.reason ? ` Reason given: ${marker.reason}` : ''}`;
}
