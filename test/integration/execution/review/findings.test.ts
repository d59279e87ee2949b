import assert from 'node:assert/strict';
import { decidedFindings } from '../../../../src/domain/findings/decision.ts';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { review } from '../../../../src/phases/delivery/review.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { finding, reviewed, fixReport, storedFindings } from '../../../support/engine/reviewAnswers.ts';

const settings = {
  depth: 'full',
  councilMembers: ['demo/second', 'other/third'],
  review: 'standard',
} satisfies Partial<Settings>;

describe('what people decide about findings', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => {
    world = await newWorld();
    world.agent.known = ['demo/main', 'demo/second', 'other/third'];
  });

  const style = finding({ severity: 'low', claim: 'No capital.' });
  const coded = (text = 'hello\n') => {
    world.write('greet.txt', text);
    return report('greet');
  };
  const fixed = (text: string, bead = 'greet'): string => {
    world.write('greet.txt', text);
    return fixReport(bead);
  };
  const fixBead = [
    'beads:',
    '  - id: capital',
    '    title: Write a capital',
    '    prdRefs: []',
    '    description: Write it.',
    '    contextGuidance: { patterns: [], anti_patterns: [] }',
    '    tests: [It has a capital]',
    '    acceptanceCriteria: [capital]',
    '    testCommands: ["grep -q Hello greet.txt"]',
    '    issueType: qa-fix',
    '    labels: [qa-fix]',
    '    dependencies: { blocked_by: [] }',
    '    targetFiles: [greet.txt]',
  ].join('\n');
  const begin = (over: Partial<Settings> = {}) =>
    world.begin('CODING', { settings: { ...settings, ...over } });
  const decide = (body: Omit<InboxBody<'finding'>, 'reason'> & { readonly reason?: string }) =>
    world.post('finding', { reason: '', ...body });
  const document = () => storedFindings(world);
  const standings = async (): Promise<Record<string, string>> => {
    const { reviews, decisions } = await document();
    return Object.fromEntries(
      decidedFindings(reviews, decisions).map((one) => [one.finding.id, one.standing]),
    );
  };
  const ended = async (status: string): Promise<void> => {
    const ticket = await world.read();
    assert.equal(ticket.status, status, JSON.stringify(ticket.error));
  };

  it('takes a dismissed finding out of what blocks, and remembers it for the repository', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: reviewed(finding()),
      fix: async () => {
        await decide({ finding: 'greet.1.1.1', verdict: 'dismiss', reason: 'Names come later.' });
        return fixed('hello\n');
      },
    });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    assert.deepEqual(await standings(), { 'greet.1.1.1': 'dismissed' });
    const [dismissal] = await world.store.dismissals();
    assert.deepEqual(
      [
        dismissal?.number,
        dismissal?.ticket,
        dismissal?.finding,
        dismissal?.file,
        dismissal?.claim,
        dismissal?.reason,
      ],
      [1, world.ticket, 'greet.1.1.1', 'greet.txt', 'It greets nobody by name.', 'Names come later.'],
    );
    assert.match(JSON.stringify(await world.records('human_note')), /Names come later\./);
  });

  it('skips a fix when all of it was dismissed', async () => {
    await begin();
    await decide({ finding: 'greet.1.1.1', verdict: 'dismiss', reason: 'Names come later.' });
    world.answers({
      coding: () => coded(),
      review: async () => {
        // Nobody knows the finding before it is made: this one is refused, and the next is filed during the
        // review.
        await decide({ finding: 'greet.1.1.1', verdict: 'dismiss', reason: 'Names come later.' });
        return reviewed(finding());
      },
    });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    assert.equal(world.callsOf('fix').length, 0);
    assert.equal(await world.outcome('post-1'), 'FINDING_UNKNOWN');
    assert.equal(await world.outcome('post-2'), 'consumed');
  });

  it('sends what a person accepts to the fix, whatever its severity and whether or not the engine believes it', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: async () => {
        await decide({ finding: 'greet.1.1.2', verdict: 'accept', reason: 'Capitals matter here.' });
        await decide({ finding: 'greet.1.1.3', verdict: 'accept' });
        return reviewed(finding(), style, finding({ file: 'made-up.txt', claim: 'Invented.' }));
      },
      fix: () => fixed('Hello Ada\n'),
      'review-again': reviewed(),
    });
    await world.drive({ coding });
    // The bead's command refuses the fix; what the fixer was told counts.
    const [fix] = world.callsOf('fix');
    for (const part of ['It greets nobody by name', 'No capital', 'Invented'])
      assert.ok(fix?.whole.includes(part), part);
    const { decisions } = await document();
    assert.deepEqual(decisions.map(({ finding: id, became }) => [id, became]).slice(0, 2), [
      ['greet.1.1.2', 'fix'],
      ['greet.1.1.3', 'fix'],
    ]);
  });

  it('fixes what was accepted during a fix in the next one, and once', async () => {
    await begin();
    let fixes = 0;
    world.answers({
      coding: () => coded(),
      review: reviewed(finding(), style),
      fix: async () => {
        if (++fixes === 1) await decide({ finding: 'greet.1.1.2', verdict: 'accept' });
        return fixed(`hello Ada${'!'.repeat(fixes)}\n`);
      },
      'review-again': reviewed(),
    });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    const fixed1 = world
      .callsOf('fix')
      .map(({ whole }) => [whole.includes('greets nobody'), whole.includes('No capital')]);
    assert.deepEqual(fixed1, [
      [true, false],
      [false, true],
    ]);
    assert.equal(world.callsOf('qa-fix').length, 0);
  });

  it('makes a fix bead of what is accepted, or made a bead, of a bead that is done', async () => {
    await begin();
    world.answers({
      coding: ({ whole }) => (whole.includes('Write a capital') ? fixedBead() : coded()),
      review: async ({ turn }) => {
        if (turn === 1) await decide({ finding: 'greet.1.1.1', verdict: 'bead', reason: 'On its own.' });
        return turn === 1 ? reviewed(style) : reviewed();
      },
      'qa-fix': fixBead,
    });
    const fixedBead = (): string => {
      world.write('greet.txt', 'Hello, hello\n');
      return report('capital');
    };
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    const [asked] = world.callsOf('qa-fix');
    for (const part of ['No capital.', 'On its own.', 'about bead greet'])
      assert.ok(asked?.whole.includes(part), part);
    assert.equal(world.callsOf('fix').length, 0);
    assert.deepEqual(
      (await world.store.beads(world.ticket)).map(({ id, status }) => [id, status]),
      [
        ['greet', 'done'],
        ['capital', 'done'],
      ],
    );
    assert.ok(await world.store.artifact(world.ticket, 'bead_amendment:capital'));
    const { decisions } = await document();
    assert.deepEqual(
      decisions.map(({ became }) => became),
      ['change'],
    );
  });

  it('leads back to coding from the last gate for an accepted finding, and stays there for a dismissed or unknown one', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: reviewed(style, finding({ severity: 'low', claim: 'No stop.' })),
      'qa-fix': fixBead,
    });
    await world.drive({ coding });
    await world.enter('WAITING_PR_REVIEW', { by: 'ready', body: null });
    const unknown = await decide({ finding: 'greet.9.9.9', verdict: 'accept' });
    await world.drive({ review });
    assert.equal(await world.outcome(unknown), 'FINDING_UNKNOWN');
    await decide({ finding: 'greet.1.1.2', verdict: 'dismiss', reason: 'No.' });
    await world.drive({ review });
    await ended('WAITING_PR_REVIEW');
    const { reviews, decisions } = await document();
    const seen =
      decidedFindings(reviews, decisions).find((one) => one.finding.id === 'greet.1.1.2')?.sha256 ?? '';
    await decide({ finding: 'greet.1.1.2', verdict: 'accept' });
    const stale = await decide({ finding: 'greet.1.1.2', verdict: 'bead', sha256: seen });
    await world.drive({ review });
    await ended('CODING');
    assert.equal(await world.outcome(stale), 'pending', 'it waits for the handler of the next status');
    assert.match(JSON.stringify(await world.json('changes_requested')), /No stop\./);
    assert.deepEqual(await world.store.dismissals(), [], 'a dismissal that is taken back is forgotten');
    world.answers({
      coding: () => coded('Hello, hello.\n').replaceAll('greet', 'capital'),
      review: reviewed(),
      'qa-fix': fixBead,
    });
    await world.drive({ coding });
    assert.equal(await world.outcome(stale), 'EDIT_CONFLICT');
    await ended('RUNNING_FINAL_TEST');
    assert.equal(world.callsOf('qa-fix').length, 1);
  });

  it('tells later reviews what was dismissed, and neither fixes nor runs what repeats it, unless a person accepts it', async () => {
    await begin();
    const change = {
      type: 'dismissal',
      finding: 'old.1.1.1',
      claim: { ...finding(), reason: 'By design.', at: '2026-01-01' },
    } as const;
    const claim = {
      category: 'correctness',
      file: 'greet.txt',
      claim: 'It greets nobody by name!',
      reason: 'By design.',
      at: '2026-01-01',
    };
    await world.store.commit({ ticket: world.ticket, journal: [], changes: [{ ...change, claim }] });
    world.answers({ coding: () => coded(), review: reviewed(finding()) });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    assert.match(
      world.callsOf('review')[0]?.whole ?? '',
      /decided not to fix[^]*1 \(correctness, greet\.txt\): It greets nobody by name! Dismissed: By design\./,
    );
    assert.doesNotMatch(world.callsOf('coding')[0]?.whole ?? '', /By design/);
    const [first] = (await document()).reviews;
    assert.deepEqual(
      first?.findings.map(({ standing, dismissal }) => [standing, dismissal]),
      [['dismissed', 1]],
    );
    assert.equal(world.callsOf('fix').length, 0);
  });

  it('puts what a person says during a review to the same session, once, and takes the answer to that', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: async () => {
        await world.post('review_note', { text: 'Ada is the point of it.' });
        return reviewed();
      },
      'review-note': ({ turn }) => {
        if (turn === 1) world.crash();
        return reviewed(finding());
      },
      fix: () => fixed('hello Ada\n'),
      'review-again': reviewed(),
    });
    await world.driveUntilKilled({ coding });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    const [note] = world.callsOf('review-note');
    assert.equal(world.callsOf('review-note').length, 1, 'a prompt was sent twice');
    assert.equal(note?.session, world.callsOf('review')[0]?.session);
    assert.match(note?.whole ?? '', /From the user[^]*Ada is the point of it\./);
    assert.equal(world.callsOf('fix').length, 1);
    assert.deepEqual(Object.keys(await standings()), ['greet.1.1.1']);
    for (const task of ['coding', 'fix'])
      assert.doesNotMatch(world.callsOf(task)[0]?.whole ?? '', /Ada is the point/);
  });

  it('keeps what a person says for the next review when none is running', async () => {
    await begin();
    await world.post('review_note', { text: 'Mind the names.' });
    world.answers({ coding: () => coded(), review: reviewed() });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    assert.match(world.callsOf('review')[0]?.whole ?? '', /From the user[^]*Mind the names\./);
    assert.equal(world.callsOf('review-note').length, 0);
  });

  it('lists 200 findings of one answer, and believes none that is not there', async () => {
    await begin();
    const many = Array.from({ length: 200 }, (_, index) =>
      finding({ line: index + 2, claim: `Made up, number ${String(index)}.` }),
    );
    world.answers({ coding: () => coded(), review: reviewed(...many) });
    await world.drive({ coding });
    await ended('RUNNING_FINAL_TEST');
    assert.deepEqual([...new Set(Object.values(await standings()))], ['unfounded']);
    assert.equal(Object.keys(await standings()).length, 200);
  });
});
