import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { sha256 } from '../../../../../src/base/sha256.ts';
import type { Bead } from '../../../../../src/domain/beads/bead.ts';
import { beadLines, planHash } from '../../../../../src/domain/beads/beadPlan.ts';
import { CoverageReport, Interview } from '../../../../../src/domain/requirements/interview.ts';
import { Prd, prdBody } from '../../../../../src/domain/requirements/prd.ts';
import { ApprovalReceipt } from '../../../../../src/domain/workflow/receipts.ts';
import { prdCoverage } from '../../../../../src/phases/prd/prd.ts';
import { behaviour } from '../../../../../src/phases/index.ts';
import {
  beads,
  cleanPlan,
  cleanPrd,
  expansion,
  interviewDocument,
  prd,
  prdGaps,
  prdText,
} from '../../../../support/models/planningAnswers.ts';
import { atGatePlan as plan, gateWorlds } from '../../../../support/engine/gateWorlds.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

const { approve } = behaviour.handlers;
describe('the gates of planning', () => {
  const worlds = phaseWorlds();
  const { prdWorld, beadsWorld } = gateWorlds(worlds);
  const interviewWorld = async (): Promise<PhaseWorld> => {
    const world = await worlds('WAITING_INTERVIEW_APPROVAL');
    await world.put('interview', stringify(interviewDocument()), 'WAITING_INTERVIEW_ANSWERS');
    return world;
  };
  const receiptOf = async (world: PhaseWorld): Promise<ApprovalReceipt> =>
    ApprovalReceipt.parse(JSON.parse(await world.content('approval_receipt')));
  const hashOf = async (world: PhaseWorld, type: 'interview' | 'prd'): Promise<string> =>
    sha256(await world.content(type));

  it('approves exactly what the person saw, stamps it, and keeps the proof', async () => {
    const world = await interviewWorld();
    assert.deepEqual(await world.drive(approve), { waits: ['approve', 'edit', 'regenerate'] });
    const seen = await hashOf(world, 'interview');
    await world.post('approve', { sha256: seen, reason: '' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    const stored = Interview.parse(parse(await world.content('interview')));
    assert.deepEqual([stored.status, stored.approval.approved_by], ['approved', 'user']);
    const receipt = await receiptOf(world);
    assert.deepEqual(
      [receipt.content_sha256, receipt.stored_content_sha256],
      [seen, await hashOf(world, 'interview')],
    );
    assert.deepEqual([...world.files.written], [], 'what was committed is projected, nothing else');
    assert.equal((await world.ticket()).status, 'DRAFTING_PRD');
  });

  it('approves once, though the process was killed before the ticket moved on', async () => {
    const world = await interviewWorld();
    await world.post('approve', { sha256: await hashOf(world, 'interview'), reason: '' });
    world.killAt = 'exit';
    assert.equal(await world.drive(approve), 'killed');
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    const stored = (await world.store.artifacts('TST-1', { type: 'interview' })).map(
      ({ version }) => version,
    );
    assert.deepEqual(stored, [1, 2], 'stamped once');
  });

  it('takes one of two decisions that people make at the same time, and refuses the other as it moves on', async () => {
    const world = await interviewWorld();
    const body = { sha256: await hashOf(world, 'interview'), reason: '' };
    const [first, same, other] = [
      await world.post('approve', body),
      await world.post('approve', body),
      await world.post('regenerate', { note: 'Ask about the encoding, too.' }),
    ];
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    assert.deepEqual(await world.outcomes(first, same, other), [
      'consumed',
      'STATUS_CONFLICT',
      'STATUS_CONFLICT',
    ]);
    const journal = await world.store.journal('TST-1');
    const [moved] = journal.filter(({ entry }) => entry.kind === 'status').slice(-1);
    const refused = journal.filter(({ entry }) => entry.kind === 'inbox' && entry.outcome === 'refused');
    assert.deepEqual([refused.length, refused.every((row) => row.at === moved?.at)], [2, true]);
  });

  it('refuses also a decision that arrives while the other one is carried out', async () => {
    const world = await interviewWorld();
    const body = { sha256: await hashOf(world, 'interview'), reason: '' };
    await world.post('approve', body);
    const commit = world.store.commit.bind(world.store);
    let late: string | undefined;
    Object.assign(world.store, {
      commit: async (transaction: Parameters<PhaseWorld['store']['commit']>[0]) => {
        const moves = transaction.journal.some(({ kind }) => kind === 'status');
        if (moves) late ??= await world.post('regenerate', { note: 'Ask about the encoding, too.' });
        return commit(transaction);
      },
    });
    await world.drive(approve);
    assert.deepEqual(await world.drive(approve), { exit: 'approve' }, 'it looks once more');
    assert.deepEqual(await world.outcomes(late ?? assert.fail()), ['STATUS_CONFLICT']);
    assert.equal((await world.ticket()).status, 'DRAFTING_PRD');
  });

  it('refuses an approval of anything else, and stays open', async () => {
    const world = await interviewWorld();
    const stale = await world.post('approve', { sha256: 'f'.repeat(64), reason: '' });
    assert.deepEqual(await world.drive(approve), { waits: ['approve', 'edit', 'regenerate'] });
    assert.deepEqual(await world.outcomes(stale), ['STALE_APPROVAL']);
    assert.equal(await world.artifact('approval_receipt'), undefined);
  });

  it('takes an edit of the current version only, as a draft with a receipt, and guards the new version', async () => {
    const world = await interviewWorld();
    const base = await hashOf(world, 'interview');
    const content = stringify(
      interviewDocument({ status: 'approved', questions: interviewDocument().questions.slice(0, 1) }),
    );
    const edit = { artifact: 'interview', baseSha256: base, content, surface: 'raw' } as const;
    const edited = await world.post('edit', edit);
    const late = await world.post('edit', edit);
    const old = await world.post('approve', { sha256: base, reason: '' });
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(edited, late, old), [
      'consumed',
      'EDIT_CONFLICT',
      'STALE_APPROVAL',
    ]);
    const stored = Interview.parse(parse(await world.content('interview')));
    assert.deepEqual([stored.status, stored.questions.length], ['draft', 1]);
    assert.match(await world.content('user_edit_receipt:interview'), new RegExp(`"sha256": "${base}"`));
    assert.equal(
      (await world.artifact('interview'))?.info.status,
      'WAITING_INTERVIEW_ANSWERS',
      'filed where it stays when the gate is tried again',
    );
  });

  it('takes answers by question, and refuses what no question offers', async () => {
    const world = await interviewWorld();
    const edit = {
      artifact: 'interview',
      baseSha256: await hashOf(world, 'interview'),
      surface: 'answers',
    } as const;
    const bad = await world.post('edit', {
      ...edit,
      content: JSON.stringify({ Q02: { selected_option_ids: ['perhaps'] } }),
    });
    const good = await world.post('edit', {
      ...edit,
      content: JSON.stringify({ Q02: { selected_option_ids: ['no'] } }),
    });
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(bad, good), ['INVALID_ARTIFACT', 'consumed']);
    const [, answered] = Interview.parse(parse(await world.content('interview'))).questions;
    assert.deepEqual([answered?.answer.selected_option_ids, answered?.answer.skipped], [['no'], false]);
  });

  it('refuses a document that is not valid, saying where, and keeps the previous one', async () => {
    const world = await prdWorld();
    const before = await world.content('prd');
    const edit = { artifact: 'prd', baseSha256: sha256(before), surface: 'raw' } as const;
    const id = await world.post('edit', {
      ...edit,
      content: before.replace('title: Greeting', 'titel: Greeting'),
    });
    const foreign = await world.post('edit', { ...edit, content: before.replace('TST-1', 'TST-2') });
    const other = await world.post('edit', { ...edit, artifact: 'beads', content: '' });
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(id, foreign, other), [
      'INVALID_ARTIFACT',
      'INVALID_ARTIFACT',
      'INVALID_INPUT',
    ]);
    assert.match((await world.entry(id))?.outcome?.message ?? '', /epics\[0\]\.title/);
    assert.equal(await world.content('prd'), before);
  });

  it('isn’t approved with open gaps and without a reason, and stays as it was', async () => {
    const world = await prdWorld();
    for (const reason of ['', ' \n']) {
      const id = await world.post('approve', { sha256: await hashOf(world, 'prd'), reason });
      await world.drive(approve);
      assert.equal((await world.entry(id))?.outcome?.code, 'REASON_MISSING');
    }
    assert.equal(await world.artifact('approval_receipt'), undefined);
  });

  it('records the gaps that were open when it was approved', async () => {
    const world = await prdWorld();
    await world.post('approve', { sha256: await hashOf(world, 'prd'), reason: 'Good enough.' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    assert.deepEqual((await receiptOf(world)).with_gaps, ['A gap.']);
    assert.match(await world.content('skip_receipt:approval_with_gaps'), /Good enough\./);
  });

  it('leads back with the note when everything is to be made again', async () => {
    const world = await prdWorld();
    await world.post('regenerate', { note: 'Smaller.' });
    assert.deepEqual(await world.drive(approve), { exit: 'regenerate', body: { note: 'Smaller.' } });
  });

  it('fixes gaps by one revision and one audit, tells the next fix of the last, and guards the new version', async () => {
    const world = await prdWorld();
    const old = await hashOf(world, 'prd');
    let audits = 0;
    world.answers({
      'prd-revise': () =>
        stringify({
          ...prd,
          risks: ['Known.', ...(audits === 0 ? [] : ['Known, too.'])],
          changes: [],
          gap_resolutions: ['A gap.', 'Another.'].map((gap) => ({
            gap,
            action: 'updated_prd',
            rationale: `Did ${gap}`,
          })),
        }),
      'prd-coverage': () => (audits++ === 0 ? prdGaps('Another.') : cleanPrd),
    });
    await world.post('fix_gaps', {});
    await world.post('fix_gaps', {});
    const third = await world.post('fix_gaps', {});
    const stale = await world.post('approve', { sha256: old, reason: '' });
    await world.drive(approve);
    assert.deepEqual(world.agent.tasks, ['prd-revise', 'prd-coverage', 'prd-revise', 'prd-coverage']);
    assert.match(world.agent.calls[2]?.whole ?? '', /## extra_fix_history\n[\s\S]*Did A gap\./);
    assert.deepEqual(await world.outcomes(third, stale), ['INVALID_INPUT', 'STALE_APPROVAL']);
    const report = CoverageReport.parse(parse(await world.content('prd_coverage')));
    assert.deepEqual([report.passes.length, report.outcome, report.open_gaps], [3, 'clean', []]);
    assert.match(await world.content('user_edit_receipt:prd'), /"action": "fix_gaps"/);
    await world.post('approve', { sha256: await hashOf(world, 'prd'), reason: '' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    assert.equal(world.agent.calls.length, 4);
    assert.equal(Prd.parse(parse(await world.content('prd'))).status, 'approved');
  });

  it('keeps a criterion that a person wrote, though an audit finds it unsupported', async () => {
    const world = await prdWorld();
    const own = 'greet("Bob") answers within a second';
    const stored = Prd.parse(parse(await world.content('prd')));
    const withOwn = structuredClone(stored);
    withOwn.epics[0]?.user_stories[0]?.acceptance_criteria.push(own);
    await world.post('edit', {
      artifact: 'prd',
      baseSha256: await hashOf(world, 'prd'),
      content: stringify(withOwn),
      surface: 'raw',
    });
    await world.post('fix_gaps', {});
    const removing = stringify({
      ...stored,
      changes: [
        { type: 'modified', item_type: 'user_story', before: { id: 'US-1-1' }, after: { id: 'US-1-1' } },
      ],
      gap_resolutions: [
        {
          gap: 'A gap.',
          action: 'updated_prd',
          rationale: 'Removed.',
          affected_items: [{ item_type: 'user_story', id: 'US-1-1' }],
        },
      ],
    });
    world.answers({ 'prd-revise': removing, 'structured-repair': removing, 'prd-coverage': cleanPrd });
    await world.drive(approve);
    const [revise, repair, audit] = world.agent.calls;
    assert.match(
      revise?.whole ?? '',
      /## decisions\n[^]*Added: US-1-1 "Greet by name", acceptance criterion: "greet\("Bob"\)/,
    );
    assert.match(repair?.text ?? '', /A person wrote this, and it stays[^]*greet\("Bob"\)/);
    assert.match(audit?.whole ?? '', /## decisions\n[^]*greet\("Bob"\)/);
    assert.deepEqual(prdBody(Prd.parse(parse(await world.content('prd')))), prdBody(withOwn));
  });

  it('tells every later draft what a person asked for when it was made again', async () => {
    const world = await prdWorld();
    await world.post('regenerate', { note: 'Greet in French.' });
    await world.drive(approve);
    assert.match(await world.content('prd_decisions'), /Greet in French\./);
    assert.equal((await world.artifact('prd_decisions'))?.info.archived, false);
    world.answers({ 'prd-coverage': cleanPrd });
    await world.put('prd', prdText());
    await world.enter('VERIFYING_PRD_COVERAGE');
    await world.drive(prdCoverage);
    assert.match(world.agent.calls[0]?.whole ?? '', /## decisions\n[^]*Greet in French\./);
  });

  describe('of the beads', () => {
    const editOf = (content: string, base = planHash(plan)) =>
      ({ artifact: 'beads', baseSha256: base, content, surface: 'jsonl' }) as const;

    it('approves by the hash of the plan, whatever happened to runtime fields, and stamps the rows', async () => {
      const world = await beadsWorld();
      await world.post('approve', { sha256: planHash(plan), reason: 'The gap is small.' });
      assert.deepEqual(await world.drive(approve), { exit: 'approve' });
      assert.equal((await world.beads())[0]?.createdAt, '2026-01-01T00:00:00.000Z');
      assert.equal(planHash(await world.beads()), planHash(plan));
      assert.equal((await receiptOf(world)).stored_content_sha256, planHash(plan));
    });

    it('takes JSON lines and an array, leaves runtime fields alone, and throws setup away', async () => {
      const world = await beadsWorld();
      await world.put('execution_setup_plan', 'x', 'GENERATING_EXECUTION_SETUP_PLAN');
      const changed = plan.map((bead) => ({
        ...bead,
        title: `Now ${bead.title}`,
        status: 'done',
        notes: 'hacked',
      }));
      await world.post('edit', editOf(beadLines(changed as unknown as Bead[])));
      await world.drive(approve);
      assert.deepEqual(
        [(await world.beads())[0]?.title, (await world.beads())[0]?.status],
        ['Now Do greet-by-name', 'pending'],
      );
      assert.equal(await world.artifact('execution_setup_plan'), undefined);
      assert.match(await world.content('user_edit_receipt:beads'), /execution_setup_plan/);

      const linked = plan.map((bead, index) => ({
        ...bead,
        dependencies: { blocked_by: index === 1 ? ['greet-by-name'] : [], blocks: [] },
      }));
      await world.post('edit', editOf(JSON.stringify(linked), planHash(await world.beads())));
      await world.drive(approve);
      assert.deepEqual((await world.beads())[0]?.dependencies.blocks, ['greet-nobody']);
    });

    it('refuses a circle, names that do not exist, an edge of one side, an id twice, no commands without a reason, and a line that is no JSON', async () => {
      const world = await beadsWorld();
      const edges = (first: object, second: object): string =>
        JSON.stringify(
          plan.map((bead, index) => ({
            ...bead,
            dependencies: { blocked_by: [], blocks: [], ...(index === 0 ? first : second) },
          })),
        );
      const contents = {
        'go in a circle': edges({ blocked_by: ['greet-nobody'] }, { blocked_by: ['greet-by-name'] }),
        "nowhere, which doesn't exist. The beads are greet-by-name, greet-nobody": edges(
          { blocked_by: ['nowhere'] },
          {},
        ),
        'greet-by-name: prdRefs names US-9-9, which the PRD doesn.t have[^]*EPIC-1, US-1-1, US-1-1.AC1':
          JSON.stringify(plan.map((bead) => ({ ...bead, prdRefs: ['US-9-9'] }))),
        'greet-nobody: there are no testCommands': JSON.stringify(
          plan.map((bead) => ({ ...bead, testCommands: [] })),
        ),
        "isn't blocked by it": edges({ blocks: ['greet-nobody'] }, {}),
        'must be unique': JSON.stringify([plan[0], plan[0]]),
        'Line 2': `${JSON.stringify(plan[0])}\n{nonsense`,
      };
      for (const [reason, content] of Object.entries(contents)) {
        const id = await world.post('edit', editOf(content));
        await world.drive(approve);
        const entry = await world.entry(id);
        assert.equal(entry?.outcome?.code, 'INVALID_ARTIFACT', reason);
        assert.match(entry.outcome.message, new RegExp(reason));
      }
      assert.deepEqual(await world.beads(), plan);
    });

    it('takes a bead without commands that says why, and shows that to who approves it', async () => {
      const world = await beadsWorld();
      const silent = plan.map((bead) => ({
        ...bead,
        testCommands: [],
        testCommandReason: 'Only words change.',
      }));
      await world.post('edit', editOf(JSON.stringify(silent)));
      await world.drive(approve);
      assert.equal((await world.beads())[0]?.unprovedReason, 'Only words change.');
      await world.post('approve', { sha256: planHash(await world.beads()), reason: 'Nothing to run.' });
      await world.drive(approve);
      assert.match(
        (await receiptOf(world)).with_gaps.join(),
        /No command proves greet-by-name\. Reason: Only words change\./,
      );
    });

    it('leaves untouched beads as they are, and expands only what a fix changed or added', async () => {
      const world = await beadsWorld();
      const [first, second] = beads;
      const added = { ...second, id: 'greet-all', title: 'Do greet-all' };
      const changes = [{ type: 'added', item_type: 'bead', before: null, after: { id: 'greet-all' } }];
      world.answers({
        'beads-revise': stringify({
          beads: [first, added, second],
          changes,
          gap_resolutions: [
            {
              gap: 'A gap.',
              action: 'updated_beads',
              affected_items: [{ item_type: 'bead', id: 'greet-all' }],
            },
          ],
        }),
        'beads-expand': JSON.stringify({
          id: 'greet-all',
          issueType: 'docs',
          labels: ['y'],
          dependencies: { blocked_by: [] },
          targetFiles: ['all.ts'],
        }),
        'beads-coverage': cleanPlan,
      });
      await world.post('fix_gaps', {});
      await world.drive(approve);
      assert.match(world.agent.calls[1]?.whole ?? '', /## to_expand\n[^]*greet-all/);
      const now = await world.beads();
      assert.deepEqual(
        now.map(({ id }) => id),
        ['greet-by-name', 'greet-all', 'greet-nobody'],
      );
      assert.deepEqual([now[0], now[2]], plan);
      assert.deepEqual([now[1]?.issueType, now[1]?.targetFiles, now[1]?.priority], ['docs', ['all.ts'], 1]);
    });

    it('fixes gaps from the plan as it stands, edits included, and expands it again', async () => {
      const world = await beadsWorld();
      const edited = plan.map((bead) => ({ ...bead, description: 'Edited by hand.' }));
      await world.post('edit', editOf(beadLines(edited)));
      await world.post('fix_gaps', {});
      const better = beads.map((bead) => ({
        ...bead,
        description: 'Edited by hand.',
        tests: ['A better test'],
      }));
      world.answers({
        'beads-revise': (call) => {
          assert.match(call.whole, /Edited by hand\./);
          const changes = better.map(({ id }) => ({
            type: 'modified',
            item_type: 'bead',
            before: { id },
            after: { id },
          }));
          return stringify({
            beads: better,
            changes,
            gap_resolutions: [{ gap: 'A gap.', action: 'updated_beads' }],
          });
        },
        'beads-expand': expansion([], ['greet-by-name']),
        'beads-coverage': cleanPlan,
      });
      await world.drive(approve);
      assert.deepEqual(world.agent.tasks, ['beads-revise', 'beads-expand', 'beads-coverage']);
      assert.deepEqual((await world.beads())[1]?.tests, ['A better test']);
      assert.deepEqual((await world.beads())[1]?.dependencies.blocked_by, ['greet-by-name']);
      await world.post('approve', { sha256: planHash(await world.beads()), reason: '' });
      assert.deepEqual(await world.drive(approve), { exit: 'approve' });
      assert.deepEqual((await receiptOf(world)).with_gaps, []);
    });
  });
});
