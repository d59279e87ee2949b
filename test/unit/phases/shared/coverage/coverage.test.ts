import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { Bead, Blueprint } from '../../../../../src/domain/beads/bead.ts';
import { sha256 } from '../../../../../src/base/sha256.ts';
import { writeText } from '../../../../../src/domain/documents/base/text.ts';
import { LossReport } from '../../../../../src/domain/loss/lossReport.ts';
import { CoverageReport } from '../../../../../src/domain/requirements/interview.ts';
import { Prd, normalPrd } from '../../../../../src/domain/requirements/prd.ts';
import type { Status } from '../../../../../src/domain/workflow/workflow.ts';
import { beadsCoverage } from '../../../../../src/phases/plan/blueprint.ts';
import { expandBeads } from '../../../../../src/phases/plan/beads.ts';
import { prdCoverage } from '../../../../../src/phases/prd/prd.ts';
import type { FakeCall } from '../../../../support/models/fakeAgent.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import {
  beads,
  clean as rowless,
  cleanPlan,
  cleanPrd,
  expansion,
  interviewDocument,
  planGaps,
  prd,
  prdFrom,
  prdGaps,
  prdText,
  winnerDocument,
} from '../../../../support/models/planningAnswers.ts';

const revised = { ...prd, risks: ['Nobody answers.'] };
const interviewSha256 = sha256(stringify(interviewDocument()));
const resolved = (gap: string, action = 'updated_prd'): unknown => ({
  gap,
  action,
  rationale: 'Done.',
  affected_items: [],
});

const revision = (over: object = {}): string =>
  stringify({ ...revised, changes: [], gap_resolutions: [resolved('A gap.')], ...over });
const gapsUntilRevised =
  (...gaps: readonly string[]) =>
  ({ whole }: FakeCall): string =>
    whole.includes('Nobody answers.') ? cleanPrd : prdGaps(...gaps);
const reportOf = async (world: PhaseWorld, domain: 'prd' | 'beads'): Promise<CoverageReport> =>
  CoverageReport.parse(parse(await world.content(`${domain}_coverage`)));

describe('coverage', () => {
  const worlds = phaseWorlds();
  const prdWorld = async (maxPrdCoveragePasses = 2): Promise<PhaseWorld> => {
    const world = await worlds('VERIFYING_PRD_COVERAGE', { maxPrdCoveragePasses });
    await world.put('interview', stringify(interviewDocument()));
    await world.put('prd_winner', winnerDocument());
    await world.put('full_answers:demo/main', stringify(interviewDocument()));
    await world.put('prd', writeText('yaml', normalPrd(prd, { ticketId: 'TST-1', interviewSha256 })));
    return world;
  };

  it('audits, revises once for a round of gaps, and audits the revision', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': gapsUntilRevised('Q01 is "missing".'),
      // Other quotes than the audit's are fine.
      'prd-revise': stringify({ ...revised, changes: [], gap_resolutions: [resolved("Q01 is 'missing'.")] }),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'prd-coverage']);
    assert.match(world.agent.calls[1]?.whole ?? '', /## gaps\n[\s\S]*Q01 is "missing"/);
    assert.match(world.agent.calls[2]?.whole ?? '', /is_final_coverage_run: true/);
    assert.deepEqual(Prd.parse(parse(await world.content('prd'))).risks, ['Nobody answers.']);
    const report = await reportOf(world, 'prd');
    assert.deepEqual(
      report.passes.map((pass) => pass.status),
      ['gaps', 'clean'],
    );
    assert.notEqual(report.passes[0]?.candidate, report.passes[1]?.candidate);
    assert.deepEqual([report.outcome, report.open_gaps], ['clean', []]);
  });

  it('continues with its gaps when the passes are used up', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': prdGaps('A gap.'),
      'prd-revise': revision({ gap_resolutions: [resolved('A gap.', 'left_unresolved')] }),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'limit' });
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'prd-coverage']);
    assert.deepEqual((await reportOf(world, 'prd')).open_gaps, ['A gap.']);
  });

  it('has a revision repaired that passes over a gap', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': gapsUntilRevised('One.', 'Two.'),
      'prd-revise': revision({ gap_resolutions: [resolved('One.')] }),
      'structured-repair': revision({ gap_resolutions: [resolved('One.'), resolved('Two.')] }),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.match(world.agent.calls[2]?.text ?? '', /none for the gap "Two\."/);
  });

  it('takes a gap that a revision passes over again for unresolved', async () => {
    const world = await prdWorld();
    const passesOver = revision({ gap_resolutions: [resolved('One.')] });
    world.answers({
      'prd-coverage': prdGaps('One.', 'Two.'),
      'prd-revise': passesOver,
      'structured-repair': passesOver,
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'limit' });
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'structured-repair', 'prd-coverage']);
    assert.deepEqual(Prd.parse(parse(await world.content('prd'))).risks, ['Nobody answers.']);
  });

  it('asks once about what a revision left out without saying so, and takes the better answer', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': gapsUntilRevised('A gap.'),
      'prd-revise': revision({ scope: { in_scope: ['Else'] } }),
      'structured-repair': revision(),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.match(
      world.agent.calls[2]?.text ?? '',
      /without an entry under "changes"[^]*- in scope: "Greeting by name"/,
    );
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'structured-repair', 'prd-coverage']);
    assert.equal(await world.artifact('prd_losses'), undefined);
  });

  it('puts back what a revision leaves out again, and keeps a note of it', async () => {
    const world = await prdWorld();
    const careless = revision({ scope: { in_scope: ['Else'] } });
    world.answers({
      'prd-coverage': gapsUntilRevised('A gap.'),
      'prd-revise': careless,
      'structured-repair': careless,
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.deepEqual(Prd.parse(parse(await world.content('prd'))).scope.in_scope, [
      'Greeting by name',
      'Else',
    ]);
    const [step] = LossReport.parse(parse(await world.content('prd_losses'))).steps;
    assert.deepEqual([step?.step, step?.put_back], ['revise-1', ['in scope: "Greeting by name"']]);
  });

  it('puts back a command that a bead lost, though the bead could not be used without it', async () => {
    const world = await beadsWorld();
    const careless = beads.map((bead) => ({ ...bead, testCommands: [], tests: ['A test', 'A better test'] }));
    const answer = stringify({
      beads: careless,
      changes: [],
      gap_resolutions: [resolved('Weak tests.', 'updated_beads')],
    });
    world.answers({
      'beads-coverage': (call) =>
        call.whole.includes('A better test') ? cleanPlan : planGaps('Weak tests.'),
      'beads-revise': answer,
      'structured-repair': answer,
    });
    assert.deepEqual(await world.drive(beadsCoverage), { exit: 'clean' });
    assert.deepEqual(Blueprint.parse(parse(await world.content('beads_blueprint'))).beads[0]?.testCommands, [
      'node --test',
    ]);
  });

  it('keeps declared losses, too, and says which', async () => {
    const world = await prdWorld();
    const changes = [{ type: 'removed', item_type: 'scope', before: 'Greeting by name', after: null }];
    world.answers({
      'prd-coverage': gapsUntilRevised('A gap.'),
      'prd-revise': revision({ scope: { in_scope: ['Else'] }, changes }),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.deepEqual(Prd.parse(parse(await world.content('prd'))).scope.in_scope, ['Else']);
    assert.deepEqual(LossReport.parse(parse(await world.content('prd_losses'))).steps[0]?.dropped, [
      'in scope: "Greeting by name"',
    ]);
  });

  it('does not believe a resolution that nothing shows, and ends when a revision changes nothing', async () => {
    const world = await prdWorld(5);
    const idle = stringify({ ...prd, changes: [], gap_resolutions: [resolved('A gap.')] });
    world.answers({ 'prd-coverage': prdGaps('A gap.'), 'prd-revise': idle, 'structured-repair': idle });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'limit' });
    assert.match(
      world.agent.calls[2]?.text ?? '',
      /The gap "A gap\.": updated_prd, but nothing of the document changed\./,
    );
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'structured-repair']);
    const report = await reportOf(world, 'prd');
    assert.deepEqual(
      [report.outcome, report.open_gaps, report.passes.length],
      ['no_progress', ['A gap.'], 1],
    );
  });

  it('ends when a revision leads back to a candidate that was checked before', async () => {
    const world = await prdWorld(5);
    const removal = { type: 'removed', item_type: 'risk', before: 'Nobody answers.', after: null };
    world.answers({
      'prd-coverage': (call) =>
        prdGaps(call.whole.includes('Nobody answers.') ? 'A needless risk.' : 'A risk is missing.'),
      'prd-revise': (call) =>
        call.whole.includes('A needless risk.')
          ? stringify({ ...prd, changes: [removal], gap_resolutions: [resolved('A needless risk.')] })
          : stringify({ ...revised, changes: [], gap_resolutions: [resolved('A risk is missing.')] }),
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'limit' });
    const report = await reportOf(world, 'prd');
    assert.deepEqual(
      [report.outcome, report.open_gaps, report.passes.length],
      ['no_progress', ['A risk is missing.'], 2],
    );
  });

  it('has an audit repaired whose rows are not whole, or name what does not exist', async () => {
    const world = await prdWorld();
    const odd = cleanPrd.replace('US-1-1.AC1', 'US-9-9').replace('id: Q02', 'id: Q03');
    world.answers({ 'prd-coverage': odd, 'structured-repair': cleanPrd });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    const repair = world.agent.calls[1]?.text ?? '';
    assert.match(repair, /no row for Q02/);
    assert.match(repair, /Q03[\s\S]*Rows are for Q01, Q02/);
    assert.match(repair, /Q01 is said to be met by US-9-9[\s\S]*The places are EPIC-1, US-1-1, US-1-1\.AC1/);
    const report = await reportOf(world, 'prd');
    assert.deepEqual(
      report.rows?.map(({ id, met_by }) => [id, met_by.join()]),
      [
        ['Q01', 'US-1-1.AC1'],
        ['Q02', 'US-1-1.AC1'],
      ],
    );
  });

  it('takes what no row speaks of for gaps, where the audit gives no better rows', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': (call) => (call.whole.includes('Nobody answers.') ? cleanPrd : rowless),
      'structured-repair': rowless,
      'prd-revise': (call) => {
        assert.match(
          call.whole,
          /The audit names nothing that meets Q01\.[\s\S]*The audit names nothing that meets Q02\./,
        );
        const resolutions = ['Q01', 'Q02'].map((id) => resolved(`The audit names nothing that meets ${id}.`));
        return stringify({ ...revised, changes: [], gap_resolutions: resolutions });
      },
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
  });

  it('finds the hole that an audit overlooked', async () => {
    const world = await prdWorld();
    await world.put('prd', prdText(prdFrom('Q01')));
    const gap =
      'No story names Q02 in interview_refs, and no audit says why nothing follows from its answer.';
    world.answers({
      'prd-coverage': cleanPrd,
      'prd-revise': (call) => {
        assert.ok(call.whole.includes(gap));
        return stringify({ ...prdFrom('Q01', 'Q02'), changes: [], gap_resolutions: [resolved(gap)] });
      },
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.deepEqual((await reportOf(world, 'prd')).passes[0]?.gaps, [gap]);
  });

  it('of the beads finds the criterion that no bead names', async () => {
    const world = await beadsWorld();
    await world.put('beads_blueprint', stringify({ beads: beads.map((bead) => ({ ...bead, prdRefs: [] })) }));
    world.answers({
      'beads-coverage': cleanPlan,
      'beads-revise': stringify({
        beads,
        changes: [],
        gap_resolutions: [
          resolved('No bead names US-1-1.AC1 in prdRefs.', 'updated_beads'),
          ...beads.map(({ id }) =>
            resolved(
              `The bead ${id} has no criterion: its prdRefs name nothing of the PRD.`,
              'updated_beads',
            ),
          ),
        ],
      }),
    });
    assert.deepEqual(await world.drive(beadsCoverage), { exit: 'clean' });
    assert.equal((await reportOf(world, 'beads')).passes[0]?.gaps.length, 3);
  });

  it('has an audit repaired that says clean and lists gaps', async () => {
    const world = await prdWorld();
    world.answers({
      'prd-coverage': prdGaps('A gap.').replace('status: gaps', 'status: clean'),
      'structured-repair': cleanPrd,
    });
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
  });

  it('resumes after a kill between audit and revision without asking again', async () => {
    const world = await prdWorld();
    world.answers({ 'prd-coverage': gapsUntilRevised('A gap.'), 'prd-revise': revision() });
    for (const key of ['candidate-1', 'audit-1', 'revise-1', 'audit-2', 'record', 'exit']) {
      world.killAt = key;
      assert.equal(await world.drive(prdCoverage), 'killed');
    }
    assert.deepEqual(await world.drive(prdCoverage), { exit: 'clean' });
    assert.deepEqual(world.agent.tasks, ['prd-coverage', 'prd-revise', 'prd-coverage']);
  });

  const beadsWorld = async (status: Status = 'VERIFYING_BEADS_COVERAGE'): Promise<PhaseWorld> => {
    const world = await worlds(status, { maxBeadsCoveragePasses: 2 });
    await world.put('prd', prdText());
    await world.put('beads_winner', winnerDocument());
    await world.put('beads_blueprint', stringify({ beads }));
    return world;
  };

  it('of the beads compares the blueprint with the PRD', async () => {
    const world = await beadsWorld();
    const better = beads.map((bead) => ({ ...bead, tests: ['A better test'] }));
    world.answers({
      'beads-coverage': (call) =>
        call.whole.includes('A better test') ? cleanPlan : planGaps('Weak tests.'),
      'beads-revise': stringify({
        beads: better,
        changes: better.map(({ id }) => ({
          type: 'modified',
          item_type: 'bead',
          before: { id },
          after: { id },
        })),
        gap_resolutions: [resolved('Weak tests.', 'updated_beads')],
      }),
    });
    assert.deepEqual(await world.drive(beadsCoverage), { exit: 'clean' });
    assert.match(world.agent.calls[0]?.whole ?? '', /Greet by name[\s\S]*greet-by-name/);
    assert.deepEqual(parse(await world.content('beads_blueprint')), { beads: better });
  });

  describe('expansion', () => {
    it('adds what scheduling needs and leaves every other text as it was', async () => {
      const world = await beadsWorld('EXPANDING_BEADS');
      world.answers({ 'beads-expand': expansion([], ['greet-by-name']) });
      assert.deepEqual(await world.drive(expandBeads), { exit: 'expanded' });
      const [first, second] = await world.beads();
      assert.deepEqual(first?.dependencies, { blocked_by: [], blocks: ['greet-nobody'] });
      assert.deepEqual(second?.dependencies, { blocked_by: ['greet-by-name'], blocks: [] });
      assert.deepEqual(
        [first.priority, second.priority, first.status, first.iteration, first.externalRef],
        [1, 2, 'pending', 1, 'TST-1'],
      );
      assert.deepEqual([first.title, first.tests], [beads[0]?.title, beads[0]?.tests]);
      const lines = (await world.content('beads')).trimEnd().split('\n');
      assert.deepEqual(
        lines.map((line) => Bead.parse(JSON.parse(line))),
        await world.beads(),
      );
      assert.deepEqual([...world.files.written], [], 'what was committed is projected, nothing else');
    });

    const wrong = {
      'a bead left out': [expansion([]).split('\n')[0] ?? '', /1 lines for 2 beads/],
      'another order': [
        expansion([], []).split('\n').reverse().join('\n'),
        /Line 1: the id is "greet-nobody"/,
      ],
      'a dependency on a later bead': [
        expansion(['greet-nobody'], []),
        /greet-nobody, which is no earlier bead/,
      ],
      'a dependency on itself': [expansion(['greet-by-name'], []), /no earlier bead/],
      'another title': [
        expansion([], []).replace('"labels"', '"title":"Else","labels"'),
        /the title was changed/,
      ],
      'a path out of the repository': [
        expansion([], []).replace('src/greet.ts', '../greet.ts'),
        /targetFiles/,
      ],
      'no label': [expansion([], []).replace('["x"]', '[]'), /labels/],
    } as const;
    for (const [name, [answer, reason]] of Object.entries(wrong)) {
      it(`is refused with ${name}`, async () => {
        const world = await beadsWorld('EXPANDING_BEADS');
        world.answers({ 'beads-expand': answer, 'structured-repair': answer });
        await assert.rejects(world.drive(expandBeads), { code: 'RESPONSE_INVALID', message: reason });
        assert.equal(world.agent.calls.length, 4, 'twice in a session, and again in a fresh one');
        assert.deepEqual(await world.beads(), []);
      });
    }
  });
});
