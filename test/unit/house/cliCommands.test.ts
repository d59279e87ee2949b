import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import type { Command } from '../../../src/cli/base/command.ts';
import { commands, formCommands } from '../../../src/cli/commandTable.ts';
import { exitCodes } from '../../../src/cli/base/exitCodes.ts';
import { limitOptions } from '../../../src/cli/options/settingsOptions.ts';
import { CommandBench } from '../../support/commandBench.ts';

const folder = 'src/cli/commands';
const files = globSync('**/*.ts', { cwd: join(root, folder) }).map((file) => file.replaceAll('\\', '/'));
const testOf = (file: string): string =>
  join(root, 'test/unit/cli/commands', file.replace(/\.ts$/, '.test.ts'));

/** The commands that a file exports, also in lists. */
async function commandsIn(file: string): Promise<readonly Command[]> {
  const module = (await import(join(root, folder, file))) as Record<string, unknown>;
  return Object.values(module)
    .flat()
    .filter((one): one is Command => commands.some((command) => command === one));
}

/** What an agent may use, because it changes nothing. */
const onlyRead = [
  'list',
  'show',
  'team devices',
  'logs',
  'usage',
  'findings',
  'fleet',
  'export',
  'estimate',
  'verify',
  'replay',
  'doctor',
  'personas',
  'beads get',
  'beads diff',
  'context list',
  'dismissals list',
];
/** What reads, and changes something with these options alone. */
const changeWith: Readonly<Record<string, readonly string[]>> = {
  context: ['preview'],
  'context rules': ['file'],
  handoff: ['file', 'remove'],
  limits: ['file', ...Object.keys(limitOptions)],
  prompts: ['override'],
};

/** A line that the command takes, as far as its words and the options given here go. */
function lineOf({ name, takes: [least], options }: Command, given: readonly string[]): readonly string[] {
  const words = Array.from({ length: least }, (_, at) => (at === 0 ? 'TST-1' : '1'));
  const values = given.flatMap((option) =>
    options[option]?.value === undefined ? [`--${option}`] : [`--${option}`, '1'],
  );
  return [...name.split(' '), ...words, ...values];
}

/** What an agent gets from a command, and what of the product was opened for it. */
async function runByAgent(command: Command, given: readonly string[] = []) {
  const opened: string[] = [];
  const open = (what: string) => (): never => {
    opened.push(what);
    throw new Error(what);
  };
  const bench = new CommandBench(
    {},
    {
      openApp: open('app'),
      openBackups: open('backups'),
      openVerifier: open('verifier'),
      openCleaner: open('cleaner'),
    },
  );
  bench.isByAgent = true;
  bench.confirms = true;
  bench.types = 'the word';
  const [first = '', ...more] = lineOf(command, given);
  const { exit, all } = await bench.json(first, ...more);
  return { exit, code: all('error')[0]?.code, opened, questions: bench.questions };
}

describe('the commands of the command line', () => {
  it('have a unit test for each of their files', () => {
    assert.deepEqual(
      files.filter((file) => !existsSync(testOf(file))),
      [],
    );
  });

  it('are each run by the unit test of their file', async () => {
    const found = await Promise.all(files.map(async (file) => ({ file, own: await commandsIn(file) })));
    // The commands of forms have one test for all of them.
    const names = [...found.flatMap(({ own }) => own), ...formCommands].map(({ name }) => name);
    assert.deepEqual(
      names.toSorted(),
      commands.map(({ name }) => name).toSorted(),
      'the files have all commands of the table',
    );
    const untried = found.flatMap(({ file, own }) => {
      const text = existsSync(testOf(file)) ? readFileSync(testOf(file), 'utf8') : '';
      return own
        .filter(({ name }) => !new RegExp(`['"\`]${name}(?=[ '"\`])`).test(text))
        .map(({ name }) => `${file}: ${name}`);
    });
    assert.deepEqual(untried, []);
  });

  it('say whether they change something', () => {
    const named = (wanted: Command['changes']): readonly string[] =>
      commands.filter(({ changes }) => changes === wanted).map(({ name }) => name);
    assert.deepEqual(named('nothing').toSorted(), onlyRead.toSorted());
    const mixed = commands.flatMap(({ name, changes }) =>
      typeof changes === 'string' ? [] : [[name, [...changes].toSorted()] as const],
    );
    assert.deepEqual(
      Object.fromEntries(mixed),
      Object.fromEntries(Object.entries(changeWith).map(([name, of]) => [name, of.toSorted()])),
    );
  });

  for (const command of commands) {
    const { name, changes } = command;
    const refused =
      changes === 'always' ? [[]] : changes === 'nothing' ? [] : changes.map((option) => [option]);
    for (const given of refused)
      it(`refuse an agent's child, without opening anything: ${[name, ...given].join(' --')}`, async () => {
        const { exit, code, opened, questions } = await runByAgent(command, given);
        assert.deepEqual([exit, code, opened, questions], [exitCodes.undecided, 'DECISION_BY_AGENT', [], []]);
      });
    if (changes !== 'always')
      it(`let an agent's child read: ${name}`, async () =>
        assert.notEqual((await runByAgent(command)).code, 'DECISION_BY_AGENT'));
  }
});
