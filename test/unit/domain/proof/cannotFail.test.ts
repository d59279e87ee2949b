import assert from 'node:assert/strict';
import { cannotFail } from '../../../../src/domain/proof/cannotFail.ts';

describe('a command', () => {
  for (const command of [
    'true',
    'exit 0',
    ':',
    'echo ok',
    'printf "passed\\n"',
    'node --test || true',
    'npm test; exit 0',
    'npm test\ntrue',
    'true && echo ok',
    '',
  ])
    it(`can’t fail: ${JSON.stringify(command)}`, () => {
      assert.equal(cannotFail(command), true);
    });

  for (const command of [
    'npm test',
    'echo a | grep b',
    'npm test && echo ok',
    'set -e; npm test; echo ok',
    'test -f a',
    'exit 1',
    'true && npm test',
    'echo "$(cat a)"',
  ])
    it(`can fail: ${command}`, () => {
      assert.equal(cannotFail(command), false);
    });
});
