import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closingOf, parsePromptFile } from '../../../../../src/context/promptFile.ts';
import { framedAt, partNames } from '../../../../../src/context/partRow.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import {
  preparedCalls,
  preparedPrompt,
  preparedSettings,
  promptsFolder,
} from '../../../../support/engine/preparedPrompts.ts';

const renewing = process.env['BEADSMITH_PROMPTS'] === 'renew';

function firstDifference(recorded: string, made: string): string {
  const [before, now] = [recorded.split('\n'), made.split('\n')];
  const at = now.findIndex((line, index) => line !== before[index]);
  const line = at < 0 ? now.length : at;
  return `line ${String(line + 1)}\n  recorded: ${before[line] ?? '(end)'}\n  now:      ${now[line] ?? '(end)'}`;
}

describe('a whole prompt', () => {
  const worlds = phaseWorlds();

  for (const [name, prepared] of Object.entries(preparedCalls))
    it(`is the recorded one: ${prepared.about}`, async () => {
      const { system, call } = await preparedPrompt(
        await worlds(prepared.status, preparedSettings),
        prepared,
      );
      const parts = [
        `<!-- ${name}: ${prepared.about}. Prompt ${call.task}, tools: ${call.policy}. System prompt first, then the message. -->`,
        '<!-- system -->',
        system,
        '<!-- message -->',
        call.whole,
      ];
      const made = `${parts.join('\n\n')}\n`;
      const path = join(promptsFolder, `${name}.md`);
      if (renewing) writeFileSync(path, made);
      const recorded = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const renew = `BEADSMITH_PROMPTS=renew node node_modules/mocha/bin/mocha.js test/unit/phases/shared/ask/wholePrompts.test.ts`;
      assert.ok(
        made === recorded,
        `${name} differs in ${firstDifference(recorded, made)}\nRead what changed, then renew the files: ${renew}`,
      );
    });
});

function recordedText(name: string): string {
  return readFileSync(join(promptsFolder, `${name}.md`), 'utf8').trimEnd();
}

/** `told`: what the product itself says. */
function takenApart(name: string): {
  readonly told: string;
  readonly parts: ReadonlyMap<string, string>;
  readonly lastLine: string;
} {
  const text = recordedText(name);
  const parts = new Map<string, string>();
  let told = '';
  for (let at = 0; at < text.length;) {
    const next = text.indexOf('\n## ', at);
    const part = next < 0 ? undefined : framedAt(text, next + 1);
    told += text.slice(at, part ? next : next < 0 ? undefined : next + 4);
    if (part) parts.set(/## (\S+)/.exec(text.slice(next))?.[1] ?? '', part.content);
    at = part?.end ?? (next < 0 ? text.length : next + 4);
  }
  return { told, parts, lastLine: text.slice(text.lastIndexOf('\n') + 1) };
}

describe('what a model reads in a whole prompt', () => {
  const worlds = phaseWorlds();

  for (const [name, { task }] of Object.entries(preparedCalls)) {
    it(`speaks of parts that it hasn’t only with “if given”: ${name}`, () => {
      const { told, parts } = takenApart(name);
      const words = new Set(Array.from(told.matchAll(/`([a-z_]+)`/g), ([, word = '']) => word));
      const isConditional = (word: string): boolean =>
        new RegExp(`\`${word}\`,? if (?:given|there)`).test(told);
      // What is also a field of the answer says nothing about the prompt.
      const lacking = [...words].filter(
        (word) => partNames.includes(word) && !parts.has(word) && !told.includes(`${word}:`),
      );
      assert.deepEqual(
        lacking.filter((word) => !isConditional(word)),
        [],
      );
    });

    it(`has no part that is empty or ends with an empty line: ${name}`, () => {
      const odd = [...takenApart(name).parts].filter(
        ([, content]) => content.trim() === '' || content.endsWith('\n'),
      );
      assert.deepEqual(
        odd.map(([part]) => part),
        [],
      );
    });

    it(`ends with what is to be answered: ${name}`, () => {
      const file = parsePromptFile(
        task,
        readFileSync(join(promptsFolder, '../../../prompts', `${task}.md`), 'utf8'),
      );
      assert.equal(takenApart(name).lastLine, closingOf(file, file.body));
    });

    it(`has the text of each criterion that its bead names: ${name}`, () => {
      const { parts } = takenApart(name);
      const { prdRefs } = JSON.parse(parts.get('bead_data') ?? '{"prdRefs":[]}') as {
        readonly prdRefs: readonly string[];
      };
      for (const ref of prdRefs)
        assert.match(parts.get('prd_parts') ?? '', new RegExp(`\\b${ref.split('.').at(-1) ?? ''}: \\w`), ref);
    });
  }

  it('has the text of each criterion in the order of loops, too', async () => {
    const prepared = preparedCalls['code-first'];
    assert.ok(prepared);
    const { call, system } = await preparedPrompt(
      await worlds(prepared.status, { ...preparedSettings, promptOrder: 'seed' }),
      prepared,
    );
    assert.match(
      call.whole,
      /^## Change Proposal[^]*^US-1-1: Notes as rows\n- AC1: The first line[^]*^- AC4: Several tags/m,
    );
    assert.doesNotMatch(call.whole, /in fences below/, 'the bead stands above the task');
    assert.doesNotMatch(system, /first line of input/, 'the task doesn’t stand first');
    assert.doesNotMatch(call.whole, /under decisions/, 'the task has a list for what was assumed');
  });

  it('says of a failed check once which command it was, and in words', () => {
    const failed = takenApart('failure-analysis').parts.get('failed_check') ?? '';
    assert.equal(failed.split('node --test test/csv.test.js').length, 2);
    assert.doesNotMatch(failed, /checks_failed/);
  });

  it('has the same bead for everyone: as it was planned, and not as if nobody had worked on it', () => {
    const names = ['code-first', 'code-again', 'review', 'fix', 'failure-analysis'];
    const [first = '', ...others] = names.map(
      (name) => /## bead_data\n[^]*?\n```\n[^]*?\n```/.exec(recordedText(name))?.[0] ?? '',
    );
    for (const other of others) assert.equal(other, first);
    assert.doesNotMatch(first, /to implement|"status"|"(?:created|started|completed)At"/);
  });

  it('has no heading in a note that could pass for a part', () => {
    assert.doesNotMatch(takenApart('code-again').parts.get('bead_notes') ?? '', /^## /m);
  });

  it('says once how the coder runs a command, and calls commands what they are', () => {
    assert.doesNotMatch(takenApart('code-first').parts.get('workspace') ?? '', /execution-setup\/run/);
    assert.match(recordedText('code-first'), /^## workspace\n[^\n]*commands/m);
  });

  it('speaks of no audit before there is one', () => {
    const found = takenApart('prd-vote').parts.get('draft_checks') ?? '';
    assert.match(found, /^- No story names Q01 in interview_refs\.$/m);
    assert.doesNotMatch(found, /audit/);
  });

  it('quotes what the product itself and a person’s files say, outside of the fences that are material', () => {
    for (const [name, part] of [
      ['interview-round', 'counters'],
      ['prd-draft', 'lens'],
      ['failure-analysis', 'persona'],
    ] as const)
      assert.match(recordedText(name), new RegExp(`^## ${part}\\n[^\\n]*\\n\\n> `, 'm'), name);
  });

  it('holds no hashes and times of documents, which say nothing of the work', () => {
    const marks = /_sha256:|_at:|schema_version|follow_up_round: null/;
    assert.deepEqual(
      Object.keys(preparedCalls).filter((name) => marks.test(recordedText(name))),
      [],
    );
  });
});
