import { type ModelPrice, costOfTokens } from '../../../domain/usage/modelPrice.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { Client } from '../../../protocol/api.ts';
import type { InspectedCall } from '../../../protocol/inspection.ts';
import { type Command, type CommandContext, endCommand } from '../../base/command.ts';
import { Session } from '../../drive/session.ts';
import { exitCodes } from '../../base/exitCodes.ts';
import { type Args, parseWords } from '../../base/args.ts';
import { commonOptions, opencodeOptions, ticketIdOf } from '../../options/options.ts';
import { someOptions } from '../../options/settingsOptions.ts';
import { oneLine, type Output, tableText } from '../../base/output.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository } from '../../../demo/writeSampleRepository.ts';
import { providerConfig } from '../../../demo/providerConfig.ts';
import { startScriptedServer } from '../../../demo/scriptedServer.ts';
import { StatusName } from '../../../domain/ticket/ticket.ts';
import { rowOf } from '../../../domain/workflow/workflow.ts';
import type { CliEvent } from '../../../protocol/cliEvents.ts';
import { run } from '../run.ts';

/** `rehearse`: a ticket on a copy, with scripted answers (docs/decisions/152-rehearsals.md). */
export const rehearse: Command = {
  name: 'rehearse',
  words: 'ABC-12',
  about:
    'drive a ticket on a copy of the repository with scripted answers, and print the calls, their parts, tokens and price; costs nothing',
  takes: [1, 1],
  changes: 'always',
  options: {
    ...commonOptions,
    ...someOptions('depth', 'review', 'kickoff', 'retrospective'),
    opencode: opencodeOptions.opencode,
    members: {
      value: 'N',
      about: "council members beside the main implementer; default: the ticket's, or 2",
    },
  },
  run: async (context, args) => {
    const id = ticketIdOf(args.positionals[0]);
    const { ticket, root, price } = await Session.with(
      context,
      args,
      { purpose: 'file' },
      async ({ app }) => {
        const known = (await app.client.ticket(id)).ticket;
        return {
          ticket: known,
          root: app.repository.root,
          price: await priceOf(app.client, id, known.settings),
        };
      },
    );
    const { title, description, baseBranch, settings } = ticket;
    const members = args.whole('members') ?? settings?.councilMembers.length ?? 2;
    context.output.text(`Rehearsing ${id} on a copy of the repository, with scripted answers:`);
    const rehearsed = {
      root,
      branch: baseBranch,
      title,
      description,
      members,
      options: optionsOf(args, settings),
    };
    const rehearsal = await rehearseOnCopy(context, rehearsed);
    const { calls, end } = rehearsal;
    for (const { prompt, member, label, bead, iteration, parts } of calls) {
      const shown = parts.map(({ name, kind, tokens }) => ({ name, kind, tokens }));
      context.output.event({
        type: 'rehearsed',
        ticket: id,
        prompt,
        member,
        phase: label,
        bead,
        iteration,
        parts: shown,
      });
    }
    const tokens = calls.reduce((sum, call) => sum + promptTokens(call), 0);
    const money = price
      ? calls.reduce((sum, call) => sum + promptCost(price.price, promptTokens(call)), 0)
      : null;
    const whole = isWhole(rehearsal);
    const reached = end?.status ?? null;
    const sum = { calls: calls.length, tokens, money, model: price?.model ?? null, whole, status: reached };
    context.output.text(rehearsalText(calls, sum));
    context.output.event({ type: 'rehearsal', ticket: id, ...sum });
    const stopped = [exitCodes.interrupted, exitCodes.terminated].find((code) => code === end?.exit);
    const exit = whole ? exitCodes.done : (stopped ?? exitCodes.failed);
    return endCommand(context, { ticket: id, status: ticket.status }, exit);
  },
};

/** Options of `run`: what was asked for, else what the ticket's own settings are, if it was started. */
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

/** The price of the main implementer, as it was with the newest call of the ticket that had one. */
async function priceOf(
  client: Client,
  ticket: string,
  settings: Settings | null,
): Promise<{ readonly model: string; readonly price: ModelPrice } | undefined> {
  if (!settings) return undefined;
  const call = (await client.history.inspect(ticket)).findLast(({ plan }) => plan.price !== undefined);
  return call?.plan.price ? { model: call.member, price: call.plan.price } : undefined;
}

function promptTokens({ parts }: InspectedCall): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Returns the cost of a prompt in US dollars if no cache gives anything of it. */
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
      parts.reduce((sum, part) => sum + part.tokens, 0).toLocaleString('en'),
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

/** The ticket that is rehearsed. `options`: of `run`, beside the models, which are scripted. */
interface Rehearsed {
  readonly root: string;
  readonly branch: string | null;
  readonly title: string;
  readonly description: string;
  /** Number of models that the council has beside the main implementer. */
  readonly members: number;
  readonly options: readonly string[];
}

interface Rehearsal {
  readonly calls: readonly InspectedCall[];
  readonly end: Extract<CliEvent, { type: 'end' }> | undefined;
}

/**
 * Drives a ticket on a copy of the repository, which is removed in the end, with the real OpenCode and
 * scripted answers (docs/decisions/152-rehearsals.md). Throws GIT_FAILED, and what `run` throws.
 */
async function rehearseOnCopy(context: CommandContext, what: Rehearsed): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'beadsmith-rehearsal-'));
  const names = ['alpha', ...Array.from({ length: what.members }, (_, at) => `member-${String(at + 1)}`)];
  const model = await startScriptedServer();
  try {
    const copy = join(folder, 'repository');
    await copyRepository(what.root, copy, what.branch);
    const config = join(folder, 'opencode.json');
    await writeFile(config, JSON.stringify(providerConfig(model.url, names)));
    const output = new Progress(context.output);
    // Commands of scripted answers are known, and what they change is a copy.
    const env = { ...context.env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1', BEADSMITH_SCRIPTED: '1' };
    const inner: CommandContext = { ...context, cwd: copy, env, output };
    const [main = '', ...council] = names.map((name) => `scripted/${name}`);
    const words = [
      `--title=${what.title}`,
      `--description=${what.description}`,
      '--repo',
      copy,
      '--opencode-config',
      config,
      '--model',
      main,
      ...council.flatMap((member) => ['--council', member]),
      '--approve',
      'all',
      '--end',
      'close',
      ...what.options,
    ];
    await run.run(inner, parseWords(words, run.options));
    const { end } = output;
    const ticket = end?.ticket ?? null;
    const calls =
      ticket === null
        ? []
        : await Session.with(
            inner,
            parseWords(['--repo', copy], commonOptions),
            { purpose: 'file' },
            ({ app }) => app.client.history.inspect(ticket),
          );
    return { calls, end };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns true if a rehearsal came as far as a ticket comes without a person who merges. */
function isWhole({ end }: Rehearsal): boolean {
  return end?.exit === exitCodes.done || end?.exit === exitCodes.gate;
}

/** Says which status a rehearsal is in, and keeps how it ended. */
class Progress implements Output {
  readonly #output: Output;
  end: Rehearsal['end'];

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
