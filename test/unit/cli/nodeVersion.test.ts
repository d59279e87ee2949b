import assert from 'node:assert/strict';
import { nodeTooOld } from '../../../src/cli/nodeVersion.ts';

describe('the Node that starts the command line', () => {
  it('is one that has a database, or is told what to do', () => {
    for (const version of ['22.13.0', '22.21.1', '24.0.0', '26.1.0']) assert.equal(nodeTooOld(version), undefined, version);
    for (const version of ['18.20.4', '20.20.2', '22.12.0']) assert.match(nodeTooOld(version) ?? '', /npm run beadsmith -- /, version);
  });
});
