import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Dismissal } from '../../domain/findings/dismissal.ts';
import type { Client } from '../../protocol/api.ts';
import type { Command } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { UsageError } from '../base/args.ts';
import { commonOptions } from '../options/options.ts';
import { oneLine } from '../base/output.ts';

/** `dismissals list`: what people dismissed in this repository. */
export const listDismissals: Command = {
  name: 'dismissals list',
  words: '',
  about: 'list the findings that were dismissed in this repository, as later reviews are told of them',
  takes: [0, 0],
  changes: 'nothing',
  options: commonOptions,
  run: (context, args) =>
    Session.with(context, args, { purpose: 'file' }, async ({ app: { client } }) => {
      const all = await client.findings.dismissals();
      for (const dismissal of all)
        context.output.event({ type: 'dismissal', state: 'remembered', ...dismissal });
      context.output.text(all.length === 0 ? 'Nothing was dismissed yet.' : all.map(lineOf).join('\n'));
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null });
      return exitCodes.done;
    }),
};

/** `dismissals edit`: another reason. */
export const changeDismissal: Command = {
  name: 'dismissals edit',
  words: 'N --reason TEXT',
  about: 'change the reason of a dismissal',
  takes: [1, 1],
  changes: 'always',
  options: { ...commonOptions, reason: { value: 'TEXT', about: 'new reason; required' } },
  run: (context, args) => {
    const number = numberOf(args.positionals[0]);
    const reason = args.text('reason') ?? '';
    if (reason.trim() === '') throw new UsageError('Say the new reason: --reason TEXT.');
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client }, decider }) => {
      const before = await dismissalOf(client, number);
      await decider.confirm(`${lineOf(before)}\nNew reason: ${oneLine(reason, 1_000)}\n`);
      const changed = await client.findings.changeDismissal({ number, revision: before.revision, reason });
      context.output.event({ type: 'dismissal', state: 'changed', ...changed });
      context.output.text(lineOf(changed));
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null });
      return exitCodes.done;
    });
  },
};

/** `dismissals remove`: later reviews are no longer told of it, and what repeats it counts again. */
export const removeDismissal: Command = {
  name: 'dismissals remove',
  words: 'N',
  about: 'remove a dismissal: what repeats it counts again',
  takes: [1, 1],
  changes: 'always',
  options: commonOptions,
  run: (context, args) => {
    const number = numberOf(args.positionals[0]);
    return Session.with(context, args, { purpose: 'file' }, async ({ app: { client }, decider }) => {
      const removed = await dismissalOf(client, number);
      await decider.confirm(`${lineOf(removed)}\nIt will be removed.\n`);
      await client.findings.removeDismissal(number);
      context.output.event({ type: 'dismissal', state: 'removed', ...removed });
      context.output.text(`Removed dismissal ${String(number)}.`);
      context.output.event({ type: 'end', exit: exitCodes.done, ticket: null, status: null });
      return exitCodes.done;
    });
  },
};

function numberOf(word: string | undefined): number {
  if (word === undefined || !/^[1-9]\d{0,8}$/.test(word))
    throw new UsageError('Name a dismissal by its number; "dismissals list" shows them.');
  return Number(word);
}

async function dismissalOf(client: Client, number: number): Promise<Dismissal> {
  const found = (await client.findings.dismissals()).find((dismissal) => dismissal.number === number);
  if (!found) throw new BeadsmithError('DISMISSAL_UNKNOWN', { number });
  return found;
}

function lineOf({ number, ticket, category, file, claim, reason, at }: Dismissal): string {
  const about = `${ticket}, ${at.slice(0, 10)}, ${oneLine(category, 80)}, ${oneLine(file)}`;
  return `${String(number)}  ${about}\n    ${oneLine(claim, 1_000)}\n    Dismissed: ${oneLine(reason, 1_000)}`;
}
