import assert from 'node:assert/strict';
import { artifactText } from '../../../src/views/artifactText.ts';
import { FakeClient } from '../../support/fakeClient.ts';

describe('artifactText', () => {
  it('shows YAML byte for byte, with the hash an approval of it carries', async () => {
    const client = new FakeClient();
    client.documents.set('prd', 'a:   1 # as written\n');
    assert.deepEqual(await artifactText(client, 'TST-1', 'prd', 4), {
      ...{ type: 'prd', file: 'prd.yaml', version: 4, sha256: 'a'.repeat(64), content: 'a:   1 # as written\n' },
    });
  });

  it('spreads JSON over lines, and shows what only looks like it as text', async () => {
    const client = new FakeClient();
    client.documents.set('final_test_report', '{"passed":true}');
    client.documents.set('merge_report', '{broken');
    assert.deepEqual((await artifactText(client, 'TST-1', 'final_test_report'))?.content, '{\n  "passed": true\n}\n');
    assert.equal((await artifactText(client, 'TST-1', 'merge_report'))?.file, 'merge-report.txt');
  });

  it('makes no path out of a name', async () => {
    const client = new FakeClient();
    client.documents.set('bead_diff:../../x', 'a: 1');
    assert.equal((await artifactText(client, 'TST-1', 'bead_diff:../../x'))?.file, 'bead-diff-x.yaml');
  });

  it('is nothing when there is none', async () => {
    assert.equal(await artifactText(new FakeClient(), 'TST-1', 'beads'), undefined);
    assert.equal(await artifactText(new FakeClient(), 'TST-1', 'prd'), undefined);
  });
});
