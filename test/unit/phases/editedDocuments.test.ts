import assert from 'node:assert/strict';
import { writeText } from '../../../src/domain/documents/base/text.ts';
import { type UngatedKind, ungatedKinds } from '../../../src/domain/documents/documents.ts';
import { emptyHandoff } from '../../../src/domain/handoff/handoff.ts';
import type { Client } from '../../../src/protocol/api.ts';
import { ungatedText } from '../../../src/protocol/readDocument.ts';
import { stay } from '../../support/engine/engineWorld.ts';
import { testBead } from '../../support/engine/executionWorld.ts';
import { type PhaseWorld, phaseWorlds } from '../../support/engine/phaseWorld.ts';

type Filed = 'limits_receipt' | 'prompt_choices' | 'received_handoff';
type Edit = readonly [find: string, replacement: string, comes: RegExp];

/** Of each: what is there, a good edit with what is filed then, and bad ones with place and reason. */
const cases: Readonly<Record<UngatedKind, readonly [Filed, stored: object | null, Edit, readonly Edit[]]>> = {
  ticket_limits: [
    'limits_receipt',
    null,
    ['commandTimeout: 600', 'commandTimeout: 30', /"after": \{[^}]*"commandTimeout": 30000,[^]*"Slow\."/],
    [
      ['maxIterations: 5', 'maxIterations: 21', /- maxIterations: .*<=20/],
      ['maxIterations: 5', 'maxIterations: 2.5', /- maxIterations: .*int/],
      ['maxIterations: 5', '', /- maxIterations: /],
      ['tokenCap: 0', 'tokenCap: 1e300', /- tokenCap: /],
      ['tokenCap: 0', 'tokenCap: .inf', /- tokenCap: /],
      ['tokenCap: 0', 'tokenCap: 0\ntokenCap: 1', /unique/],
    ],
  ],
  prompt_rules: [
    'prompt_choices',
    {
      schema_version: 1,
      rules: [{ part: 'prd', rule: 'pin', bead: 'greet' }],
      preview: 'wish',
      edits: { one: 'text' },
    },
    ['rule: pin', 'rule: exclude', /"rule": "exclude",\s+"bead": "greet"[^]*"wish"[^]*"one": "text"/],
    [
      ['part: prd', 'part: constructor', /- rules\[0\]\.part: no prompt has a part of that name/],
      [
        'part: prd\n    rule: pin',
        'part: bead_data\n    rule: exclude',
        /- rules\[0\]\.rule: .*no sense without/,
      ],
      ['"greet"', 'gone', /- rules\[0\]\.bead: .*no bead with that id/],
      ['rule: pin', 'rule: burn', /- rules\[0\]\.rule: /],
      ['rule: pin', 'rule: pin\n    always: true', /- rules\[0\]: .*always/],
      ['rules:', 'rules:\n  - { part: prd, rule: pin, bead: greet }', /- rules\[1\]\.part: There is another/],
      ['rules:', `rules:\n${'  - { part: prd, rule: pin }\n'.repeat(501)}`, /- rules: /],
    ],
  ],
  received_handoff: [
    'received_handoff',
    {
      schema_version: 1,
      ticket_id: 'TST-1',
      artifact: 'received_handoff',
      from: 'TST-7',
      ...emptyHandoff,
      patterns: [{ text: 'Greetings are files.', evidence: ['README.md'] }],
      dropped: [],
    },
    ['Greetings', 'Hellos', /Hellos are files/],
    [
      ['TST-7', 'TST-8', /from must be TST-7/],
      ['TST-1', 'TST-2', /ticket_id must be TST-1/],
      ['evidence:', 'proof:', /- patterns\[0\]\.evidence: /],
      ['risks:', 'risk:', /risk/],
    ],
  ],
};

describe('documents that people change outside of gates', () => {
  const make = phaseWorlds();
  let world: PhaseWorld;
  beforeEach(async () => {
    world = await make('COUNCIL_DELIBERATING', {});
    await world.change({ type: 'beads', beads: [testBead({ id: 'greet' })] });
    for (const [artifact, stored] of Object.values(cases))
      if (stored)
        await world.put(
          artifact,
          artifact === 'prompt_choices' ? JSON.stringify(stored) : writeText('yaml', stored),
        );
  });

  const open = async (kind: UngatedKind, version?: number) => {
    const { store } = world;
    const ticket = async () => ({ ticket: await world.ticket() });
    const client = { artifact: store.artifact.bind(store), ticket } as unknown as Client;
    const text = await ungatedText(client, 'TST-1', kind, version);
    assert.ok(text);
    return { content: text.content, sha256: text.sha256 };
  };
  /** The refusal with its code, else the state. */
  const save = async (artifact: UngatedKind, content: string, base?: string): Promise<string> => {
    const baseSha256 = base ?? (await open(artifact)).sha256;
    const post = await world.post('edit_document', { artifact, baseSha256, content, reason: 'Slow.' });
    // While a ticket is held, nothing else is driven.
    await world.drive(stay).catch(() => undefined);
    const { state = '', outcome } = (await world.entry(post)) ?? {};
    return outcome ? `${outcome.code} ${outcome.message}` : state;
  };

  for (const kind of ungatedKinds) {
    const [filed, , [find, replacement, comes], bad] = cases[kind];

    it(`take a good text at once, unless it was made of an earlier version: ${kind}`, async () => {
      const before = await open(kind);
      const good = before.content.replace(find, replacement);
      assert.equal(await save(kind, good), 'consumed');
      assert.match(await world.content(filed), comes);
      const after = await open(kind);
      assert.equal(after.content, good);
      assert.deepEqual(await open(kind, (await world.artifact(filed))?.info.version), after);
      assert.match(await save(kind, before.content, before.sha256), /^EDIT_CONFLICT /);
      assert.deepEqual(await open(kind), after);
    });

    it(`refuse what isn’t right, with place and reason, and change nothing: ${kind}`, async () => {
      const { content, sha256 } = await open(kind);
      const versions = await world.versions();
      for (const [text, reason] of [
        ...bad.map(([from, to, why]) => [content.replace(from, to), why] as const),
        [`${content}__proto__: { polluted: true }\n`, /__proto__/],
        [`${content}constructor: 1\n`, /constructor/],
        ['{ [', /^INVALID_ARTIFACT/],
        ['- 1\n', /expected object/],
      ] as const) {
        const said = await save(kind, text);
        assert.match(said, /^INVALID_ARTIFACT /, text);
        assert.match(said, reason);
      }
      assert.deepEqual([(await open(kind)).sha256, await world.versions()], [sha256, versions]);
    });
  }

  it('are changed where the ticket has the action of the document, and nowhere else', async () => {
    await world.enter('CODING');
    const said: string[] = [];
    for (const kind of ungatedKinds) said.push(await save(kind, (await open(kind)).content));
    assert.match(said.join('\n'), /^consumed\nconsumed\nACTION_NOT_ALLOWED .*edit handoff/);
  });

  it('raise the budget that pauses a ticket above what is used, or leave it', async () => {
    const { limits } = await world.ticket();
    assert.ok(limits);
    const diagnostics = { limit: 'tokenCap', used: 1_500 };
    const error = { code: 'BUDGET_EXHAUSTED', args: {}, continuable: true, diagnostics } as const;
    const hold = { kind: 'budget', since: 0, detail: '' } as const;
    await world.change({ type: 'ticket', set: { limits: { ...limits, tokenCap: 1_000 }, hold, error } });
    const { content } = await open('ticket_limits');
    assert.match(
      await save('ticket_limits', content.replace('tokenCap: 1000', 'tokenCap: 1500')),
      /^INVALID_ARTIFACT .*- tokenCap: 1500 are used already/s,
    );
    assert.equal(await save('ticket_limits', content.replace('Iterations: 5', 'Iterations: 6')), 'consumed');
    assert.equal((await world.ticket()).limits?.maxIterations, 6);
  });
});
