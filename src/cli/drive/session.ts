import type { App } from '../../app/app.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { appOptions, isUnattended } from '../options/options.ts';
import type { Args } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { type AppHolder, driveToStop } from './driveToStop.ts';
import { type GatePolicy, coversAll, parseGates } from './gatePolicy.ts';
import { noSandbox, type SandboxGap } from '../../domain/environment/sandbox.ts';
import { randomInt } from 'node:crypto';
import type { Decisions } from '../../app/admission.ts';
import { oneLine } from '../base/output.ts';

/** A driver that lost its place, or a follower whose driver ended, opens again. */
export class Session implements AppHolder {
  readonly #context: CommandContext;
  readonly #options: AppOptions;
  readonly args: Args;
  readonly decider: Decider;
  #app: App;
  #wanted: readonly string[] = [];

  private constructor(
    context: CommandContext,
    options: AppOptions,
    app: App,
    { args, decider }: Pick<Session, 'args' | 'decider'>,
  ) {
    this.args = args;
    this.decider = decider;
    this.#context = context;
    this.#options = options;
    this.#app = app;
  }

  /** To read and to file; no ticket is driven. */
  static async open<T>(
    context: CommandContext,
    args: Args,
    work: (session: Session) => Promise<T>,
    { drive = false, merges = false } = {},
  ): Promise<T> {
    const decider = new Decider(context);
    const options = await appOptions(context, args, drive, decider);
    const session = new Session(context, options, await context.product.openApp(options), {
      args,
      decider,
    });
    session.#sayMode(drive);
    try {
      refuseUnattended(context, args, { gap: session.app.client.repository.unsandboxed, merges });
      return await work(session);
    } finally {
      await session.#app.dispose();
    }
  }

  /** `merges`: the command itself is a merge. */
  static toDrive<T>(
    context: CommandContext,
    args: Args,
    work: (session: Session) => Promise<T>,
    { merges = false } = {},
  ): Promise<T> {
    return Session.open(context, args, work, { drive: !args.flag('no-wait'), merges });
  }

  get app(): App {
    return this.#app;
  }

  async reopen(): Promise<void> {
    await this.#app.dispose();
    this.#app = await this.#context.product.openApp(this.#options);
    this.#sayMode(true);
    this.#listen();
    await this.#app.start(this.#wanted);
  }

  /** Drives or watches a ticket to the next stop; undefined when aborted. */
  async drive(ticket: string, policy: GatePolicy): Promise<TicketDetail | undefined> {
    const { mode, reason } = this.#app.client.repository;
    if (mode === 'readOnly') throw new BeadsmithError('DATABASE_READ_ONLY', { reason });
    this.decider.takeAsDecided();
    if (this.#wanted.length === 0) {
      this.#wanted = [ticket];
      this.#listen();
      await this.#app.start(this.#wanted);
    }
    return driveToStop(this, ticket, { policy, signal: this.#context.signal, output: this.#context.output });
  }

  #listen(): void {
    this.#app.client.onEvent((event) => {
      if (this.#wanted.includes(event.ticket)) this.#context.output.event(event);
    });
  }

  #sayMode(drive: boolean): void {
    const say = (message: string): void => this.#context.output.event({ type: 'note', message });
    this.#app.onDidChangeState(({ kind }) => {
      if (kind === 'waiting')
        say('Another process has locked the database. Waiting for the lock to be released.');
      if (kind === 'ready') say('The database is available again.');
    });
    const { mode, reason } = this.#app.client.repository;
    if (mode === 'readOnly') say(reason);
    else if (drive && mode === 'follower')
      say(`Another process is working on the tickets of this repository; waiting for it. ${reason}`.trim());
  }
}

/**
 * Without a sandbox, only people protect files (docs/decisions/105-the-sandbox.md). Throws SANDBOX_NEEDED.
 */
function refuseUnattended(
  context: Pick<CommandContext, 'env'>,
  args: Args,
  { gap, merges }: { readonly gap: SandboxGap | undefined; readonly merges: boolean },
): void {
  if (gap === undefined || isUnattended(context, args)) return;
  const ways = [
    coversAll(parseGates(args.text('approve') ?? 'none')) && '--approve all',
    args.text('end') === 'merge' && '--end merge',
    merges && 'Merging from the command line',
  ];
  const what = ways.find((way) => way !== false);
  if (what === undefined) return;
  throw new BeadsmithError('SANDBOX_NEEDED', { what, reason: noSandbox(gap).message });
}

export function decidesInAdvance(args: Args): boolean {
  return (
    args.text('approve') !== undefined || args.text('answers') !== undefined || args.flag('skip-interview')
  );
}

/** A person at the terminal confirms each decision (docs/decisions/110-decisions-are-sealed.md). */
export class Decider implements Decisions {
  readonly #context: CommandContext;
  #inAdvance = false;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /** From now on, nobody is asked. */
  takeAsDecided(): void {
    this.#inAdvance = true;
  }

  readonly decide: Decisions['decide'] = async ({ ticket, kind, body }) => {
    if (this.#inAdvance) return;
    const details = Object.entries(body).map(
      ([name, value]) => `  ${name}: ${oneLine(JSON.stringify(value), 200)}\n`,
    );
    await this.confirm(`${ticket}: ${kind.replaceAll('_', ' ')}\n${details.join('')}`);
  };

  /** `about`: whole lines. Throws DECISION_NEEDS_PERSON, DECISION_NOT_CONFIRMED. */
  async confirm(about: string): Promise<void> {
    const { askTerminal, signal } = this.#context;
    const word = randomWord();
    const typed = await askTerminal?.(`${about}To confirm, type ${word}: `, signal);
    if (typed === undefined) throw new BeadsmithError('DECISION_NEEDS_PERSON');
    if (typed.trim() !== word) throw new BeadsmithError('DECISION_NOT_CONFIRMED');
  }
}

/** Quick to type, not to be guessed in advance. */
function randomWord(): string {
  const pick = (letters: string): string => letters.charAt(randomInt(letters.length));
  return Array.from({ length: 2 }, () => pick('bdfgklmnprstvz') + pick('aeiou') + pick('lmnrst')).join('');
}
