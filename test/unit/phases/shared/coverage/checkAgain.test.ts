import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { sha256 } from '../../../../../src/base/sha256.ts';
import { beadLines, planHash } from '../../../../../src/domain/beads/beadPlan.ts';
import { CoverageReport } from '../../../../../src/domain/requirements/interview.ts';
import { documentNotes } from '../../../../../src/domain/loss/notes.ts';
import { ApprovalReceipt } from '../../../../../src/domain/workflow/receipts.ts';
import { Limits } from '../../../../../src/domain/settings/settings.ts';
import { RunStopped } from '../../../../../src/engine/run/runScope.ts';
import { behaviour } from '../../../../../src/phases/index.ts';
import { atGatePlan as plan, gateWorlds } from '../../../../support/engine/gateWorlds.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { hang } from '../../../../support/models/fakeAgent.ts';
import { cleanPlan, cleanPrd, prdGaps } from '../../../../support/models/planningAnswers.ts';
import { until } from '../../../../support/until.ts';

const { approve } = behaviour.handlers;

describe('a document that is checked again at its gate', () => {
  const { prdWorld, beadsWorld } = gateWorlds(phaseWorlds());
  const reportOf = async (world: PhaseWorld, kind: 'prd' | 'beads' = 'prd'): Promise<CoverageReport> =>
    CoverageReport.parse(parse(await world.content(`${kind}_coverage`)));

  it('checks a document again after an edit, leaves it as it is, and takes the approval of what was seen', async () => {
    const world = await prdWorld();
    const edited = (await world.content('prd')).replace('title: Greeting', 'title: Kind greeting');
    await world.post('edit', {
      artifact: 'prd',
      baseSha256: sha256(await world.content('prd')),
      content: edited,
      surface: 'raw',
    });
    assert.deepEqual(await world.drive(approve), {
      waits: ['approve', 'edit', 'regenerate', 'fix_gaps', 'check_again'],
    });
    const seen = await world.content('prd');
    world.answers({ 'prd-coverage': prdGaps('Kindness is asked for by nobody.') });
    const asked = await world.post('check_again', {});
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(asked), ['consumed']);
    assert.deepEqual(world.agent.tasks, ['prd-coverage']);
    assert.match(world.agent.calls[0]?.whole ?? '', /Kind greeting/);
    assert.equal(await world.content('prd'), seen);
    const report = await reportOf(world);
    assert.deepEqual(report.open_gaps, ['Kindness is asked for by nobody.'], 'the old gap is gone');
    assert.deepEqual(
      report.passes.map(({ pass, by, candidate }) => [pass, by, candidate]),
      [
        [1, 'check', 'a'.repeat(64)],
        [2, 'check_again', sha256(seen)],
      ],
    );
    assert.equal(
      (await world.artifact('prd_coverage'))?.info.status,
      'VERIFYING_PRD_COVERAGE',
      'filed with the report it replaces',
    );
    await world.post('approve', { sha256: sha256(seen), reason: 'Kindness stays.' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
    assert.deepEqual(ApprovalReceipt.parse(await world.json('approval_receipt')).with_gaps, [
      'Kindness is asked for by nobody.',
    ]);
    assert.equal(world.agent.calls.length, 1);
  });

  it('closes its gaps when a check that a person asked for finds nothing, once, though the process was killed', async () => {
    const world = await prdWorld();
    world.answers({ 'prd-coverage': cleanPrd });
    await world.post('check_again', {});
    world.killAt = 'check-1-record';
    assert.equal(await world.drive(approve), 'killed');
    await world.drive(approve);
    assert.deepEqual(world.agent.tasks, ['prd-coverage']);
    const report = await reportOf(world);
    assert.deepEqual([report.passes.length, report.outcome, report.open_gaps], [2, 'clean', []]);
    assert.equal(
      documentNotes(report, undefined)[0]?.text,
      'Checks: {0}. The last one, which you requested, found nothing missing.',
    );
    const late = await world.post('fix_gaps', {});
    await world.drive(approve);
    assert.deepEqual(await world.outcomes(late), ['INVALID_INPUT']);
  });

  it('checks in a fresh session after a pause, and not at all once the cap is reached', async () => {
    const world = await prdWorld();
    const before = [await world.content('prd'), await world.content('prd_coverage')];
    world.agent.answer = () => hang;
    await world.post('check_again', {});
    const cut = assert.rejects(world.drive(approve), RunStopped);
    await until(() => world.agent.calls.length > 0, 'the model is asked');
    await world.post('pause', {});
    await cut;
    assert.deepEqual([await world.content('prd'), await world.content('prd_coverage')], before);
    await world.post('resume', {});
    world.answers({ 'prd-coverage': cleanPrd });
    await world.drive(approve);
    assert.equal(new Set(world.agent.calls.map(({ session }) => session)).size, 2);
    assert.equal((await reportOf(world)).passes.length, 2);
    await world.change({ type: 'ticket', set: { limits: Limits.parse({ tokenCap: 1 }) } });
    await world.post('check_again', {});
    await assert.rejects(world.drive(approve), { code: 'BUDGET_EXHAUSTED' });
    assert.equal(world.agent.calls.length, 2);
  });

  it('blocks as a fix of gaps does when the audit can’t be used, and keeps document and report', async () => {
    const world = await prdWorld();
    const before = [await world.content('prd'), await world.content('prd_coverage')];
    world.answers({ 'prd-coverage': 'No idea.', 'structured-repair': 'No idea.' });
    await world.post('check_again', {});
    await assert.rejects(world.drive(approve));
    assert.equal((await world.ticket()).status, 'BLOCKED_ERROR');
    assert.deepEqual([await world.content('prd'), await world.content('prd_coverage')], before);
  });

  it('checks the plan again as it stands, and finds itself what an edit left without a link', async () => {
    const world = await beadsWorld();
    const edited = plan.map((bead, index) => ({
      ...bead,
      description: 'Edited by hand.',
      prdRefs: index === 0 ? ['US-1-1'] : [],
    }));
    await world.post('edit', {
      artifact: 'beads',
      baseSha256: planHash(plan),
      content: beadLines(edited),
      surface: 'jsonl',
    });
    await world.drive(approve);
    const [seen, text, blueprint] = [
      await world.beads(),
      await world.content('beads'),
      await world.content('beads_blueprint'),
    ];
    world.answers({ 'beads-coverage': cleanPlan });
    await world.post('check_again', {});
    await world.drive(approve);
    assert.deepEqual(world.agent.tasks, ['beads-coverage']);
    assert.match(world.agent.calls[0]?.whole ?? '', /Edited by hand\./);
    assert.deepEqual(
      [await world.beads(), await world.content('beads'), await world.content('beads_blueprint')],
      [seen, text, blueprint],
    );
    const report = await reportOf(world, 'beads');
    assert.deepEqual(
      [report.passes.at(-1)?.by, report.passes.at(-1)?.candidate],
      ['check_again', planHash(seen)],
    );
    assert.match(report.open_gaps.join('\n'), /greet-nobody/, 'it names no criterion any more');
    assert.doesNotMatch(report.open_gaps.join('\n'), /A gap\./);
    await world.post('approve', { sha256: planHash(seen), reason: 'The words are enough.' });
    assert.deepEqual(await world.drive(approve), { exit: 'approve' });
  });
});
