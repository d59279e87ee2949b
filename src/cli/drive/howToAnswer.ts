import { relative } from 'node:path';
import { limitsBehind } from '../../domain/limits.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { limitOption } from '../options/settingsOptions.ts';
import { gateOf } from './gatePolicy.ts';

/** Where a person is, and where the repository is. */
interface CommandPlace {
  readonly cwd: string;
  readonly root: string;
}

/** A command as a person can type it where they are. */
export function commandLine(words: string, { cwd, root }: CommandPlace): string {
  const way = relative(root, cwd);
  const inside = way === '' || (!way.startsWith('..') && !/^([A-Za-z]:)?[\\/]/.test(way));
  return `beadsmith ${words}${inside ? '' : ` --repo ${quoted(root)}`}`;
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/**
 * The commands by which a person answers where a ticket stands, whole enough to be copied: with the repository, unless the person is in it.
 * Empty when nothing is to be done.
 */
export function howToAnswer(detail: TicketDetail, place: CommandPlace): readonly string[] {
  const { id, hold, status } = detail.ticket;
  const command = (words: string): string => commandLine(words, place);
  if (hold?.request?.content.kind === 'permission') return [command(`allow ${id}`), command(`deny ${id}`)];
  if (hold?.request) return [command(`reply ${id} "your answer"`), command(`reply ${id} --decide`)];
  if (hold) return [command(`resume ${id}`), command(`cancel ${id}`)];
  if (status === 'DRAFT') return [command(`start ${id} --model PROVIDER/MODEL`)];
  if (status === 'BLOCKED_ERROR') {
    const { error, previousStatus } = detail.ticket;
    const raise = error ? limitsBehind(error, previousStatus).map((name) => `--${limitOption[name]} MORE`) : [];
    return [
      ...(detail.error?.continuable ? [command(`continue ${id}`)] : []),
      ...raise.map((words) => command(`limits ${id} ${words}`)),
      command(`retry ${id} --note "what to do differently"`),
      command(`cancel ${id}`),
    ];
  }
  switch (gateOf(status)) {
    case 'interview-answers':
      return [command(`answer ${id} QUESTION=ANSWER …`), command(`skip ${id}`)];
    case 'interview':
    case 'prd':
    case 'beads':
    case 'setup':
      return [
        command(status === 'WAITING_BEADS_APPROVAL' ? `beads get ${id}` : `show ${id} ${detail.gate?.artifact ?? ''}`.trim()),
        command(`approve ${id}`),
        command(`edit ${id} ${detail.gate?.artifact ?? 'ARTIFACT'} --file FILE`),
        ...(detail.view.actions.includes('fix_gaps') ? [command(`fix-gaps ${id}`)] : []),
        command(`regenerate ${id} --note "what to do differently"`),
      ];
    case 'qa':
      return [command(`qa ${id} ITEM=pass ITEM="fail: what you saw" …`), command(`skip ${id} --reason "why"`)];
    case 'review':
      return [command(`merge ${id}`), command(`close ${id}`), command(`changes ${id} "what to change"`)];
    case undefined:
      return [];
  }
}
