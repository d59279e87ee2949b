import { abilitiesText } from '../../domain/team/abilities.ts';
import type { Fleet, FleetRunner, FleetState } from '../../app/runner/fleet.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { oneLine } from '../base/output.ts';
import { teamOptions, teamUrl } from '../drive/team.ts';
import { commonOptions } from '../options/options.ts';

const options = { ...teamOptions, json: commonOptions.json, debug: commonOptions.debug };

export const show: Command = {
  name: 'fleet',
  words: '',
  about: "show a team's runners, their tickets, the queue, and what waits for people",
  takes: [0, 0],
  changes: 'nothing',
  options,
  run: async (context, args) => {
    await onFleet(context, args, async (fleet) => {
      const state = await fleet.read();
      for (const runner of state.runners)
        context.output.event({ type: 'runner', ...runner, driving: [...runner.driving] });
      context.output.event({ type: 'queue', ...state.queue });
      for (const { name, tickets } of state.repositories)
        for (const ticket of tickets) context.output.event({ type: 'ticket', ...ticket, repository: name });
      context.output.text(fleetText(state));
    });
    return endCommand(context);
  },
};

const orders = {
  pause: { wanted: 'pause', about: 'let a runner take no more tickets', said: 'takes no more tickets' },
  resume: { wanted: 'work', about: 'let a paused runner work again', said: 'works' },
  drain: {
    wanted: 'drain',
    about: 'let a runner end once its drives have ended',
    said: 'ends once its drives have ended',
  },
  remove: {
    wanted: 'leave',
    about: 'end a runner at a safe point of its drives, or forget one that is gone',
    said: 'ends',
  },
} as const;

/** `fleet pause`, `fleet resume`, `fleet drain` and `fleet remove`. */
export const control: readonly Command[] = Object.entries(orders).map(([name, { wanted, about, said }]) => ({
  name: `fleet ${name}`,
  words: 'RUNNER',
  about,
  takes: [1, 1],
  changes: 'always',
  options,
  run: async (context, args) => {
    const [start = ''] = args.positionals;
    await onFleet(context, args, async (fleet) => {
      const { id, host } = runnerNamed((await fleet.read()).runners, start);
      await fleet.want(id, wanted);
      context.output.text(`Runner ${id.slice(0, shown)} on ${oneLine(host, 60)} ${said}.`);
    });
    return endCommand(context);
  },
}));

const shown = 8;

async function onFleet<T>(
  context: CommandContext,
  args: Args,
  work: (fleet: Fleet) => Promise<T>,
): Promise<T> {
  const fleet = context.product.openFleet({ url: teamUrl(context, args), env: context.env });
  try {
    return await work(fleet);
  } finally {
    await fleet.close();
  }
}

/** By its id, or how it begins. */
function runnerNamed(all: readonly FleetRunner[], start: string): FleetRunner {
  const found = all.filter(({ id }) => start.length >= 4 && id.startsWith(start.toLowerCase()));
  const [runner] = found;
  if (runner && found.length === 1) return runner;
  throw new UsageError(
    found.length > 1
      ? 'Several runners begin like this. Enter more of the ID.'
      : 'No runner has this ID. "beadsmith fleet" lists them.',
  );
}

function fleetText({ runners, queue, repositories }: FleetState): string {
  const tickets = repositories.flatMap(({ name, tickets }) => tickets.map((one) => ({ ...one, name })));
  const waiting = tickets.filter(({ column }) => column === 'Needs Input');
  const stages = new Map<string, number>();
  for (const { label } of tickets) stages.set(label, (stages.get(label) ?? 0) + 1);
  return [
    runners.length === 0 ? 'No runner is there.' : runners.map(runnerLine).join('\n'),
    `Queue: ${queue.waiting} waiting, ${queue.running} running, ${queue.later} later`,
    ...[...stages].map(([label, count]) => `${String(count).padStart(4)}  ${label}`),
    ...(waiting.length === 0 ? [] : ['Waiting for people:']),
    ...waiting.map(
      ({ name, id, label, title }) => `  ${oneLine(name, 60)}  ${id}  ${label}: ${oneLine(title, 80)}`,
    ),
  ].join('\n');
}

function runnerLine({ id, host, wanted, silent, atOnce, driving, seenAt, can }: FleetRunner): string {
  const state = silent ? `silent since ${new Date(seenAt).toISOString()}` : wantedWords[wanted];
  const names = driving.map(({ repository, ticket }) => `${oneLine(repository, 60)} ${ticket}`).join(', ');
  const has = abilitiesText(can);
  const line = [id.slice(0, shown), oneLine(host, 40), state, `${driving.length} of ${atOnce}`, names];
  return `${line.join('  ').trimEnd()}${has === '' ? '' : `\n  ${oneLine(has, 200)}`}`;
}

const wantedWords = { work: 'works', pause: 'paused', drain: 'drains', leave: 'ends' } as const;
