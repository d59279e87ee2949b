import assert from 'node:assert/strict';
import { commandLine } from '../../../../src/cli/drive/finish.ts';
import { JsonOutput, oneLine, printable } from '../../../../src/cli/base/output.ts';
import { TextOutput } from '../../../../src/cli/output/textOutput.ts';
import { runCli } from '../../../../src/cli/runCli.ts';
import { CliEvent } from '../../../../src/protocol/cliEvents.ts';
import { CommandBench } from '../../../support/commandBench.ts';

class Screen {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 40;
  constructor(isTTY = false) {
    this.isTTY = isTTY;
  }
  write(text: string): void {
    this.text += text;
  }
}
const step: CliEvent = { type: 'step', ticket: 'TST-1', at: 1, run: 'r', key: 'draft', state: 'started' };
const status: CliEvent = { type: 'status', ticket: 'TST-1', at: 1, from: 'DRAFT', to: 'CODING', by: 'x' };

describe('what the command line prints', () => {
  it('is whole lines when it is no terminal', () => {
    const screen = new Screen();
    const output = new TextOutput(screen, screen);
    output.event(step);
    output.event(status);
    output.close();
    assert.equal(screen.text, 'TST-1 Coding (CODING)\n');
  });

  it('has one living line on a terminal, which no other line runs into', () => {
    const screen = new Screen(true);
    const output = new TextOutput(screen, screen);
    output.event(step);
    output.text('a whole line');
    output.event(status);
    output.text('another one');
    output.close();
    const [first, second, third, rest] = screen.text.split('\n');
    assert.match(first ?? '', /draft: started\r\u001B\[Ka whole line$/);
    assert.match(second ?? '', /draft: started\r\u001B\[KTST-1 Coding \(CODING\)$/);
    assert.deepEqual([third, rest], ['another one', ''], 'what went on in the former status is over');
  });

  it('is never wider than the terminal', () => {
    const screen = new Screen(true);
    new TextOutput(screen, screen).event({
      type: 'activity',
      ticket: 'TST-1',
      at: 1,
      source: 'm',
      kind: 'text',
      text: 'x'.repeat(500),
    });
    assert.ok(screen.text.replace('\r\u001B[K', '').length < screen.columns);
  });

  it('has whole sentences of the engine', () => {
    const screen = new Screen();
    const text = `At the end ${'you are asked '.repeat(20)}first.`;
    const activity = { type: 'activity', ticket: 'TST-1', at: 1, kind: 'info', source: 'engine' } as const;
    new TextOutput(screen, screen).event({ ...activity, text });
    assert.equal(screen.text, `TST-1   ${text}\n`);
  });

  it('holds nothing a terminal would obey, whatever a model or a title says', () => {
    const screen = new Screen();
    const output = new TextOutput(screen, screen);
    const evil = 'a\u001B]0;owned\u0007\u001B[2J\u202Eb\rc';
    output.event({ type: 'created', ticket: 'TST-1', title: evil, status: 'DRAFT' });
    output.event({ type: 'error', code: 'X', message: evil, nextStep: evil });
    output.event({ type: 'blocked', ticket: 'TST-1', at: 1, code: 'X', message: evil, nextStep: '' });
    assert.doesNotMatch(screen.text, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/u);
    assert.equal(printable('a\tb\nc\r\nd'), 'a\tb\nc\nd');
    assert.equal(oneLine('a\n  b', 10), 'a b');
  });

  it('ends with the end in JSON, whatever is still being stopped', () => {
    const screen = new Screen();
    const output = new JsonOutput(screen);
    for (const event of [status, { type: 'end', exit: 143, ticket: 'TST-1', status: null }, step] as const)
      output.event(event);
    const types = screen.text
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [CliEvent.parse(JSON.parse(line)).type]));
    assert.deepEqual(types, ['status', 'end']);
  });

  it('is one event of the protocol a line in JSON', async () => {
    const screen = new Screen();
    new JsonOutput(screen).event(status);
    const code = await runCli(['show', '--json'], {
      cwd: '/',
      env: {},
      signal: new AbortController().signal,
      out: screen,
      err: screen,
      product: new CommandBench().product,
      readInput: () => Promise.resolve(''),
    });
    assert.equal(code, 2);
    const events = screen.text
      .trim()
      .split('\n')
      .map((line) => CliEvent.parse(JSON.parse(line)));
    assert.deepEqual(
      events.map((event) => event.type),
      ['status', 'error', 'end'],
    );
  });

  it('names commands as they can be typed where the person is', () => {
    assert.equal(commandLine('show A-1', { cwd: '/repo/src', root: '/repo' }), 'beadsmith show A-1');
    assert.equal(commandLine('show A-1', { cwd: '/', root: '/repo' }), 'beadsmith show A-1 --repo /repo');
    assert.equal(
      commandLine('show A-1', { cwd: '/repository', root: "/it's here" }),
      "beadsmith show A-1 --repo '/it'\\''s here'",
    );
  });
});
