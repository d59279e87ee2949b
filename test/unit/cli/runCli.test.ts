import assert from 'node:assert/strict';
import * as z from 'zod';
import { exitCodes } from '../../../src/cli/base/exitCodes.ts';
import { commands } from '../../../src/cli/commandTable.ts';
import { runCli } from '../../../src/cli/runCli.ts';
import { CommandBench } from '../../support/commandBench.ts';

const Event = z.looseObject({ type: z.string() });

async function run(...argv: readonly string[]) {
  const written = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({ write: (text: string) => (written[name] += text) });
  const exit = await runCli(argv, {
    out: sink('out'),
    err: sink('err'),
    cwd: '/nowhere',
    env: {},
    signal: new AbortController().signal,
    product: new CommandBench().product,
    readInput: () => Promise.resolve(''),
  });
  return { exit, ...written };
}
async function events(...argv: readonly string[]) {
  const { out } = await run(...argv, '--json');
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Event.parse(JSON.parse(line)));
}

describe('the command line', () => {
  it('lists all commands without a word, and for help', async () => {
    for (const argv of [[], ['help'], ['--help'], ['-h']]) {
      const { exit, out } = await run(...argv);
      assert.equal(exit, exitCodes.done);
      for (const { name } of commands) assert.ok(out.includes(name), name);
    }
  });

  it('says which version it is', async () => {
    const { exit, out } = await run('--version');
    assert.deepEqual([exit, out], [exitCodes.done, '1.2.3\n']);
  });

  for (const { name, about } of commands)
    it(`explains ${name}, however it is asked`, async () => {
      const words = name.split(' ');
      const [asked, option, short] = await Promise.all([
        run('help', ...words),
        run(...words, '--help'),
        run(...words, '-h'),
      ]);
      assert.ok(asked.out.includes(about.slice(1)));
      assert.deepEqual([option.out, short.out], [asked.out, asked.out]);
      assert.deepEqual([asked.exit, option.exit], [exitCodes.done, exitCodes.done]);
    });

  it('says which word it doesn’t know, and where to look', async () => {
    const { exit, out, err } = await run('destroy', 'everything');
    assert.equal(exit, exitCodes.usage);
    assert.match(`${out}${err}`, /"destroy"[^]*beadsmith help/);
    assert.equal((await run('help', 'destroy')).exit, exitCodes.usage);
  });

  it('says how a command is meant that has too few or too many words', async () => {
    for (const argv of [['show'], ['show', 'ABC-1', 'prd', 'more'], ['approve']]) {
      const { exit, out, err } = await run(...argv);
      assert.equal(exit, exitCodes.usage, argv.join(' '));
      assert.match(`${out}${err}`, new RegExp(`Usage: beadsmith ${argv[0] ?? ''}`));
    }
  });

  it('refuses options that a command doesn’t have, and values where there is none', async () => {
    for (const argv of [
      ['list', '--sideways'],
      ['list', '--repo'],
    ])
      assert.equal((await run(...argv)).exit, exitCodes.usage, argv.join(' '));
  });

  it('ends its events with the exit code, also after an error', async () => {
    const [error, end] = await events('destroy');
    assert.deepEqual([error?.type, error?.['code']], ['error', 'USAGE']);
    assert.deepEqual([end?.type, end?.['exit'], end?.['ticket']], ['end', exitCodes.usage, null]);
    const [help] = await events('help');
    assert.deepEqual([help?.type, help?.['exit']], ['end', exitCodes.done]);
    assert.match(String(help?.['help']), /approve/, 'programs get the text, too');
  });

  it('writes nothing that a terminal obeys, whatever it was given', async () => {
    const { out, err } = await run(`\u001B[2J${'x'.repeat(200)}`);
    assert.doesNotMatch(`${out}${err}`, /\u001B/);
    assert.ok(`${out}${err}`.length < 400, 'a long word is cut');
  });

  it('tells where an error comes from only when that is asked for', async () => {
    const [plain, debug] = await Promise.all([run('destroy'), run('destroy', '--debug')]);
    assert.doesNotMatch(plain.err, /runCli/);
    assert.match(debug.err, /runCli/);
  });
});
