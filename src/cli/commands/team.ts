import { join as joinPath } from 'node:path';
import { configRoot } from '../../adapters/system/configRoot.ts';
import type { TeamDevices } from '../../app/teamDevices.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { type TeamKey, TeamName, TeamRole } from '../../domain/team/keys.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { oneLine } from '../base/output.ts';
import { teamOptions, teamUrl } from '../drive/team.ts';
import { commonOptions } from '../options/options.ts';

export const install: Command = {
  name: 'team install',
  words: '',
  about: "install DBOS and PostgreSQL, which runners and team up use, from npm's registry",
  takes: [0, 0],
  changes: 'always',
  options: { json: commonOptions.json, debug: commonOptions.debug },
  run: async (context) => {
    const { output, product, env, signal } = context;
    output.event({ type: 'note', message: 'Installing DBOS and PostgreSQL by npm. This may take a minute.' });
    const { folder, isNew } = await product.teamParts(env).install(signal);
    output.event({
      type: 'note',
      message: isNew ? `Installed in ${folder}.` : `They are installed already, in ${folder}.`,
    });
    return endCommand(context);
  },
};

export const up: Command = {
  name: 'team up',
  words: '',
  about: "start a PostgreSQL server for a team's tickets on this machine, until Ctrl+C",
  takes: [0, 0],
  changes: 'always',
  options: { json: commonOptions.json, debug: commonOptions.debug },
  run: async (context) => {
    const { output, product, env, signal } = context;
    const server = await product.startTeam({ folder: joinPath(configRoot(env), 'team'), env });
    try {
      await registerHere(context, server.url);
      output.event({ type: 'team', url: server.url });
      output.text(
        [
          `PostgreSQL is ready: ${server.url}`,
          '',
          'To use it, run in another terminal:',
          `  export BEADSMITH_TEAM='${server.url}'`,
          '  beadsmith list',
          '',
          'Ctrl+C stops it. The tickets stay.',
        ].join('\n'),
      );
      const stopped = new Promise<'stopped'>((resolve) => {
        if (signal.aborted) resolve('stopped');
        signal.addEventListener('abort', () => resolve('stopped'), { once: true });
      });
      const end = await Promise.race([stopped, server.ended]);
      if (end !== 'stopped' && !signal.aborted)
        throw new BeadsmithError('UNEXPECTED', { reason: 'PostgreSQL ended by itself' });
    } finally {
      await server.stop();
    }
    return endCommand(context);
  },
};

/** Makes this installation an admin. */
async function registerHere({ product, env }: CommandContext, url: string): Promise<void> {
  const devices = await product.openTeamDevices({ url, env });
  try {
    await devices.found();
  } finally {
    await devices.close();
  }
}

const options = { ...teamOptions, json: commonOptions.json, debug: commonOptions.debug };

export const pair: Command = {
  name: 'team pair',
  words: '',
  about: "print a one-time code that adds a person's device to the team; for the team's owner",
  takes: [0, 0],
  changes: 'always',
  options: {
    ...options,
    person: { value: 'NAME', about: 'name of the person whose device it is' },
    role: {
      value: TeamRole.options.join('|'),
      about:
        'reader sees tickets, reviewer also decides, admin also adds and revokes devices; default: reviewer',
    },
  },
  run: async (context, args) => {
    const person = TeamName.safeParse(args.text('person')).data;
    if (person === undefined)
      throw new UsageError('Specify --person NAME: one line, 100 characters at most.');
    const role = TeamRole.safeParse(args.text('role') ?? 'reviewer').data;
    if (role === undefined) throw new UsageError(`--role takes ${TeamRole.options.join(', ')}.`);
    const { code, expiresAt } = await onDevices(context, args, (devices) => devices.pair({ person, role }));
    context.output.event({ type: 'pairing', code, person, role, expiresAt });
    context.output.text(
      [
        `Code for ${person} (${role}): ${code}`,
        '',
        'It works once, within 10 minutes. On the other device, enter it in the browser, or run:',
        `  beadsmith team join ${code}`,
      ].join('\n'),
    );
    return endCommand(context);
  },
};

export const join: Command = {
  name: 'team join',
  words: 'CODE',
  about: 'add this installation to the team with a code of team pair',
  takes: [1, 1],
  changes: 'always',
  options,
  run: async (context, args) => {
    const key = await onDevices(context, args, (devices) => devices.join(args.positionals[0] ?? ''));
    tell(context, key, true);
    context.output.text(`This installation now decides for ${oneLine(key.person)} (${key.role}).`);
    return endCommand(context);
  },
};

export const devices: Command = {
  name: 'team devices',
  words: '',
  about: "list the team's devices",
  takes: [0, 0],
  changes: 'nothing',
  options,
  run: async (context, args) => {
    await onDevices(context, args, async (team) => {
      const [all, own] = [await team.all(), await team.own()];
      for (const key of all) tell(context, key, key.id === own);
      context.output.text(
        all.length === 0
          ? 'The team has no devices.'
          : all.map((key) => deviceLine(key, key.id === own)).join('\n'),
      );
    });
    return endCommand(context);
  },
};

export const revoke: Command = {
  name: 'team revoke',
  words: 'ID',
  about: "revoke a device: its decisions that weren't carried out yet are refused; its key stays revoked",
  takes: [1, 1],
  changes: 'always',
  options: { ...options, yes: { about: 'revoke it without asking' } },
  run: async (context, args) => {
    const [start = ''] = args.positionals;
    return onDevices(context, args, async (team) => {
      const own = await team.own();
      const key = deviceNamed(await team.all(), start);
      context.output.text(deviceLine(key, key.id === own));
      if (
        !args.flag('yes') &&
        (await context.confirm?.("Revoke this device? This can't be undone. [y/N] ")) !== true
      ) {
        context.output.text('Nothing was revoked. To revoke it, add --yes.');
        return endCommand(context);
      }
      const revoked = await team.revoke(key.id);
      const decided = await team.decided(key.id);
      tell(context, revoked, key.id === own, decided);
      context.output.text('The device was revoked.');
      if (decided.length > 0)
        context.output.text(['What it decided before stays:', ...decided.map(decidedLine)].join('\n'));
      return endCommand(context);
    });
  },
};

type Decisions = Awaited<ReturnType<TeamDevices['decided']>>;

async function onDevices<T>(
  context: CommandContext,
  args: Args,
  work: (devices: TeamDevices) => Promise<T>,
): Promise<T> {
  const devices = await context.product.openTeamDevices({ url: teamUrl(context, args), env: context.env });
  try {
    return await work(devices);
  } finally {
    await devices.close();
  }
}

/** By its id, or how it begins. */
function deviceNamed(all: readonly TeamKey[], start: string): TeamKey {
  const found = all.filter(({ id }) => start.length >= 4 && id.startsWith(start.toLowerCase()));
  const [key] = found;
  if (key && found.length === 1) return key;
  throw new UsageError(
    found.length > 1
      ? 'Several devices begin like this. Enter more of the ID.'
      : 'No device has this ID. "beadsmith team devices" lists them.',
  );
}

function tell(
  { output }: CommandContext,
  { publicKey: _publicKey, ...key }: TeamKey,
  own: boolean,
  decided?: Decisions,
): void {
  output.event({ type: 'device', ...key, own, ...(decided && { decided: [...decided] }) });
}

function decidedLine({ repository, ticket, kind, at }: Decisions[number]): string {
  return `  ${new Date(at).toISOString()}  ${oneLine(repository)} ${oneLine(ticket)}  ${kind}`;
}

function deviceLine({ id, person, device, role, addedAt, revokedAt }: TeamKey, own: boolean): string {
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const state = revokedAt === null ? `added ${day(addedAt)}` : `revoked ${day(revokedAt)}`;
  const words = [id.slice(0, 12), role.padEnd(8), oneLine(person, 40), oneLine(device, 60), state];
  return [...words, ...(own ? ['(this installation)'] : [])].join('  ');
}
