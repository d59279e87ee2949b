import type { App } from '../../app/app.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { appOptions } from '../options/appOptions.ts';
import type { Args } from '../base/args.ts';
import type { CommandContext } from '../base/command.ts';
import { Decider } from './decider.ts';
import { type AppHolder, driveToStop } from './driveToStop.ts';
import type { GatePolicy } from './gatePolicy.ts';
import { refuseUnattended } from './refuseUnattended.ts';

/** A command's need of the repository: only to read and file, or to drive as well. */
export type Purpose = 'file' | 'drive';

/**
 * The app of one command. A driver that lost its place, or a follower whose driver ended, opens the
 * repository again.
 */
export class Session implements AppHolder {
  readonly #context: CommandContext;
  readonly #options: AppOptions;
  readonly decider: Decider;
  #app: App;
  #wanted: readonly string[] = [];

  private constructor(context: CommandContext, options: AppOptions, app: App, decider: Decider) {
    this.decider = decider;
    this.#context = context;
    this.#options = options;
    this.#app = app;
  }

  /** Opens the repository, does the work, and closes it again whatever happens. */
  static async with<T>(
    context: CommandContext,
    args: Args,
    { purpose, merges = false }: { readonly purpose: Purpose; readonly merges?: boolean },
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const drive = purpose === 'drive' && !args.flag('no-wait');
    const decider = new Decider(context);
    const options = await appOptions(context, args, drive, decider);
    const session = new Session(context, options, await context.product.openApp(options), decider);
    session.#sayMode(drive);
    try {
      refuseUnattended(context, args, { gap: session.app.client.repository.unboxed, merges });
      return await work(session);
    } finally {
      await session.#app.dispose();
    }
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

  /**
   * Drives (or watches) a ticket to the next stop the policy has no answer for; undefined when a signal ended
   * it.
   */
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
      if (kind === 'waiting') say('Another process has locked the database. Waiting until it is free.');
      if (kind === 'ready') say('The database is free again.');
    });
    const { mode, reason } = this.#app.client.repository;
    if (mode === 'readOnly') this.#context.output.event({ type: 'note', message: reason });
    else if (drive && mode === 'follower')
      this.#context.output.event({
        type: 'note',
        message: `Another process drives the tickets of this repository; waiting for it. ${reason}`.trim(),
      });
  }
}
