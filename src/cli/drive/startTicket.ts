import type { App } from '../../app/app.ts';
import { checkPrompts, checkStart } from '../../app/checkBody.ts';
import { modelsFor } from '../../app/modelsFor.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { estimateOf } from '../../domain/estimate/estimate.ts';
import { reviewEstimateFor, reviewEstimates } from '../../domain/estimate/reviewEstimate.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { parseMember } from '../../domain/council/council.ts';
import { councilOf } from '../../domain/settings/settings.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Client } from '../../protocol/api.ts';
import type { CommandContext } from '../base/command.ts';
import { type Args, UsageError } from '../base/args.ts';
import { readCompleted } from '../../protocol/estimates.ts';
import { checkHandoff } from '../../protocol/handoffs.ts';
import { estimateText, reviewEstimateText } from '../../domain/estimate/estimateText.ts';
import { cleanedText, removedNote, titleFrom } from '../../domain/description/ticketText.ts';
import { readText, ticketIdOf } from '../options/options.ts';
import { fileAction } from './driveToStop.ts';
import { limitsAtStart, settingsOf } from '../options/settingsOptions.ts';

export interface NewTicket {
  readonly title: string;
  readonly description: string;
  readonly priority: number;
  readonly key?: string;
}

/** Throws UsageError without a title, INVALID_INPUT for a file. */
export async function ticketInputOf(context: CommandContext, args: Args): Promise<NewTicket> {
  if (args.text('description-file') !== undefined && args.text('description') !== undefined)
    throw new UsageError('Use either --description or --description-file, not both.');
  const description = (await descriptionOf(context, args)) ?? '';
  const title = args.text('title') ?? titleFrom(description);
  if (title === '')
    throw new UsageError(
      'A ticket requires --title TEXT, or a description whose first line can be used as the title.',
    );
  const key = args.text('key');
  return { title, description, priority: args.whole('priority') ?? 3, ...(key === undefined ? {} : { key }) };
}

/** Refuses before a draft is left. Models are checked later, because starting OpenCode is slow. */
export async function checkBeforeFiling(app: App, args: Args): Promise<void> {
  const { git, prompts } = app.ports;
  // With a key, the ticket may exist and need none of it.
  const body = args.text('key') === undefined ? await startBody(args, app) : undefined;
  if (body?.handoff !== undefined) await checkHandoff(app.client, body.handoff);
  await checkPrompts(prompts);
  await checkStart(git, { baseBranch: args.text('base') });
}

/** Starts OpenCode early. The check of the models reports failures. */
export function prepareModels({ engine, ports }: App): void {
  if (engine) void modelsFor(ports).catch(() => undefined);
}

export async function fileTicket(context: CommandContext, client: Client, input: NewTicket): Promise<Ticket> {
  const ticket = await client.create(input);
  context.output.event({ type: 'created', ticket: ticket.id, title: ticket.title, status: ticket.status });
  return ticket;
}

/** Without unfit characters, whose removal is noted. */
export async function descriptionOf(context: CommandContext, args: Args): Promise<string | undefined> {
  const file = args.text('description-file');
  const given = file === undefined ? args.text('description') : await readText(context, file);
  if (given === undefined) return undefined;
  const { text, removed } = cleanedText(given);
  if (removed > 0) context.output.event({ type: 'note', message: removedNote(removed) });
  return text;
}

/**
 * Files the start of a draft; a driver checks the models too. `complete`: adds what the options don't say.
 * Throws UsageError, PROMPT_REFUSED, MODEL_UNKNOWN, OPENCODE_MISSING, NO_COMMITS, BASE_BRANCH_*,
 * INVALID_INPUT.
 */
export async function startTicket(
  context: CommandContext,
  app: App,
  args: Args,
  ticket: string,
  complete: (body: InboxBody<'start'>) => InboxBody<'start'> = (body) => body,
): Promise<string> {
  const body = complete(await startBody(args, app));
  await checkPrompts(app.ports.prompts);
  const base = await checkStart(app.ports.git, body);
  if (app.engine) await checkModels(app, councilOf(body.settings));
  const { dirty } = app.repository;
  const id = await fileStart(context, app.client, ticket, body, dirty);
  const from = await baseNote(app, base);
  if (from !== undefined) context.output.event({ type: 'note', message: from });
  return id;
}

/** Files the start of a team's draft, whose runner checks the rest. Throws as `startTicket`. */
export async function startInTeam(
  context: CommandContext,
  client: Client,
  args: Args,
  ticket: string,
): Promise<string> {
  return fileStart(context, client, ticket, await startBody(args));
}

/** `dirty`: changes of the checkout that the ticket doesn't see. */
async function fileStart(
  context: CommandContext,
  client: Client,
  ticket: string,
  body: InboxBody<'start'>,
  dirty = 0,
): Promise<string> {
  if (body.handoff !== undefined) await checkHandoff(client, body.handoff);
  const note = (message: string): void => context.output.event({ type: 'note', message });
  if (dirty > 0)
    note(
      `Your checkout has ${String(dirty)} uncommitted ${dirty === 1 ? 'change' : 'changes'}. They stay as they are, and the ticket doesn't see them: it starts from the last commit.`,
    );
  const completed = await readCompleted(client);
  const planned = estimateOf(body.settings.depth, completed);
  const how =
    body.settings.depth === 'loop' ? 'Coded without a plan' : `Planned at depth ${body.settings.depth}`;
  note(`${how}: ${estimateText(planned)}.`);
  const { review, mainImplementer, councilMembers, reviewer } = body.settings;
  const hasSecondModel = [...councilMembers, reviewer].some(
    (member) => member !== '' && member !== mainImplementer,
  );
  const added = reviewEstimateFor(review, hasSecondModel, reviewEstimates(completed), body.settings);
  if (added) note(`${reviewEstimateText(added)}.`);
  return fileAction(client, context.output, ticket, 'start', body);
}

async function baseNote({ ports: { git } }: App, name: string): Promise<string | undefined> {
  const base = await git.base(name);
  if (!base) return undefined;
  const { branch, commit, side, ahead, behind } = base;
  const start = `The ticket starts from ${side === 'origin' ? 'origin/' : ''}${branch} (${commit.slice(0, 12)}).`;
  if (ahead + behind === 0) return start;
  const other = side === 'origin' ? branch : `origin/${branch}`;
  return `${start} As of the last fetch, ${branch} is ${String(ahead)} ahead of origin/${branch} and ${String(behind)} behind it. To start from ${other} instead, use --base ${other}.`;
}

async function startBody(args: Args, app?: App): Promise<InboxBody<'start'>> {
  if (args.text('model') === undefined) {
    const models = app?.engine ? await modelsFor(app.ports).catch(() => []) : [];
    throw new UsageError(
      `A ticket needs --model PROVIDER/MODEL to start.${models.length > 0 ? ` OpenCode offers: ${shortList(models)}` : ' "beadsmith doctor" lists the models.'}`,
    );
  }
  const base = args.text('base');
  const handoff = handoffOf(args);
  return {
    settings: settingsOf(args),
    limits: limitsAtStart(args),
    ...(base === undefined ? {} : { baseBranch: base }),
    ...(handoff === undefined ? {} : { handoff }),
  };
}

function handoffOf(args: Args): InboxBody<'start'>['handoff'] {
  const word = args.text('handoff');
  if (word === undefined || word === 'none') return undefined;
  return word === 'latest' ? word : ticketIdOf(word);
}

async function checkModels(app: App, members: readonly string[]): Promise<void> {
  const known = await modelsFor(app.ports);
  for (const text of members) {
    const { provider, model } = parseMember(text);
    if (!known.includes(`${provider}/${model}`))
      throw new BeadsmithError('MODEL_UNKNOWN', { model: text, models: shortList(known) });
  }
}

function shortList(models: readonly string[]): string {
  const shown = models.slice(0, 30).join(', ');
  return models.length > 30
    ? `${shown} and ${String(models.length - 30)} more`
    : shown || 'none; sign in with "opencode auth login"';
}
