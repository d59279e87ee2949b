import assert from 'node:assert/strict';
import { weakenings } from '../../../bench/integrity/catalogue.ts';
import { driveRow } from '../../../bench/integrity/driveRow.ts';

/** `npm run bench -- integrity` tries all rows. */
const chosen = [
  ['a source that ends with success', 'refused', /exited with 0, but these tests failed: adds/],
  ['a source that ends the process', 'asked', /2 tests ran before this work, and 0 with it/],
  [
    'a test that returns early, in tests that the plan names',
    'asked',
    /sum\.test\.js:5: a test can end without its assertions \(return;\)/,
  ],
  [
    'tests that repair the source before they load it',
    'asked',
    /a check passes on files that it changed itself \(`node --test[^`]*`: sum\.js\)/,
  ],
  [
    'a new check outside the folders of tests that asserts nothing',
    'asked',
    /nothing that ran would fail without this work/,
  ],
  ['a program of the same name', 'asked', /fails with tools\/node as before: adds/],
] as const;

describe('work that weakens tests', function () {
  this.timeout(60_000);

  for (const [name, result, said] of chosen)
    it(`is held: ${name}`, async () => {
      const row = weakenings['javascript']?.find((one) => one.name === name);
      assert.ok(row, 'the catalogue has the row');
      const outcome = await driveRow(row);
      assert.equal(outcome.result, result, outcome.said);
      assert.match(outcome.said, said);
    });
});
