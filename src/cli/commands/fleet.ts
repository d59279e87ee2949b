import type { Fleet } from '../../app/runner/fleet.ts';
import { abilitiesText } from '../../domain/team/abilities.ts';
import { commitPlaceOf } from '../../domain/team/commitPlace.ts';
import { needOf, needsText } from '../../domain/team/needs.ts';
import {
  atWorkWords,
  type FleetRunner,
  type FleetState,
  orderWords,
  runnerState,
  type SpentDay,
  sumOfDays,
  waitingWords,
} from '../../protocol/team/fleet.ts';
import { UsageError } from '../base/args.ts';
import { type Command, endCommand } from '../base/command.ts';
import { oneLine, type Output, tableText } from '../base/output.ts';
import { teamOptions, teamUrl } from '../drive/team.ts';
import { commonOptions } from '../options/options.ts';

const options = { ...teamOptions, json: commonOptions.json, debug: commonOptions.debug };

interface FleetCommand extends Pick<Command, 'name' | 'words' | 'about' | 'takes' | 'changes'> {
  /** Throws UsageError, before the database is opened. */
  readonly read: (words: readonly string[]) => (fleet: Fleet, output: Output) => Promise<void>;
}

function onFleet({ read, ...row }: FleetCommand): Command {
  return {
    ...row,
    options,
    run: async (context, args) => {
      const work = read(args.positionals);
      const fleet = await context.product.openFleet({ url: teamUrl(context, args), env: context.env });
      try {
        await work(fleet, context.output);
      } finally {
        await fleet.close();
      }
      return endCommand(context);
    },
  };
}

export const show = onFleet({
  name: 'fleet',
  words: '',
  about: "show a team's runners, their tickets, the queue, cost per day, and what waits for whom",
  takes: [0, 0],
  changes: 'nothing',
  read: () => async (fleet, output) => {
    const state = await fleet.read();
    output.event({ type: 'fleet', ...state });
    output.text(fleetText(state));
  },
});

const orders = {
  pause: { wanted: 'pause', about: 'let a runner take no more tickets' },
  resume: { wanted: 'work', about: 'let a paused runner work again' },
  drain: { wanted: 'drain', about: 'let a runner end once its drives have ended' },
  remove: {
    wanted: 'leave',
    about: 'end a runner at a safe point of its drives, or forget one that is gone',
  },
} as const;

/** `fleet pause`, `fleet resume`, `fleet drain` and `fleet remove`. */
export const control: readonly Command[] = Object.entries(orders).map(([name, { wanted, about }]) =>
  onFleet({
    name: `fleet ${name}`,
    words: 'RUNNER',
    about,
    takes: [1, 1],
    changes: 'always',
    read:
      ([start = '']) =>
      async (fleet, output) => {
        const { id, host } = runnerNamed((await fleet.read()).runners, start);
        await fleet.want(id, wanted);
        output.text(`Runner ${id.slice(0, shown)} on ${oneLine(host, 60)} ${orderWords[wanted]}.`);
      },
  }),
);

export const need = onFleet({
  name: 'fleet need',
  words: 'REPOSITORY [NEED…]',
  about:
    'say what tickets of a repository need of their runner: labels, `sandbox` or `tool:docker`; without words, nothing',
  takes: [1, 20],
  changes: 'always',
  read: ([repository = '', ...words]) => {
    const needs = words.map(needNamed);
    const text = needs.length === 0 ? 'nothing in particular' : needsText(needs);
    return async (fleet, output) => {
      assertKnown(await fleet.need(repository, needs));
      output.text(`Tickets of ${oneLine(repository, 60)} need ${text}.`);
    };
  },
});

function needNamed(word: string): string {
  const need = needOf(word);
  if (need !== undefined) return need;
  throw new UsageError('A need has up to 60 letters, digits, dots, dashes and colons.');
}

export const commits = onFleet({
  name: 'fleet commits',
  words: 'REPOSITORY [URL]',
  about:
    "name a bare repository for the commits of a repository's tickets, instead of its remote; without URL: the remote again",
  takes: [1, 2],
  changes: 'always',
  read: ([repository = '', given = '']) => {
    const url = given === '' ? '' : commitPlaceOf(given);
    if (url === undefined)
      throw new UsageError(
        'Specify an address of HTTPS or SSH, or an absolute path, without a password: git signs in by itself.',
      );
    const place = url === '' ? 'its remote' : oneLine(url, 200);
    return async (fleet, output) => {
      const noted = await fleet.commits(repository, url);
      assertKnown(noted !== 'unknown');
      if (noted === 'taken')
        throw new UsageError(
          'Commits of another repository go there. Name another one: ids of tickets are only unique in their repository.',
        );
      output.text(
        `Commits of tickets of ${oneLine(repository, 60)} go to ${place}, from the next time that a runner takes a ticket.`,
      );
    };
  },
});

function assertKnown(isKnown: boolean): void {
  if (isKnown) return;
  throw new UsageError('The team has no such repository. "beadsmith fleet --json" lists them.');
}

export const limit = onFleet({
  name: 'fleet limit',
  words: '[N|none]',
  about: 'limit the tickets at work at a time over all runners; without a number, remove the limit',
  takes: [0, 1],
  changes: 'always',
  read: ([word = 'none']) => {
    const most = limitOf(word);
    return async (fleet, output) => {
      await fleet.limit(most);
      output.text(
        most === null
          ? 'There is no limit in all. Each runner has its own.'
          : `Runners take tickets while fewer than ${most} are at work in all.`,
      );
    };
  },
});

function limitOf(word: string): number | null {
  if (word === 'none') return null;
  if (/^[1-9]\d{0,2}$/.test(word)) return Number(word);
  throw new UsageError('The limit is a whole number from 1 to 999, or "none".');
}

const shown = 8;

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

function fleetText(fleet: FleetState): string {
  const { runners, queue, atWork, lacking, stages, repositories, waiting, deciders } = fleet;
  const inAll = atWorkWords(atWork);
  const broken = repositories.filter(({ failure }) => failure !== null);
  const named = repositories.filter((one) => one.commits !== '');
  return [
    runners.length === 0 ? 'No runner is there.' : runners.map(runnerLine).join('\n'),
    `Queue: ${queue.waiting} waiting, ${queue.running} running, ${queue.later} later`,
    ...(inAll === undefined ? [] : [inAll]),
    ...lacking.map(
      ({ repository, ticket, needs }) =>
        `  ${oneLine(repository, 60)} ${ticket} waits for a runner with ${oneLine(needsText(needs), 200)}`,
    ),
    ...stages.map(({ label, tickets }) => `${String(tickets).padStart(4)}  ${label}`),
    ...named.map(
      (one) => `Commits of tickets of ${oneLine(one.name, 60)} go to ${oneLine(one.commits, 200)}`,
    ),
    ...costLines(repositories),
    ...(waiting.length === 0
      ? ['Nothing waits for people.']
      : [`Waiting for ${peopleText(deciders)}:`, tableText(waiting.map(waitingRow), [])]),
    ...broken.map(
      ({ name, failure }) => `The tickets of ${oneLine(name, 60)} can't be read (${failure ?? ''}).`,
    ),
  ].join('\n');
}

function runnerLine(runner: FleetRunner): string {
  const { id, host, version, silent, atOnce, driving, seenAt, can } = runner;
  const state = silent ? `silent since ${timeText(seenAt)}` : runnerState(runner);
  const names = driving.map(({ repository, ticket }) => `${oneLine(repository, 60)} ${ticket}`).join(', ');
  const has = abilitiesText(can);
  const load = `${driving.length} of ${atOnce}`;
  const line = [id.slice(0, shown), oneLine(host, 40), oneLine(version, 40), state, load, names];
  return `${line.join('  ').trimEnd()}${has === '' ? '' : `\n  ${oneLine(has, 200)}`}`;
}

/** US dollars of each day; nothing without any answer. */
function costLines(repositories: FleetState['repositories']): readonly string[] {
  const spent = repositories.filter(({ days }) => days.some(({ answers }) => answers > 0));
  const [first] = spent;
  if (!first) return [];
  const rows = spent.map(({ name, days }) => [oneLine(name, 60), ...[...days, sumOfDays(days)].map(cost)]);
  const table = [['US$ per day', ...first.days.map(({ day }) => day.slice(5)), 'total'], ...rows];
  return [tableText(table, [1, 2, 3, 4, 5, 6, 7, 8])];
}

/** A lower bound if some prices aren't known. */
function cost({ answers, money, unpriced }: SpentDay): string {
  if (money === null) return answers === 0 ? '–' : '?';
  return `${unpriced > 0 ? '≥ ' : ''}${money.toFixed(2)}`;
}

function peopleText({ people, roles }: FleetState['deciders']): string {
  const names = people.map((person) => oneLine(person, 40)).join(', ');
  return names === ''
    ? `a ${roles.join(' or ')}, of whom the team has none`
    : `${names} (${roles.join(' or ')})`;
}

function waitingRow({ repository, ticket, label, kind, since, title }: FleetState['waiting'][number]) {
  const place = [`  ${oneLine(repository, 60)}`, ticket, `since ${timeText(since)}`];
  return [...place, waitingWords[kind], `${label}: ${oneLine(title, 80)}`];
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
