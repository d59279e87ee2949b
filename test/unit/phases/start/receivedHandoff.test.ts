import assert from 'node:assert/strict';
import { HandoffReport } from '../../../../src/domain/documents/handoffReport.ts';
import { ReceivedHandoff } from '../../../../src/domain/documents/receivedHandoff.ts';
import { readText, writeText } from '../../../../src/domain/documents/base/text.ts';
import { emptyHandoff, entriesIn } from '../../../../src/domain/handoff/handoff.ts';
import { receiptBuilders } from '../../../../src/phases/actionChanges.ts';
import { receiveHandoff } from '../../../../src/phases/start/draft.ts';
import { type ExecutionWorld, executionWorlds } from '../../../support/engine/executionWorld.ts';
import { receivedText } from '../../../../src/phases/shared/ask/loadContextState.ts';
import { newTicket } from '../../../support/samples.ts';

const entry = { text: 'Greetings are files.', evidence: ['README.md'] };
const gone = { text: 'This went away.', evidence: ['src/gone.ts'] };

/** Completes another ticket that leaves a handoff. */
async function completed(world: ExecutionWorld, patterns: HandoffReport['patterns']): Promise<string> {
  const { id } = await world.store.createTicket({ ...newTicket, title: 'Before' });
  const handoff = HandoffReport.parse({
    schema_version: 1,
    ticket_id: id,
    artifact: 'handoff_report',
    ...emptyHandoff,
    patterns,
  });
  await world.store.commit({
    ticket: id,
    journal: [{ kind: 'status', from: 'DRAFT', to: 'COMPLETED', by: 'test' }],
    changes: [
      { type: 'ticket', set: { status: 'COMPLETED' } },
      {
        type: 'artifact',
        artifact: 'handoff_report',
        content: writeText('yaml', handoff),
        status: 'COMPLETED',
        attempt: 1,
      },
    ],
  });
  return id;
}

describe('a received handoff', () => {
  const newWorld = executionWorlds();

  /** Starts with a handoff, as DRAFT does. */
  async function receive(world: ExecutionWorld, choice: string): Promise<void> {
    const snapshot = { ...(await world.read()), attempt: 1, artifacts: {} };
    const saved: Parameters<ExecutionWorld['store']['commit']>[0]['changes'][] = [];
    const io = { ports: world.ports, ticket: world.ticket, save: (change: never) => saved.push([change]) };
    await receiveHandoff(io as never, snapshot, { choice, commit: world.start });
    for (const changes of saved)
      await world.store.commit({ ticket: world.ticket, journal: [], ...(changes ? { changes } : {}) });
  }

  async function started(): Promise<ExecutionWorld> {
    const world = await newWorld.in('WAITING_PLAN_APPROVAL');
    return world;
  }

  const told = (world: ExecutionWorld): Promise<string> =>
    receivedText({ ports: world.ports, ticket: world.ticket });
  const stored = async (world: ExecutionWorld) => world.store.artifact(world.ticket, 'received_handoff');

  it('is a copy without what names only files that are gone, which is said', async () => {
    const world = await started();
    const from = await completed(world, [entry, gone]);
    await receive(world, 'latest');
    assert.match((await stored(world))?.content ?? '', new RegExp(`from: ${from}`));
    const text = await told(world);
    assert.match(text, /Greetings are files\. \(README\.md\)/);
    assert.doesNotMatch(text, /went away/);
    assert.ok(
      world.events.some(
        (event) => event.type === 'activity' && /1 left out: This went away/.test(event.text),
      ),
    );
  });

  it('has no more than prompts take', async () => {
    const world = await started();
    await completed(
      world,
      Array.from({ length: 40 }, (_, index) => ({ ...entry, text: `${String(index)} ${'x'.repeat(300)}` })),
    );
    await receive(world, 'latest');
    const text = await told(world);
    assert.ok((await world.ports.tokens.count(text)) <= 1_000 && text.includes('0 xxx'));
  });

  it('is none, and never an error, where no ticket has left one', async () => {
    const world = await started();
    for (const choice of ['latest', 'TST-99']) {
      await receive(world, choice);
      assert.equal(await stored(world), undefined);
    }
    assert.equal(await told(world), '');
  });

  it('AT-22: can be edited from the version that was seen, and removed', async () => {
    const world = await started();
    await completed(world, [entry]);
    await receive(world, 'latest');
    const edit = async (content: string, baseSha256?: string): Promise<void> => {
      const base = baseSha256 ?? (await stored(world))?.info.sha256 ?? '';
      const changes = await receiptBuilders.edit_handoff(world.ports, await world.read(), {
        baseSha256: base,
        content,
      });
      await world.store.commit({ ticket: world.ticket, journal: [], changes });
    };
    const { content = '', info } = (await stored(world)) ?? {};
    await edit(content.replace('Greetings', 'Hellos'));
    assert.match(await told(world), /Hellos are files/);
    await assert.rejects(edit(content, info?.sha256), { code: 'EDIT_CONFLICT' });
    await assert.rejects(edit('patterns: 3'), { code: 'INVALID_ARTIFACT' });
    await assert.rejects(edit(content.replace(/from: .*/, 'from: TST-77')), { code: 'INVALID_ARTIFACT' });
    await edit(' \n');
    assert.equal(await told(world), '');
    const read = readText('yaml', (await stored(world))?.content ?? '');
    assert.ok(read.ok);
    assert.equal(entriesIn(ReceivedHandoff.parse(read.value)), 0);
  });
});
