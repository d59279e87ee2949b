import assert from 'node:assert/strict';
import { answer } from '../../../src/demo/answer.ts';
import { complete } from '../../../src/demo/completion.ts';
import { parseChat } from '../../../src/demo/script/parsedChat.ts';
import { demoScript } from '../../../src/demo/sample/sample.ts';
import { sampleTicket } from '../../../src/demo/sample/ticket.ts';
import { ModelScript } from '../../../src/demo/script/modelScript.ts';
import { type Turn, chat, prompt, ticketPart } from '../../support/models/chat.ts';

const tools = ['bash', 'edit', 'read', 'write'];
const next = (
  turns: readonly Turn[],
  script?: ModelScript,
  offered: readonly string[] = tools,
): ReturnType<typeof answer> => answer(parseChat(chat(turns, { tools: offered })), script);
const coding = (bead: string, iteration: number): string =>
  prompt('coding', { bead_data: JSON.stringify({ id: bead, title: bead, iteration }) });

describe('the next move', () => {
  it('follows the tool results, one call at a time, with absolute paths', () => {
    const turns: Turn[] = [coding('some-bead', 1)];
    const first = next(turns);
    assert.ok(first.kind === 'call' && first.call.tool === 'write');
    assert.equal(first.call.args['filePath'], '/repo/here/beadsmith-notes/some-bead.mjs');
    turns.push({ calls: 'write', output: 'ok' }, { calls: 'write', output: 'ok' });
    const third = next(turns);
    assert.ok(third.kind === 'call' && third.call.tool === 'bash');
    turns.push({ calls: 'bash', output: 'ok' });
    assert.equal(next(turns).kind, 'text');
  });

  it('is the same for the same request, to the byte', () => {
    const request = chat([coding('some-bead', 1)], { tools });
    const bytes = (): string => {
      const move = answer(parseChat(request));
      assert.notEqual(move.kind, 'fault');
      return move.kind === 'fault' ? '' : JSON.stringify(complete(request, JSON.stringify(request), move));
    };
    assert.equal(bytes(), bytes());
  });

  it('calls no tool that is not on offer', () => {
    assert.equal(next([coding('some-bead', 1)], undefined, []).kind, 'text');
    assert.equal(
      next([prompt('relevant-files-scan', { ticket_details: ticketPart })], undefined, []).kind,
      'text',
    );
  });

  it('does its moves again after "continue please"', () => {
    const move = next([
      coding('some-bead', 1),
      { calls: 'write', output: 'ok' },
      { says: 'cut off' },
      'continue please',
    ]);
    assert.ok(move.kind === 'call' && move.call.tool === 'write');
  });

  it('lists only files the tools have shown', () => {
    const scan = prompt('relevant-files-scan', { ticket_details: ticketPart });
    const root = '<type>directory</type>\n<entries>\n.git/\nsrc/\nREADME.md\n\n(3 entries)\n</entries>';
    const inside = '<type>directory</type>\n<entries>\na.py\n\n(1 entries)\n</entries>';
    const offered = ['read', 'glob', 'grep'];
    const turns: Turn[] = [
      scan,
      { calls: 'glob', args: { pattern: '**/*' }, output: 'ripgrep execution failed' },
    ];
    const second = next(turns, undefined, offered);
    assert.ok(second.kind === 'call' && second.call.args['filePath'] === '/repo/here');
    turns.push({ calls: 'read', args: second.call.args, output: root });
    const third = next(turns, undefined, offered);
    assert.ok(third.kind === 'call' && third.call.args['filePath'] === '/repo/here/src');
    turns.push({ calls: 'read', args: third.call.args, output: inside });
    for (const _ of [1, 2])
      turns.push({
        calls: 'read',
        args: { filePath: '/repo/here/README.md' },
        output: '<content>\n1: hi\n</content>',
      });
    let last = next(turns, undefined, offered);
    while (last.kind === 'call') {
      turns.push({ calls: 'read', args: last.call.args, output: '' });
      last = next(turns, undefined, offered);
    }
    const paths =
      last.kind === 'text' ? [...last.text.matchAll(/- path: (\S+)/g)].map((match) => match[1]) : [];
    assert.deepEqual(paths, ['README.md', 'src/a.py']);
  });
});

describe('a script', () => {
  const script = ModelScript.parse({
    version: 1,
    name: 'test',
    tasks: {
      'prd-draft': [
        { when: { repair: false }, text: 'bad' },
        { when: { repair: true }, text: 'good' },
      ],
      'prd-coverage': [{ when: { part: 'prd', lacks: 'x' }, text: 'gaps' }],
      coding: [
        { when: { bead: 'b', iteration: 1, continuation: { atLeast: 1 } }, text: 'give up' },
        { when: { bead: 'b', iteration: 1 }, text: 'one' },
      ],
      setup: [{ fault: 'http-429' }],
    },
  });
  const text = (turns: readonly Turn[]): string => {
    const move = next(turns, script, []);
    return move.kind === 'text' ? move.text : move.kind;
  };

  it('plays the first case that applies', () => {
    assert.equal(text([coding('b', 1)]), 'one');
    assert.equal(text([coding('b', 1), { says: 'one' }, prompt('coding-continue')]), 'give up');
    assert.match(text([coding('b', 2)]), /<BEAD_STATUS>/);
    assert.match(text([coding('c', 1)]), /bead_id: c/);
  });

  it('tells a repair from the first answer', () => {
    const first = prompt('prd-draft', { ticket_details: ticketPart });
    assert.equal(text([first]), 'bad');
    assert.equal(text([first, { says: 'bad' }, prompt('structured-repair')]), 'good');
  });

  it('decides by what a part holds', () => {
    assert.equal(text([prompt('prd-coverage', { prd: 'y' })]), 'gaps');
    assert.match(text([prompt('prd-coverage', { prd: 'x' })]), /status: clean/);
  });

  it('can let the server fail', () => {
    assert.equal(text([prompt('setup')]), 'fault');
  });

  it('reads the iteration from the notes when the bead does not tell', () => {
    const bead = { bead_data: JSON.stringify({ id: 'b', title: 'b' }) };
    assert.equal(text([prompt('coding', bead)]), 'one');
    assert.match(text([prompt('coding', { ...bead, bead_notes: '### Note 1\n\nfailed' })]), /<BEAD_STATUS>/);
  });
});

describe('the demo script', () => {
  const said = (turns: readonly Turn[], model = 'alpha'): string => {
    const move = answer(parseChat(chat(turns, { model })), demoScript);
    return move.kind === 'text' ? move.text : move.kind;
  };

  it('has one malformed answer, and corrects it when asked', () => {
    const first = prompt('prd-draft', { ticket_details: ticketPart });
    assert.doesNotMatch(said([first]), /^scope:/m);
    assert.match(said([first, { says: 'x' }, prompt('structured-repair')]), /^scope:/m);
    assert.match(said([first], 'beta'), /^scope:/m);
  });

  it('tests and delivers only its own ticket by what was written for that', () => {
    for (const [title, written] of [
      [sampleTicket.title, true],
      ['List low stock first', false],
    ] as const) {
      const ticket = { ticket_details: `STOCK-1: ${title}` };
      assert.equal(/csvExport/.test(said([prompt('final-test', ticket)])), written, title);
      assert.equal(/as CSV/.test(said([prompt('pull-request', ticket)])), written, title);
    }
  });

  it('finds the gap in the first PRD and none in the revised one', () => {
    const body = (text: string): string => /```yaml\n([\s\S]*)```/.exec(text)?.[1] ?? '';
    const candidate = body(said([prompt('prd-refine', { drafts: 'x' })]));
    const full_answers = 'questions:\n  - id: QFF1\n';
    assert.match(said([prompt('prd-coverage', { full_answers, prd: candidate })]), /status: gaps/);
    assert.match(
      said([prompt('prd-coverage', { full_answers: 'questions: []', prd: candidate })]),
      /status: clean/,
    );
    const revised = body(said([prompt('prd-revise', { prd: candidate, gaps: 'x' })]));
    assert.match(
      said([prompt('prd-coverage', { full_answers, prd: revised.replace(/gap_resolutions:[\s\S]*/, '') })]),
      /status: clean/,
    );
  });
});
