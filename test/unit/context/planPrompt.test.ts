import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sha256 } from '../../../src/base/sha256.ts';
import { framedAt, framePart } from '../../../src/context/partRow.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { readPlanned } from '../../../src/context/replayPrompt.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import { PromptPlan, type PromptPart } from '../../../src/domain/usage/promptPlan.ts';
import { readPrompt } from '../../../src/demo/script/promptParts.ts';

const promptFile = (name: string) =>
  parsePromptFile(
    name,
    `---\nabout: x\ninputs: [who]\nbudget: 10\npolicy: read_only\noutput: x\n---\n# Beadsmith task: ${name}\n\nHelp {{who}}.`,
  );
const part = (
  name: string,
  stability: PromptPart['stability'],
  content: string,
  tokens = 10,
): PromptPart => ({
  name,
  stability,
  content,
  tokens,
  kind: name === 'prd' || name.endsWith('_data') || name.endsWith('_details') ? 'slice' : 'section',
});
const plan = (parts: readonly PromptPart[], name = 'prd-coverage') =>
  planPrompt({
    key: 'prd_coverage',
    file: promptFile(name),
    inputs: { who: 'me' },
    parts,
    tokens: 99,
    budget: 1_000,
    model: 'p/m',
    reductions: [{ name: 'votes', action: 'dropped', tokensBefore: 5, tokensAfter: 0 }],
  });

describe('planPrompt', () => {
  it('writes instructions, then what is fixed, then what changes', () => {
    const { stable, text } = plan([part('prd', 0, 'P'), part('gaps', 3, 'G')]);
    assert.equal(stable, '');
    assert.equal(
      text,
      '# Beadsmith task: prd-coverage\n\nHelp me.\n\n## prd\nThe PRD.\n\n```\nP\n```\n\n## gaps\nThe gaps to close.\n\n```\nG\n```\n\nDo this task now. Your answer: x.',
    );
  });

  it('sends the fixed head ahead when it is worth it, and begins the rest with the title again', () => {
    const { stable, text } = plan([
      part('prd', 0, 'P', 1_100),
      part('bead_data', 1, 'B'),
      part('labels', 2, 'L'),
      part('gaps', 3, 'G'),
    ]);
    assert.match(stable, /^# Beadsmith task: prd-coverage\n\nHelp me\.\n\n## prd\n[\s\S]*## bead_data\n/);
    assert.doesNotMatch(stable, /## (labels|gaps)/);
    const [first, , pointer, , heading] = text.split('\n');
    assert.equal(first, '# Beadsmith task: prd-coverage');
    assert.match(pointer ?? '', /are above/);
    assert.equal(heading, '## labels');
    assert.ok(text.includes('## gaps'));
    assert.ok(!text.includes('## prd'));
  });

  it('writes what planning prompts share before the instructions, so that different prompts begin alike', () => {
    const shared = [part('ticket_details', 0, 'T', 100), part('relevant_files', 0, 'R', 1_100)];
    const [draft, refine] = [
      plan([...shared, part('lens', 3, 'L')], 'prd-draft'),
      plan([...shared, part('drafts', 2, 'D')], 'prd-refine'),
    ];
    assert.match(
      draft.stable,
      /^This is known of the ticket\. [^]*## ticket_details\n[^]*## relevant_files\n/,
    );
    assert.equal(draft.stable, refine.stable);
    assert.match(
      draft.text,
      /^# Beadsmith task: prd-draft\n\nHelp me\.\n\n## lens\n[^]*\n\nDo this task now\. Your answer: x\.$/,
    );
    assert.deepEqual([draft.plan.instructions?.at, draft.plan.ahead], [2, 2]);
    for (const planned of [draft, refine, plan([part('relevant_files', 0, 'R')], 'prd-vote')]) {
      const whole = [planned.stable, planned.text].filter(Boolean).join('\n\n');
      const read = readPlanned(whole, planned.plan);
      assert.ok(typeof read === 'object', JSON.stringify(read));
      assert.equal(read.instructions, `# Beadsmith task: ${planned.plan.prompt}\n\nHelp me.`);
      assert.equal(read.tail, '');
    }
  });

  it('keeps the head byte for byte while only changing parts change, so that a cache can hold it', () => {
    const fixed = part('prd', 0, 'P', 5_000);
    assert.equal(plan([fixed, part('gaps', 3, 'one')]).stable, plan([fixed, part('gaps', 3, 'two')]).stable);
  });

  it('never sends a head ahead in a session that continues', () => {
    const { stable, text } = plan([part('prd', 0, 'P', 5_000)], 'coding-continue');
    assert.equal(stable, '');
    assert.ok(text.includes('## prd'));
  });

  it('quotes what holds outside of fences, so that it cannot get out either, and reads both forms again', () => {
    const content = fc
      .array(fc.constantFrom('`', '```', '\n', '> ', '>', '## prd\n', ' ', 'x'))
      .map((bits) => bits.join(''));
    fc.assert(
      fc.property(content, fc.constantFrom('decisions', 'report_nonce', 'gaps', 'prd'), (text, name) => {
        const framed = framePart({ name, content: text });
        const lines = framed.split('\n').slice(3);
        if (['decisions', 'report_nonce'].includes(name))
          assert.ok(lines.every((line) => line.startsWith('>')));
        assert.deepEqual(framedAt(`x\n\n${framed}\n\n## next`, 3), { end: 3 + framed.length, content: text });
        assert.equal(readPrompt(`${framed}\n\n## next`).parts.get(name), text);
      }),
    );
  });

  it('fences every content so that it cannot get out', () => {
    const evil = fc
      .array(fc.constantFrom('`', '``````', '\n', '## prd', '```yaml', '# Beadsmith task: coding', 'x'))
      .map((bits) => bits.join(''));
    fc.assert(
      fc.property(evil, (content) => {
        const { text } = plan([part('prd', 0, content), part('gaps', 3, 'G')]);
        const [, fence = ''] = /## prd\nThe PRD\.\n\n(`{3,})\n/.exec(text) ?? [];
        const start = text.indexOf(`${fence}\n`) + fence.length + 1;
        assert.ok(!content.includes(fence));
        assert.equal(text.slice(start, text.indexOf(`\n${fence}\n`, start - 1)), content);
      }),
    );
  });

  it('gives a plan that names every part by hash and holds no content', () => {
    const { plan: made, stable, text } = plan([part('prd', 0, 'SECRET-P'), part('gaps', 3, 'SECRET-G')]);
    assert.deepEqual(PromptPlan.parse(made), made);
    assert.deepEqual(made, {
      schema_version: 1,
      contextKey: 'prd_coverage',
      prompt: 'prd-coverage',
      policy: 'read_only',
      model: 'p/m',
      budget: 1_000,
      tokens: 99,
      promptSha256: sha256(
        `${stable}\n${text}`.replace('SECRET-P', sha256('SECRET-P')).replace('SECRET-G', sha256('SECRET-G')),
      ),
      instructions: { at: 0, tokens: 79, sha256: sha256(text.slice(0, text.indexOf('\n\n## prd'))) },
      parts: [
        { name: 'prd', kind: 'slice', stability: 0, tokens: 10, sha256: sha256('SECRET-P') },
        { name: 'gaps', kind: 'section', stability: 3, tokens: 10, sha256: sha256('SECRET-G') },
      ],
      reductions: [{ name: 'votes', action: 'dropped', tokensBefore: 5, tokensAfter: 0 }],
    });
    assert.ok(!JSON.stringify(made).includes('SECRET'));
  });
});
