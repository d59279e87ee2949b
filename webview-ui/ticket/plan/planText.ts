import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import type { TicketState } from '../../../src/protocol/pages/ticket.ts';
import { costRange, count, countRange } from '../../base/format.ts';
import type { Estimate } from '../shared/estimate.ts';

/** More commands are only counted. */
const mostNamed = 2;

/** The plan in figures; empty without one. */
export function planText(
  { beads, plan }: Pick<TicketState, 'beads' | 'plan'>,
  estimate: Estimate | undefined,
): string {
  if (beads.length === 0) return '';
  const { files, commands } = plan;
  const named = commands.slice(0, mostNamed).map((command) => `\`${command}\``);
  const more = commands.length - named.length;
  return joined(
    [
      beads.length === 1 ? l10n.t('1 bead') : l10n.t('{0} beads', count(beads.length)),
      files === 0 ? '' : files === 1 ? l10n.t('1 file') : l10n.t('{0} files', count(files)),
      ...named,
      more === 0 ? '' : more === 1 ? l10n.t('1 more command') : l10n.t('{0} more commands', count(more)),
      estimate ? l10n.t('about {0} calls', countRange(estimate.calls)) : '',
      estimate?.money ? costRange(estimate.money) : '',
    ],
    ', ',
  );
}
