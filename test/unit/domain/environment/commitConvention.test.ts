import assert from 'node:assert/strict';
import {
  beadSubject,
  commitlintPlaces,
  conventionOf,
} from '../../../../src/domain/environment/commitConvention.ts';

const repeated = (subject: string, times: number): readonly string[] =>
  Array.from({ length: times }, () => subject);
const history = (subjects: readonly string[]) => conventionOf({ files: [], manifest: undefined, subjects });
const bead = (fields: Partial<Parameters<typeof beadSubject>[0]> = {}) => ({
  id: 'greet',
  title: 'Greet by name',
  issueType: 'feature',
  ...fields,
});
const conventional = (fields: Parameters<typeof bead>[0] = {}): string =>
  beadSubject(bead(fields), 'conventional');

describe('the commit convention of a repository', () => {
  it('is the one of commitlint, however its configuration is called', () => {
    for (const path of commitlintPlaces) {
      assert.deepEqual(conventionOf({ files: [path], manifest: undefined, subjects: [] }), {
        style: 'conventional',
        because: path,
      });
    }
    assert.deepEqual(
      conventionOf({ files: [], manifest: '{"commitlint": {"extends": ["x"]}}', subjects: [] }),
      {
        style: 'conventional',
        because: 'package.json',
      },
    );
  });

  it('is what nine of the newest thirty subjects follow', () => {
    const others = repeated('Fix the thing', 21);
    assert.deepEqual(history([...others, ...repeated('fix(parser)!: read quotes', 9)]), {
      style: 'conventional',
      because: '9 of 30',
    });
    assert.equal(history([...others, 'Fix it', ...repeated('feat: read quotes', 8)]).style, 'plain');
    assert.equal(
      history([...others, ...repeated('Fix it', 9), ...repeated('feat: older', 30)]).style,
      'plain',
      'only the newest count',
    );
  });

  it('is nothing that areas, other words or our own commits look like', () => {
    for (const subject of [
      'prompts: send one message',
      'bead(greet): Greet',
      'test(ABC-12): final test',
      'feat:',
      'feat : x',
      'fixup! feat: x',
      'feat',
    ]) {
      assert.equal(history(repeated(subject, 30)).style, 'plain', subject);
    }
  });

  it('is plain where there is nothing to read, or it can’t be read', () => {
    for (const manifest of [
      undefined,
      '',
      '[]',
      'null',
      '{"commitlint": ',
      '{"commitlint": false}',
      '{"devDependencies": {"commitlint": "1"}}',
    ]) {
      assert.equal(
        conventionOf({ files: ['docs/.commitlintrc'], manifest, subjects: [] }).style,
        'plain',
        manifest,
      );
    }
    assert.equal(history(repeated(`feat(${'('.repeat(100_000)}`, 30)).style, 'plain');
  });
});

describe('the subject of a bead’s commit', () => {
  it('names the bead where the repository has no convention', () => {
    assert.equal(beadSubject(bead(), 'plain'), 'bead(greet): Greet by name');
  });

  it('begins with the type that fits the bead’s kind, else with feat', () => {
    const kinds = {
      bug: 'fix',
      Bugfix: 'fix',
      'qa-fix': 'fix',
      feature: 'feat',
      task: 'feat',
      '': 'feat',
      'BREAKING: x': 'feat',
      docs: 'docs',
      chore: 'chore',
    };
    for (const [issueType, type] of Object.entries(kinds))
      assert.equal(conventional({ issueType }), `${type}: greet by name`, issueType);
  });

  it('is as commitlint wants it: no capital at the start, no period at the end, 100 characters at most', () => {
    assert.equal(conventional({ title: 'CSV export.' }), 'feat: CSV export');
    assert.equal(conventional({ title: 'GitHub login' }), 'feat: GitHub login');
    assert.equal(conventional({ title: '\u00c9 un saluto' }), 'feat: \u00e9 un saluto');
    assert.equal(conventional({ title: '...' }), 'feat: greet', 'the bead where the title is nothing else');
    const long = conventional({ title: 'Word '.repeat(50) });
    assert.ok(long.length <= 100 && /^feat: word Word .*Word\u2026$/.test(long), long);
  });

  it('keeps a title that is one already, and leaves no reference in it', () => {
    assert.equal(conventional({ title: 'perf(io): Read less', issueType: 'task' }), 'perf(io): Read less');
    assert.equal(
      conventional({ title: 'Close #12 for @me\nfeat!: x' }),
      'feat: close # 12 for @ me feat!: x',
    );
  });
});
