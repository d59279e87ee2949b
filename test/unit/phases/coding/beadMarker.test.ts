import assert from 'node:assert/strict';
import { parseBeadMarker } from '../../../../src/phases/coding/beadMarker.ts';

const parse = parseBeadMarker('auth-token');
const marker = (status: string, checks: string, id = 'auth-token'): string =>
  `<BEAD_STATUS>\nbead_id: ${id}\nstatus: ${status}\nchecks: {${checks}}\n</BEAD_STATUS>`;
const allPass = 'tests: pass, lint: pass, typecheck: pass, qualitative: pass';

describe('the bead marker', () => {
  it('reads status, checks and the developer record', () => {
    const record = '<DEV_RECORD>\nsummary: Added it.\nfiles: [src/a.ts]\n</DEV_RECORD>';
    const result = parse(`${record}\n${marker('done', allPass)}`);
    assert.ok(result.ok);
    assert.equal(result.value.marker.status, 'done');
    assert.deepEqual(result.value.devRecord?.files, ['src/a.ts']);
  });

  it('takes words of success and failure for what they mean', () => {
    const result = parse(marker('Completed', 'tests: PASSED, lint: not_run, type_check: true, qualitative: skipped'));
    assert.ok(result.ok);
    assert.equal(result.value.marker.status, 'done');
    assert.deepEqual(result.value.marker.checks, { tests: 'pass', lint: 'fail', typecheck: 'pass', qualitative: 'fail' });
    for (const word of ['timeout', 'pending', 'false', 'notrun', 'null']) {
      const other = parse(marker('failed', `tests: ${word}, lint: ok, typecheck: ok, qualitative: success`));
      assert.ok(other.ok, word);
      assert.deepEqual([other.value.marker.status, other.value.marker.checks.tests], ['error', 'fail']);
    }
  });

  it('never takes an unknown word for success', () => {
    assert.equal(parse(marker('done', 'tests: probably, lint: pass, typecheck: pass, qualitative: pass')).ok, false);
    assert.equal(parse(marker('almost', allPass)).ok, false);
  });

  it('takes the last of two blocks', () => {
    const result = parse(`${marker('error', allPass)}\nI fixed it.\n${marker('done', allPass)}\nThe <BEAD_STATUS> above is final.`);
    assert.ok(result.ok);
    assert.equal(result.value.marker.status, 'done');
  });

  it('wants a block, for this bead, with all four checks', () => {
    const problems = [
      ['All done!', /no <BEAD_STATUS>/],
      [marker('done', allPass, 'other'), /speaks of "other"/],
      [marker('done', 'tests: pass'), /checks\.lint/],
      ['<BEAD_STATUS>done</BEAD_STATUS>', /./],
    ] as const;
    for (const [text, reason] of problems) {
      const result = parse(text);
      assert.ok(!result.ok, text);
      assert.match(result.problem, reason);
    }
  });

  it('reads JSON, and a block that is not closed', () => {
    const json = JSON.stringify({
      bead_id: 'auth-token',
      status: 'done',
      checks: { tests: true, lint: true, typecheck: true, qualitative: false },
    });
    const result = parse(`<BEAD_STATUS>\n\`\`\`json\n${json}\n\`\`\``);
    assert.ok(result.ok);
    assert.equal(result.value.marker.checks.qualitative, 'fail');
  });

  it('goes without a developer record that cannot be read', () => {
    const result = parse(`<DEV_RECORD>\nsummary: [\n</DEV_RECORD>\n${marker('done', allPass)}`);
    assert.ok(result.ok);
    assert.equal(result.value.devRecord, null);
  });
});

describe('a bead marker as models write it', () => {
  const body = 'bead_id: auth-token\nstatus: done\nchecks:\n  tests: pass\n  lint: pass\n  typecheck: pass\n  qualitative: pass';
  const block = (text: string): string => `<BEAD_STATUS>\n${text}\n</BEAD_STATUS>`;
  const done: Readonly<Record<string, string>> = {
    'in a fence': `\`\`\`xml\n${block(body)}\n\`\`\``,
    'around a fence': block(`\`\`\`yaml\n${body}\n\`\`\``),
    'in bold tags': `**<BEAD_STATUS>**\n${body}\n**</BEAD_STATUS>**`,
    'with bold keys': block(body.replaceAll(/^( *)(\w+):/gm, '$1**$2:**')),
    'in lower case': `<bead_status>\n${body}\n</bead_status>`,
    'with signs': block(body.replace('done', 'Done ✅').replaceAll(': pass', ': ✅ PASS')),
    'with counts': block(body.replace('tests: pass', 'tests: pass (14 tests)')),
    'with checks that do not exist': block(
      body.replace('lint: pass', 'lint: n/a').replace('typecheck: pass', 'typecheck: N/A (no TypeScript)'),
    ),
    'with checks beside the status': block(body.replace('checks:\n', '').replaceAll(/^ +/gm, '')),
    'with checks as a list': block(body.replaceAll(/^ {2}(?=\w)/gm, '  - ')),
    'with more to say': block(`${body}\nsummary: "All of it was done well."`),
    'followed by text': `${block(body)}\n\nThe <BEAD_STATUS> block above is final.`,
    'after a mention': `I will end with a <BEAD_STATUS> block.\n${block(body)}`,
    'given twice': `${block(body.replace('done', 'error'))}\nFixed it.\n${block(body)}`,
    'on one line':
      '<BEAD_STATUS>{"bead_id": "auth-token", "status": "DONE", "checks": {"tests": "PASSED", "lint": true, "typecheck": "ok", "qualitative": "yes"}}</BEAD_STATUS>',
    'without tags': `\`\`\`yaml\n${body}\n\`\`\``,
  };
  for (const [name, text] of Object.entries(done)) {
    it(`is read ${name}`, () => {
      const result = parse(text);
      assert.ok(result.ok, result.ok ? '' : result.problem);
      assert.deepEqual(result.value.marker, {
        bead_id: 'auth-token',
        status: 'done',
        checks: { tests: 'pass', lint: 'pass', typecheck: 'pass', qualitative: 'pass' },
      });
    });
  }

  it('is never taken for done when it takes back what it says', () => {
    for (const word of ['pass except 2 failing', 'pass, but 1 skipped', '3 failed', '✅ mostly ❌', 'not run', 'passed locally, not in CI'])
      assert.notEqual(readTests(word), 'pass', word);
  });

  function readTests(word: string): string | undefined {
    const result = parse(block(body.replace('tests: pass', `tests: ${word}`)));
    return result.ok ? result.value.marker.checks.tests : undefined;
  }

  it('that was cut off is refused at every character', () => {
    const text = block(`${body}\nreason: ""`);
    for (let end = 0; end < text.length; end++) assert.equal(parse(text.slice(0, end)).ok, false, text.slice(0, end));
  });

  it('that was cut off never lets an earlier one count', () => {
    assert.equal(parse(`${block(body)}\nWait.\n<BEAD_STATUS>\nbead_id: auth-token\nstatus: er`).ok, false);
  });
});
