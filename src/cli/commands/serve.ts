import { access, constants, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { invalidInput } from '../../domain/core/errors.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';
import { type Args, UsageError } from '../base/args.ts';
import { type Command, type CommandContext, endCommand } from '../base/command.ts';
import { oneLine } from '../base/output.ts';
import { teamOptions, teamUrl } from '../drive/team.ts';
import { commonOptions } from '../options/options.ts';
import { type Address, isLoopback } from '../serve/address.ts';

const usualPort = 4180;

export const serve: Command = {
  name: 'serve',
  words: '--team URL',
  about: "serve a team's tickets to browsers, where people decide, until Ctrl+C",
  takes: [0, 0],
  changes: 'always',
  options: {
    ...teamOptions,
    host: { value: 'ADDRESS', about: 'address to listen at; default: 127.0.0.1' },
    port: { value: 'N', about: `port to listen at, 0 for a free one; default: ${usualPort}` },
    cert: { value: 'FILE', about: 'certificate for HTTPS, with its chain, as PEM' },
    key: { value: 'FILE', about: 'private key of the certificate, as PEM' },
    'behind-proxy': {
      value: 'ORIGIN',
      about: 'origin of the HTTPS proxy in front, such as https://team.example.com; the server speaks HTTP',
    },
    'trust-header': {
      value: 'NAME',
      about:
        'header in which that proxy names the person, who must be the one of the device; only at a loopback address',
    },
    notify: {
      value: 'PROGRAM',
      about:
        'program to run when a ticket begins to wait for people or ended; its input is JSON, see docs/team.md',
    },
    json: commonOptions.json,
    debug: commonOptions.debug,
  },
  run: async (context, args) => {
    const { output, product, env, signal } = context;
    const url = teamUrl(context, args);
    const address = await addressOf(context, args);
    const notify = args.text('notify');
    const server = await product.serveTeam({
      url,
      env,
      address,
      audit: (line) => {
        const event: Extract<CliEvent, { type: 'audit' }> = { type: 'audit', at: Date.now(), ...line };
        output.event(event);
        output.text(auditText(event));
      },
      ...(notify === undefined
        ? {}
        : {
            notify: {
              program: await programAt(context, notify),
              say: (line) => {
                const event: Extract<CliEvent, { type: 'notice' }> = {
                  type: 'notice',
                  at: Date.now(),
                  ...line,
                };
                output.event(event);
                output.text(noticeText(event));
              },
            },
          }),
    });
    output.event({ type: 'served', url: server.url });
    output.text(
      [
        `The team's tickets are at ${server.url}`,
        'To add a browser, run "beadsmith team pair --person NAME", and enter the code there. Ctrl+C stops it.',
      ].join('\n'),
    );
    await new Promise<void>((done) => {
      if (signal.aborted) done();
      signal.addEventListener('abort', () => done(), { once: true });
    });
    await server.close();
    return endCommand(context);
  },
};

/** Throws UsageError, and INVALID_INPUT for files that can't be read. */
async function addressOf(context: CommandContext, args: Args): Promise<Address> {
  const host = args.text('host') ?? '127.0.0.1';
  const port = args.whole('port') ?? usualPort;
  if (port > 65_535) throw new UsageError('--port takes a number from 0 to 65535.');
  const [cert, key] = [args.text('cert'), args.text('key')];
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('Specify both --cert and --key, or neither.');
  const proxy = originOf(args.text('behind-proxy'));
  if (cert !== undefined && proxy !== undefined)
    throw new UsageError('Use either --cert or --behind-proxy, not both.');
  if (cert === undefined && proxy === undefined && !isLoopback(host))
    throw new UsageError(
      'Without HTTPS, only this machine is served. Specify --cert and --key, or --behind-proxy.',
    );
  const trustHeader = args.text('trust-header');
  if (trustHeader !== undefined && !/^[A-Za-z][A-Za-z0-9-]{0,60}$/.test(trustHeader))
    throw new UsageError('--trust-header takes the name of a header.');
  if (trustHeader !== undefined && (proxy === undefined || !isLoopback(host)))
    throw new UsageError('--trust-header needs --behind-proxy and a loopback address.');
  return {
    listen: { host, port },
    ...(cert !== undefined && key !== undefined
      ? { tls: { cert: await readPem(context, cert), key: await readPem(context, key) } }
      : {}),
    ...(proxy === undefined ? {} : { proxy }),
    ...(trustHeader === undefined ? {} : { trustHeader }),
  };
}

function originOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
  throw new UsageError('--behind-proxy takes an origin, such as https://team.example.com.');
}

async function readPem({ cwd }: CommandContext, name: string): Promise<string> {
  const text = await readFile(resolve(cwd, name), 'utf8').catch(() => '');
  if (!text.includes('-----BEGIN')) throw invalidInput(name, "it can't be read as PEM");
  return text;
}

/** A path as a path, and a bare name as the system finds it. Throws INVALID_INPUT for one that can't run. */
async function programAt({ cwd }: CommandContext, program: string): Promise<string> {
  if (!/[/\\]/.test(program)) return program;
  const path = resolve(cwd, program);
  await access(path, constants.X_OK).catch(() => {
    throw invalidInput('--notify', `${program} can't be run`);
  });
  return path;
}

function noticeText({ at, outcome, reason, ...about }: Extract<CliEvent, { type: 'notice' }>): string {
  const { repository = '', ticket = '', kind = '', tries = 0 } = about;
  const words = [new Date(at).toISOString(), 'notice', repository, ticket, kind, outcome];
  const line = words.filter((word) => word !== '').map((word) => oneLine(word, 80));
  const why = reason === undefined ? '' : `${tries > 1 ? ` (try ${tries})` : ''}: ${oneLine(reason, 300)}`;
  return `${line.join('  ')}${why}`;
}

function auditText({ at, action, outcome, from, ...about }: Extract<CliEvent, { type: 'audit' }>): string {
  const { person = '', device = '', repository = '', ticket = '', runner = '' } = about;
  const words = [
    new Date(at).toISOString(),
    from,
    person,
    device.slice(0, 12),
    action,
    repository,
    ticket,
    runner,
    outcome,
  ];
  return words
    .filter((word) => word !== '')
    .map((word) => oneLine(word, 80))
    .join('  ');
}
