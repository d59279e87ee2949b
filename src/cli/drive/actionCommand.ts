import { type InboxBody, type InboxKind, inboxBodies } from '../../domain/ticket/inbox.ts';
import { type FormAction, formOf } from '../../domain/workflow/forms.ts';
import type { Client, TicketDetail } from '../../protocol/api.ts';
import { type Args, type OptionSpecs, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { drivingOptions, policyOptions, ticketIdOf } from '../options/options.ts';
import { fileAction } from './driveToStop.ts';
import { driveAndFinish } from './finish.ts';
import { policyOf } from './gatePolicy.ts';
import { Session } from './session.ts';
import { isOfTeam, ownOrTeam } from './team.ts';
import { actInTeam } from './teamAction.ts';

/** `words`: those after the ticket's ID. */
export interface ActionInput {
  readonly context: CommandContext;
  readonly args: Args;
  readonly words: readonly string[];
  readonly client: Client;
  readonly detail: TicketDetail;
}

interface ActionSpec<K extends InboxKind> {
  readonly name: string;
  /** May depend on where the ticket stands. */
  readonly kind: K | ((detail: TicketDetail) => K);
  readonly words?: string;
  readonly about: string;
  /** Number of words after the ticket's ID; default none. */
  readonly takes?: readonly [least: number, most: number];
  readonly options?: OptionSpecs;
  readonly body: (input: ActionInput) => InboxBody<K> | Promise<InboxBody<K>>;
}

/**
 * Files an action, then drives (or watches the driver) to the next stop; a team's runner does it for a team's
 * ticket. A refused action is bad input.
 */
export function actionCommand<K extends InboxKind>(spec: ActionSpec<K>): Command {
  const [least, most] = spec.takes ?? [0, 0];
  return {
    name: spec.name,
    words: `ABC-12${spec.words === undefined ? '' : ` ${spec.words}`}`,
    about: spec.about,
    takes: [least + 1, most + 1],
    changes: 'always',
    options: { ...ownOrTeam, ...drivingOptions, ...policyOptions, ...spec.options },
    run: async (context, args) => {
      const [word, ...words] = args.positionals;
      const ticket = ticketIdOf(word);
      const file = async (client: Client) => {
        const detail = await client.ticket(ticket);
        const action = typeof spec.kind === 'function' ? spec.kind(detail) : spec.kind;
        const body = await spec.body({ context, args, words, client, detail });
        const id = await fileAction(client, context.output, ticket, action, body);
        return { action, id, status: detail.ticket.status };
      };
      if (isOfTeam(context, args)) return actInTeam(context, args, ticket, ({ client }) => file(client));
      const policy = await policyOf(context, args);
      return Session.toDrive(
        context,
        args,
        async (session) => {
          const { status, ...filed } = await file(session.app.client);
          return args.flag('no-wait')
            ? endCommand(context, { ticket, status })
            : driveAndFinish(context, session, { ticket, policy, filed });
        },
        { merges: spec.kind === 'merge' || spec.kind === 'merge_pull_request' },
      );
    },
  };
}

/** The action's form gives the name, sentence and options. */
export function formCommand(action: FormAction): Command {
  return actionCommand<FormAction>({
    name: action.replaceAll('_', '-'),
    kind: action,
    about: optionSentence(formOf(action).about),
    options: formOptions(action),
    body: ({ args }) => {
      const values = formValues(action, args);
      const body = inboxBodies[action].safeParse(values);
      // A bad value is refused where every action is, with what is wrong with it.
      return body.success ? body.data : values;
    },
  });
}

/** One option for each field of the action's form. */
export function formOptions(action: FormAction): OptionSpecs {
  const options: Record<string, OptionSpecs[string]> = {};
  for (const [name, field] of Object.entries(formOf(action).fields)) {
    const about = optionSentence(field.about);
    if (field.kind === 'model') {
      const { option, many } = field;
      options[option] = { value: 'PROVIDER/MODEL', about, ...(many ? { many } : {}) };
      continue;
    }
    if (field.kind === 'choice') {
      options[optionName(name)] = { value: Object.keys(field.choices).join('|'), about };
      continue;
    }
    options[optionName(name)] = field.kind === 'text' ? { value: 'TEXT', about } : { about };
    if (field.kind !== 'text' && field.no)
      options[field.no.option] = { about: optionSentence(field.no.about) };
  }
  return options;
}

/** Values by field; a text that isn't given is empty. */
function formValues(
  action: FormAction,
  args: Args,
): Readonly<Record<string, string | boolean | readonly string[]>> {
  const values: Record<string, string | boolean | readonly string[]> = {};
  for (const [name, field] of Object.entries(formOf(action).fields)) {
    if (field.kind === 'model') {
      const { option, many } = field;
      const given = [args.text(option) ?? args.list(option)].flat().filter((one) => one !== 'none');
      if (args.has(option)) values[name] = many ? given : (given[0] ?? '');
      continue;
    }
    const option = optionName(name);
    if (field.kind === 'text' || field.kind === 'choice') {
      values[name] = args.text(option) ?? '';
      continue;
    }
    const isNo = field.no !== undefined && args.flag(field.no.option);
    if (isNo && args.flag(option))
      throw new UsageError(`Use either --${option} or --${field.no.option}, not both.`);
    if (isNo || args.flag(option)) values[name] = !isNo;
  }
  return values;
}

/** A sentence as `help` writes it: no capital letter, no full stop, straight apostrophes. */
export function optionSentence(about: string): string {
  return (about.charAt(0).toLowerCase() + about.slice(1)).replace(/\.$/, '').replaceAll('’', "'");
}

function optionName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
