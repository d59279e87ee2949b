import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bead } from '../../../../src/domain/beads/bead.ts';
import { artifactText } from '../../../../src/views/documents/artifactText.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { sampleProposal } from '../../../support/samples.ts';

const bead = Bead.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/bead.json'), 'utf8')),
);

describe('artifactText', () => {
  it('shows YAML byte for byte, with the hash an approval of it carries', async () => {
    const client = new FakeClient();
    client.documents.set('prd', 'a:   1 # as written\n');
    const text = await artifactText(client, 'TST-1', 'prd', 4);
    assert.deepEqual(
      [text?.file, text?.version, text?.sha256, text?.content],
      ['prd.yaml', 4, 'a'.repeat(64), 'a:   1 # as written\n'],
    );
  });

  it('spreads JSON over lines, and shows what only looks like it as it is', async () => {
    const client = new FakeClient();
    client.documents.set('final_test_report', '{"passed":true}');
    client.documents.set('merge_report', '{broken');
    assert.deepEqual(
      (await artifactText(client, 'TST-1', 'final_test_report'))?.content,
      '{\n  "passed": true\n}\n',
    );
    assert.equal((await artifactText(client, 'TST-1', 'merge_report'))?.content, '{broken');
  });

  it('shows beads without what changes while they run, also in a stored version', async () => {
    const client = new FakeClient();
    client.beads = () => Promise.resolve({ beads: [bead], sha256: 'b'.repeat(64) });
    client.documents.set('beads', `${JSON.stringify({ ...bead, status: 'done', notes: 'x' })}\n`);
    const present = await artifactText(client, 'TST-1', 'beads');
    assert.equal(present?.sha256, 'b'.repeat(64));
    assert.doesNotMatch(present.content, /"status"|"notes"/);
    assert.equal((await artifactText(client, 'TST-1', 'beads', 1))?.content, present.content);
  });

  it('shows a pull request as its reviewer reads it', async () => {
    const client = new FakeClient();
    const report = sampleProposal({ body: '## Summary\n\n- Greets.\n' });
    client.documents.set('pull_request_report', JSON.stringify(report));
    const text = await artifactText(client, 'TST-1', 'pull_request_report');
    assert.equal(text?.file, 'pull-request.md');
    assert.equal(
      text.content,
      '# TST-1: Greet\n\n`ticket/TST-1` into `main` · /repo/TST-1.md\n\n## Summary\n\n- Greets.\n',
    );
    client.documents.set('pull_request_report', '{broken');
    assert.equal((await artifactText(client, 'TST-1', 'pull_request_report'))?.content, '{broken');
  });

  it('makes no path out of a name', async () => {
    const client = new FakeClient();
    client.documents.set('bead_diff:../../x', 'a: 1');
    assert.equal(await artifactText(client, 'TST-1', 'bead_diff:../../x'), undefined);
  });

  it('is nothing when there is none', async () => {
    assert.equal(await artifactText(new FakeClient(), 'TST-1', 'beads'), undefined);
    assert.equal(await artifactText(new FakeClient(), 'TST-1', 'prd'), undefined);
  });
});
