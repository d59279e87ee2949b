import type { InboxBody, InboxKind } from '../../domain/ticket/inbox.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { reportOutcome } from './driveToStop.ts';
import { exitAt, finish, finishInterrupted } from './finish.ts';
import { policyOf } from './gatePolicy.ts';
import { Session } from './session.ts';
import { exitOf } from '../base/exitCodes.ts';
import type { Args, OptionSpecs } from '../base/args.ts';
import { commonOptions, drivingOptions, policyOptions, ticketIdOf } from '../options/options.ts';

/** The input that a body is made from. `words` are those after the ticket's id. */
export interface ActionInput {
  readonly context: CommandContext;
  readonly args: Args;
  readonly words: readonly string[];
  readonly client: Client;
  readonly detail: TicketDetail;
}

export interface ActionSpec<K extends InboxKind> {
  readonly name: string;
  /** The action; what leads on may depend on where the ticket stands. */
  readonly kind: K | ((detail: TicketDetail) => K);
  readonly words?: string;
  readonly about: string;
  /** The number of words that may follow the ticket's id; default none. */
  readonly takes?: readonly [least: number, most: number];
  readonly options?: OptionSpecs;
  readonly body: (input: ActionInput) => InboxBody<K> | Promise<InboxBody<K>>;
}

/**
 * A command that sends one action to one ticket: files it, then drives (or watches the driver) to the next
 * stop. Exit code: where the ticket stands then; a refused action is bad input.
 */
export function actionCommand<K extends InboxKind>(spec: ActionSpec<K>): Command {
  const [least, most] = spec.takes ?? [0, 0];
  return {
    name: spec.name,
    words: `ABC-12${spec.words === undefined ? '' : ` ${spec.words}`}`,
    about: spec.about,
    takes: [least + 1, most + 1],
    changes: 'always',
    options: { ...commonOptions, ...drivingOptions, ...policyOptions, ...spec.options },
    run: async (context, args) => {
      const [word, ...words] = args.positionals;
      const ticket = ticketIdOf(word);
      const policy = await policyOf(context, args);
      return Session.with(
        context,
        args,
        { purpose: 'drive', merges: spec.kind === 'merge' },
        async (session) => {
          const { client } = session.app;
          const detail = await client.ticket(ticket);
          const kind = typeof spec.kind === 'function' ? spec.kind(detail) : spec.kind;
          const body = await spec.body({ context, args, words, client, detail });
          const { id } = await client.act(ticket, kind, body);
          context.output.event({ type: 'posted', ticket, action: kind, id });
          if (args.flag('no-wait')) {
            return endCommand(context, { ticket, status: detail.ticket.status });
          }
          const stop = await session.drive(ticket, policy);
          if (!stop) return finishInterrupted(context, session.app, ticket);
          const outcome = await reportOutcome(session.app, context.output, ticket, kind, id);
          return finish(
            context,
            session.app,
            stop,
            outcome?.state === 'refused' ? exitOf(outcome.code) : exitAt(stop),
          );
        },
      );
    },
  };
}
