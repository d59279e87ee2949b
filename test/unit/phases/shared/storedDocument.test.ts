import assert from 'node:assert/strict';
import * as z from 'zod';
import { storedDocument } from '../../../../src/phases/shared/ticket/artifacts.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { newTicket } from '../../../support/samples.ts';

const Drafts = z.object({ drafts: z.array(z.object({ member: z.string(), content: z.string() })) });

describe('a document of an earlier status', () => {
  const makeStore = tempStores();

  async function stored(content: string) {
    const { store } = makeStore();
    const { id } = await store.createTicket(newTicket);
    const change = {
      type: 'artifact',
      artifact: 'prd_drafts',
      content,
      status: 'COUNCIL_VOTING_PRD',
      attempt: 1,
    } as const;
    await store.commit({ ticket: id, journal: [], changes: [change] });
    return { ticket: id, ports: { store } };
  }

  it('is read as what it is: JSON of the engine, or YAML, which may look like it', async () => {
    const one = { drafts: [{ member: 'a', content: 'x: 1\n' }] };
    for (const text of [
      JSON.stringify(one),
      JSON.stringify(one, null, 2),
      '{drafts: [{member: a, content: "x: 1\\n"}]}',
      'drafts:\n  - member: a\n    content: "x: 1\\n"\n',
    ])
      assert.deepEqual((await storedDocument(await stored(text), 'prd_drafts', Drafts)).document, one);
    for (const text of ['{"drafts": [', '[]', 'drafts: 1\n'])
      await assert.rejects(
        storedDocument(await stored(text), 'prd_drafts', Drafts),
        /the document "prd_drafts" can't be read/,
      );
  });

  it('takes no parser of YAML when the engine wrote it', async () => {
    const drafts = Array.from({ length: 4_000 }, (_, at) => ({
      member: `m${String(at)}`,
      content: 'a text of some length, with "quotes"\n'.repeat(3),
    }));
    const text = `${JSON.stringify({ drafts }, null, 2)}\n`;
    const io = await stored(text);
    const [json, document] = [
      await cpu(() => Drafts.parse(JSON.parse(text))),
      await cpu(() => storedDocument(io, 'prd_drafts', Drafts)),
    ];
    assert.ok(document < 20 * json + 20, `${document.toFixed(1)} ms, and ${json.toFixed(1)} as JSON`);
  });
});

/** Of this thread, the least of three times. */
async function cpu(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}
