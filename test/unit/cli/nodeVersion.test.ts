import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeTooOld } from '../../../src/cli/nodeVersion.ts';

const source = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../../src/cli', file), 'utf8');

describe('the Node that starts the command line', () => {
  it('is one that has a database without a switch', () => {
    for (const version of ['22.13.0', '22.21.1', '23.4.0', '24.0.0', '26.1.0'])
      assert.equal(nodeTooOld(version), undefined, version);
  });

  for (const version of ['18.20.4', '20.20.2', '22.4.0', '22.12.0', '23.0.0', '23.3.1'])
    it(`is asked for in place of ${version}`, () => {
      const said = nodeTooOld(version) ?? '';
      assert.ok(
        said.startsWith('beadsmith needs Node 22.13, 23.4 or later') &&
          said.includes(`was started with Node ${version}.\n`),
        said,
      );
      assert.match(said, /Install Node 24 from https:\/\/nodejs\.org\..*npm run beadsmith -- COMMAND\n$/);
    });

  it('is checked before anything is loaded that needs it', () => {
    const imports = (file: string): string[] =>
      [...source(file).matchAll(/^(?:import|export) .*from '(.+)';$/gm)].map(([, name]) => name ?? '');
    assert.deepEqual(imports('main.ts'), ['./nodeVersion.ts']);
    assert.deepEqual(imports('nodeVersion.ts'), []);
  });
});
