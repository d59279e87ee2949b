import assert from 'node:assert/strict';
import type { AppOptions } from '../../src/app/createApp.ts';
import type { Product } from '../../src/cli/base/product.ts';
import { runCli } from '../../src/cli/runCli.ts';
import { BeadsmithError } from '../../src/domain/core/errors.ts';
import { CliEvent } from '../../src/protocol/cliEvents.ts';
import { FakeApp } from './fakes/fakeApp.ts';
import type { TicketChanges } from './fakes/ticketPlace.ts';

type EventOf<T extends CliEvent['type']> = Extract<CliEvent, { type: T }>;

interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** The command line in this process, on an app that stands for the real one. */
export class CommandBench {
  readonly app: FakeApp;
  /** It opens the app. */
  readonly product: Product;
  readonly opened: AppOptions[] = [];
  readonly stop = new AbortController();
  cwd = '/sample';
  env: Readonly<Record<string, string>> = { HOME: '/home/ada' };
  isByAgent = false;
  input = '';
  /** Undefined: there is nobody to ask. */
  confirms: boolean | undefined;
  /** How a person at the terminal answers a word to repeat. */
  types: 'the word' | 'something else' | undefined;
  readonly questions: string[] = [];

  constructor(
    changes: TicketChanges = {},
    { app = new FakeApp(changes), ...product }: Partial<Product> & { readonly app?: FakeApp } = {},
  ) {
    this.app = app;
    const none = (): never => {
      throw new BeadsmithError('UNEXPECTED', { reason: 'this test has none of it' });
    };
    this.product = {
      openBackups: none,
      openVerifier: none,
      openTeam: none,
      openTeamDevices: none,
      startTeam: none,
      teamParts: none,
      startRunner: none,
      moveTicket: none,
      openFleet: none,
      serveTeam: none,
      keyLine: none,
      openCleaner: none,
      version: () => Promise.resolve('1.2.3'),
      checkMachine: none,
      checkRepository: none,
      openApp: (options) => {
        this.opened.push(options);
        return Promise.resolve(app);
      },
      isByAgent: () => this.isByAgent,
      ...product,
    };
  }

  /** Kind and body. */
  get sent(): readonly (readonly [string, unknown])[] {
    return this.app.place.sent;
  }

  get created(): FakeApp['created'] {
    return this.app.created;
  }

  /** Words with spaces between them, then those that hold spaces. */
  run(line: string, ...more: readonly string[]): Promise<Ran> {
    return this.#run([...wordsOf(line), ...more]);
  }

  async #run(argv: readonly string[]): Promise<Ran> {
    const written = { out: '', err: '' };
    const sink = (name: 'out' | 'err') => ({ write: (text: string) => (written[name] += text) });
    const { cwd, env, product } = this;
    const exit = await runCli(argv, {
      cwd,
      env,
      product,
      signal: this.stop.signal,
      out: sink('out'),
      err: sink('err'),
      readInput: () => Promise.resolve(this.input),
      ...(this.confirms === undefined
        ? {}
        : { confirm: (question) => this.#answer(question, this.confirms === true) }),
      ...(this.types && {
        askTerminal: (text) => this.#answer(text, this.types === 'the word' ? (wordIn(text) ?? '') : 'no'),
      }),
    });
    return { exit, ...written };
  }

  async json(line: string, ...more: readonly string[]) {
    const { exit, out, err } = await this.#run([...wordsOf(line), ...more, '--json']);
    const events = out
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => CliEvent.parse(JSON.parse(text)));
    assert.equal(err, '', 'what is read by programs is on standard output');
    const all = <T extends CliEvent['type']>(type: T) =>
      events.filter((event): event is EventOf<T> => event.type === type);
    return { exit, events, types: events.map(({ type }) => type), all, end: all('end').at(-1) };
  }

  #answer<T>(question: string, answer: T): Promise<T> {
    this.questions.push(question);
    return Promise.resolve(answer);
  }
}

function wordsOf(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '');
}

export function wordIn(text: string): string | undefined {
  return /type (\w+): $/.exec(text)?.[1];
}

type Sends = readonly [line: string | readonly string[], kind: string, body: unknown];

/** Each files one action, is told its outcome, drives to the next stop, and ends with that exit code. */
export function itSends(
  rows: readonly Sends[],
  makeBench: () => CommandBench = () => new CommandBench(),
): void {
  for (const [line, kind, body] of rows) {
    const words = [line].flat();
    it(`${words.join(' ')} sends ${kind}`, async () => {
      const bench = makeBench();
      const [first = '', ...more] = words;
      const { exit, all, end } = await bench.json(first, ...more);
      assert.deepEqual(all('error'), []);
      assert.deepEqual(bench.sent, [[kind, body]]);
      assert.deepEqual(bench.app.started, [['TST-1']], 'it is driven');
      assert.deepEqual([bench.app.disposed, bench.opened.map(({ drive }) => drive)], [1, [true]]);
      const [id] = all('posted').map((event) => event.id);
      assert.deepEqual(all('outcome'), [
        { type: 'outcome', ticket: 'TST-1', action: kind, id, state: 'consumed' },
      ]);
      const { status } = bench.app.place.detail.ticket;
      assert.deepEqual([end?.exit, end?.ticket, end?.status], [exit, 'TST-1', status]);
    });
  }
}

/** Each is refused with this exit code, and sends nothing. */
type Refuses = readonly [line: string | readonly string[], exit: number, said: RegExp];

export function itRefuses(
  rows: readonly Refuses[],
  makeBench: () => CommandBench = () => new CommandBench(),
): void {
  for (const [line, code, said] of rows) {
    const words = [line].flat();
    it(`${words.join(' ')} is refused: ${said.source}`, async () => {
      const bench = makeBench();
      const [first = '', ...more] = words;
      const { exit, err } = await bench.run(first, ...more);
      assert.match(err, said);
      assert.equal(exit, code, err);
      assert.doesNotMatch(err, /\n\s+at /, 'never a stack');
      assert.deepEqual(bench.sent, []);
      const { exit: same, end } = await makeBench().json(first, ...more);
      assert.deepEqual([same, end?.exit], [code, code]);
    });
  }
}
