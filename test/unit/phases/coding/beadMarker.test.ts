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
