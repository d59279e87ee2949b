import { type ModelPrice, costOfTokens } from '../../domain/usage/modelPrice.ts';
import type { Settings } from '../../domain/settings/settings.ts';
import type { Client } from '../../protocol/api.ts';
import type { InspectedCall } from '../../protocol/inspection.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { Session } from '../drive/session.ts';
import { onTickets, ownOrTeam } from '../drive/team.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { type Args, parseWords } from '../base/args.ts';
import { commonOptions, opencodeOptions, ticketIdOf } from '../options/options.ts';
import { someOptions } from '../options/settingsOptions.ts';
import { oneLine, type Output, tableText } from '../base/output.ts';
import { sumOf } from '../output/inspectionText.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository } from '../../demo/copyRepository.ts';
import { providerConfig } from '../../demo/providerConfig.ts';
import { startScriptedServer } from '../../demo/scriptedServer.ts';
import { StatusName, type Ticket } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';
import { run } from './run.ts';

export const rehearse: Command = {
  name: 'rehearse',
  words: 'ABC-12',
  about:
    'drive a ticket on a copy of the repository with scripted answers, and print the calls, their parts, tokens and price; costs nothing',
  takes: [1, 1],
  changes: 'always',
  options: {
    ...ownOrTeam,
    ...someOptions('depth', 'review', 'kickoff', 'retrospective'),
    opencode: opencodeOptions.opencode,
    members: {
      value: 'N',
      about: "council members beside the main implementer; default: the ticket's, or 2",
    },
  },
  run: async (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    const { ticket, root, price } = await onTickets(context, args, async ({ client, repository }) => {
      const known = (await client.ticket(id)).ticket;
      const found = await priceOf(client, id, known.settings);
      return { ticket: known, root: repository.root, price: found };
    });
    const { settings } = ticket;
    const members = args.whole('members') ?? settings?.councilMembers.length ?? 2;
    context.output.text(`Rehearsing ${id} on a copy of the repository, with scripted answers:`);
    const rehearsed = { root, ticket, members, options: optionsOf(args, settings) };
    const { calls, end } = await rehearseOnCopy(context, rehearsed);
    for (const { prompt, member, label, bead, iteration, parts } of calls) {
      const shown = parts.map(({ name, kind, tokens }) => ({ name, kind, tokens }));
      const call = { prompt, member, phase: label, bead, iteration, parts: shown };
      context.output.event({ type: 'rehearsed', ticket: id, ...call });
    }
    const sizes = calls.map(({ parts }) => sumOf(parts));
    const tokens = sizes.reduce((sum, size) => sum + size, 0);
    const money = price ? sizes.reduce((sum, size) => sum + promptCost(price.price, size), 0) : null;
    // A rehearsal goes as far as a ticket goes without a person who merges.
    const whole = end?.exit === exitCodes.done || end?.exit === exitCodes.gate;
    const status = end?.status ?? null;
    const sum = { calls: calls.length, tokens, money, model: price?.model ?? null, whole, status };
    context.output.text(rehearsalText(calls, sum));
    context.output.event({ type: 'rehearsal', ticket: id, ...sum });
    const stopped = [exitCodes.interrupted, exitCodes.terminated].find((code) => code === end?.exit);
    const exit = whole ? exitCodes.done : (stopped ?? exitCodes.failed);
    return endCommand(context, { ticket: id, status: ticket.status }, exit);
  },
};

/** Options of `run`: what was asked for, else the settings of the ticket. */
function optionsOf(args: Args, settings: Settings | null): readonly string[] {
  const given = (['opencode', 'sandbox'] as const).flatMap((name) =>
    [args.text(name)].flatMap((text) => (text === undefined ? [] : [`--${name}`, text])),
  );
  const wanted = args.text('depth') ?? (settings?.depth === 'loop' ? undefined : settings?.depth);
  const reviews = args.text('review') ?? settings?.review;
  return [
    ...given,
    ...(wanted === undefined ? [] : ['--depth', wanted]),
    ...(reviews === undefined ? [] : ['--review', reviews]),
    ...(args.flag('kickoff') || settings?.kickoff ? ['--kickoff'] : []),
    ...(args.flag('retrospective') || settings?.retrospective ? ['--retrospective'] : []),
  ];
}

/** The main implementer's price at the newest call that had one. */
async function priceOf(
  client: Client,
  ticket: string,
  settings: Settings | null,
): Promise<{ readonly model: string; readonly price: ModelPrice } | undefined> {
  if (!settings) return undefined;
  const call = (await client.history.inspect(ticket)).findLast(({ plan }) => plan.price !== undefined);
  return call?.plan.price ? { model: call.member, price: call.plan.price } : undefined;
}

/** US dollars without a cache. */
function promptCost(price: ModelPrice, tokens: number): number {
  return costOfTokens(price, { input: tokens, output: 0, cacheRead: 0, cacheWrite: 0 }, tokens).input;
}

interface RehearsalSum {
  readonly calls: number;
  readonly tokens: number;
  readonly money: number | null;
  readonly model: string | null;
  readonly whole: boolean;
  readonly status: string | null;
}

function rehearsalText(
  calls: readonly InspectedCall[],
  { tokens, money, model, whole, status }: RehearsalSum,
): string {
  const table = [
    ['call', 'prompt', 'model', 'in', 'tokens', 'parts'],
    ...calls.map(({ prompt, member, label, bead, parts }, index) => [
      String(index + 1),
      oneLine(prompt, 40),
      oneLine(member, 40),
      oneLine(bead === null ? label : `${label}, ${bead}`, 50),
      sumOf(parts).toLocaleString('en'),
      oneLine(parts.map((part) => `${part.name} ${part.tokens.toLocaleString('en')}`).join(', '), 160),
    ]),
  ];
  const price =
    money === null
      ? ''
      : `, US$ ${money.toFixed(4)} at the list price of ${oneLine(model ?? '', 60)} without a cache`;
  return [
    '',
    tableText(table, [0, 4]),
    '',
    `${String(calls.length)} calls, ${tokens.toLocaleString('en')} tokens of prompts${price}. No model was called: the answers were scripted.`,
    ...(whole ? [] : [`The rehearsal ended in ${status ?? 'an error'}, so later calls are missing.`]),
  ].join('\n');
}

/** `options`: of `run`, beside the models. */
interface Rehearsed {
  readonly root: string;
  readonly ticket: Pick<Ticket, 'title' | 'description' | 'baseBranch'>;
  /** Council members beside the main implementer. */
  readonly members: number;
  readonly options: readonly string[];
}

type End = Extract<CliEvent, { type: 'end' }>;

/** Drives a ticket on a temporary copy of the repository (docs/decisions/152-rehearsals.md). */
async function rehearseOnCopy(
  context: CommandContext,
  { root, ticket: { title, description, baseBranch }, members, options }: Rehearsed,
): Promise<{ readonly calls: readonly InspectedCall[]; readonly end: End | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), 'beadsmith-rehearsal-'));
  const names = ['alpha', ...Array.from({ length: members }, (_, at) => `member-${String(at + 1)}`)];
  const model = await startScriptedServer();
  try {
    const copy = join(folder, 'repository');
    await copyRepository(root, copy, baseBranch);
    const config = join(folder, 'opencode.json');
    await writeFile(config, JSON.stringify(providerConfig(model.url, names)));
    const output = new Progress(context.output);
    // Commands of scripted answers are known, and what they change is a copy.
    const env = {
      ...context.env,
      BEADSMITH_TEAM: '',
      BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1',
      BEADSMITH_SCRIPTED: '1',
    };
    const inner: CommandContext = { ...context, cwd: copy, env, output };
    const [main = '', ...council] = names.map((name) => `scripted/${name}`);
    const words = [
      `--title=${title}`,
      `--description=${description}`,
      `--repo=${copy}`,
      `--opencode-config=${config}`,
      `--model=${main}`,
      ...council.map((member) => `--council=${member}`),
      '--approve=all',
      '--end=close',
      ...options,
    ];
    await run.run(inner, parseWords(words, run.options));
    const { end } = output;
    const ticket = end?.ticket ?? null;
    const calls =
      ticket === null
        ? []
        : await Session.open(inner, parseWords(['--repo', copy], commonOptions), ({ app }) =>
            app.client.history.inspect(ticket),
          );
    return { calls, end };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Prints each status, and keeps how the rehearsal ended. */
class Progress implements Output {
  readonly #output: Output;
  end: End | undefined;

  constructor(output: Output) {
    this.#output = output;
  }

  event(event: CliEvent): void {
    if (event.type === 'end') this.end = event;
    const status = event.type === 'status' ? StatusName.safeParse(event.to).data : undefined;
    if (status) this.#output.text(`  ${rowOf(status).label}`);
  }

  text(): void {
    // It is about the copy.
  }

  close(): void {
    this.#output.close();
  }
}
