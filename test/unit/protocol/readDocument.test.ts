import assert from 'node:assert/strict';
import * as z from 'zod';
import { readArtifact, readDocument } from '../../../src/protocol/readDocument.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';

describe('documents', () => {
  it('are read as JSON or YAML, and what is neither is nothing', async () => {
    assert.deepEqual(
      [await readDocument('{"a": [1]}'), await readDocument('a:\n  - 1\n')],
      [{ a: [1] }, { a: [1] }],
    );
    assert.equal(await readDocument('a: [1'), undefined);
  });

  it('have the shape that was asked for, or are not there', async () => {
    const client = new FakeClient();
    const Numbered = z.object({ n: z.number() });
    client.documents.set('prd', 'n: 1\n').set('interview', 'n: one\n');
    const read = (type: string): Promise<unknown> => readArtifact(client, 'TST-1', type, Numbered);
    assert.deepEqual(
      [await read('prd'), await read('interview'), await read('beads')],
      [{ n: 1 }, undefined, undefined],
    );
  });

  it('are read once, as long as they are among the newest, because that takes long', async () => {
    const text = 'title: Greet\nsteps:\n  - one\n';
    const first = await readDocument(text);
    assert.equal(await readDocument(text), first);
    for (let number = 0; number < 40; number++) await readDocument(`title: ${String(number)}\n`);
    const again = await readDocument(text);
    assert.notEqual(again, first, 'what nobody asks for any more is let go');
    assert.deepEqual(again, first);
  });
});
