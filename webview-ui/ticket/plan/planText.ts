import * as l10n from '@vscode/l10n';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { costRange, count, countRange } from '../../base/format.ts';
import type { Estimate } from '../shared/estimate.ts';

/** More commands are only counted. */
const mostNamed = 2;

/** Words, or a command. */
export type PlanFact = string | { readonly command: string };

/** The plan in figures; nothing without one. */
export function planText(
  { beads, plan }: Pick<TicketState, 'beads' | 'plan'>,
  estimate: Estimate | undefined,
): readonly PlanFact[] {
  if (beads.length === 0) return [];
  const { files, commands } = plan;
  const named = commands.slice(0, mostNamed).map((command) => ({ command }));
  const more = commands.length - named.length;
  const facts: readonly PlanFact[] = [
    beads.length === 1 ? l10n.t('1 bead') : l10n.t('{0} beads', count(beads.length)),
    files === 0 ? '' : files === 1 ? l10n.t('1 file') : l10n.t('{0} files', count(files)),
    ...named,
    more === 0 ? '' : more === 1 ? l10n.t('1 more command') : l10n.t('{0} more commands', count(more)),
    estimate ? l10n.t('about {0} calls', countRange(estimate.calls)) : '',
    estimate?.money ? costRange(estimate.money) : '',
  ];
  return facts.filter((fact) => fact !== '');
}
