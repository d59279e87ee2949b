import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { finding, reviewed, fixReport, storedFindings } from '../../../support/engine/reviewAnswers.ts';

const settings = {
  depth: 'full',
  councilMembers: ['demo/second', 'other/third'],
  review: 'standard',
} satisfies Partial<Settings>;

describe('the cold review of a bead', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => {
    world = await newWorld();
    world.agent.known = ['demo/main', 'demo/second', 'other/third'];
  });

  const coded = (text = 'hello\n') => {
    world.write('greet.txt', text);
    return report('greet');
  };
  const fixed = (text: string) => () => {
    world.write('greet.txt', text);
    return fixReport();
  };
  const begin = (over: Partial<Settings> = {}) =>
    world.begin('CODING', { settings: { ...settings, ...over } });
  const stages = () =>
    world.events.flatMap((event) =>
      event.type === 'stage' && event.exit !== null ? [`${event.stage}: ${event.exit}`] : [],
    );
  const findings = async () => (await storedFindings(world)).reviews;

  it('is made by a council member of another provider, who sees bead, change and evidence, and may only read', async () => {
    await begin();
    world.answers({ coding: () => coded(), review: reviewed() });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(stages(), ['code: done', 'check: passed', 'review: clean', 'finalize: done']);
    const [call] = world.callsOf('review');
    assert.equal(call?.member, 'other/third');
    assert.equal(call.policy, 'read_only');
    const place = world.agent.sessions.get(call.session)?.directory ?? '';
    assert.notEqual(place, world.worktree);
    assert.deepEqual(
      [existsSync(join(place, 'greet.txt')), existsSync(join(place, '.ticket/beads'))],
      [true, false],
    );
    for (const part of ['Write greet.txt.', '+hello', 'grep -q hello greet.txt'])
      assert.ok(call.whole.includes(part), part);
    const [review] = await findings();
    assert.deepEqual(
      [review?.reviewer, review?.checked, review?.findings],
      ['other/third', ['Each criterion.'], []],
    );
  });

  it('sends what it finds to a fresh session that knows nothing else, and reviews what that changed', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: reviewed(
        finding(),
        finding({ severity: 'low', claim: 'No capital.' }),
        finding({ file: 'made-up.txt', claim: 'Invented.' }),
      ),
      fix: fixed('hello Ada\n'),
      'review-again': reviewed(),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const expected = [
      'code: done',
      'check: passed',
      'review: findings',
      'fix: done',
      'check: passed',
      'review: clean',
      'finalize: done',
    ];
    assert.deepEqual(stages(), expected);
    assert.equal(world.readWorktree('greet.txt'), 'hello Ada\n');
    const [fix] = world.callsOf('fix');
    assert.match(fix?.whole ?? '', /It greets nobody by name/);
    assert.doesNotMatch(fix?.whole ?? '', /No capital|Invented|Worked on greet/);
    assert.notEqual(fix?.session, world.callsOf('coding')[0]?.session);
    const [again] = world.callsOf('review-again');
    assert.match(again?.whole ?? '', /-hello\n\+hello Ada/);
    const standings = (await findings()).map((review) => review.findings.map(({ standing }) => standing));
    assert.deepEqual(standings, [['fix', 'noted', 'unfounded'], []]);
  });

  it('asks for a report that a fix doesn’t give once its work is proved, and loses none of it', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: reviewed(finding()),
      fix: () => {
        world.write('greet.txt', 'hello Ada\n');
        return 'I have fixed it.';
      },
      'structured-repair': ({ whole, turn }) => {
        const nonce = /nonce: (\w+)/.exec(whole)?.[1] ?? '';
        return turn <= 2
          ? 'As I said, it is fixed.'
          : report('greet').replace('status:', `nonce: ${nonce}\nstatus:`);
      },
      'review-again': reviewed(),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(world.readWorktree('greet.txt'), 'hello Ada\n');
    assert.deepEqual(
      [
        world.callsOf('coding').length,
        world.callsOf('fix').length,
        world.callsOf('structured-repair').length,
      ],
      [1, 2, 3],
    );
  });

  it('is told nothing of earlier iterations, of what failed in them, or of what is added for one iteration', async () => {
    await begin();
    world.answers({
      coding: ({ turn }) => (turn === 1 ? report('greet', { status: 'error' }) : coded()),
      'coding-continue': report('greet', { status: 'error' }),
      'coding-note': 'Iteration one chased a wild goose.',
      review: reviewed(),
    });
    await world.post('context', { text: 'Only for the coder: use brevity.', scope: 'once' });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.match((await world.bead('greet')).notes, /wild goose/);
    assert.doesNotMatch(world.callsOf('review')[0]?.whole ?? '', /wild goose|use brevity|iteration/i);
  });

  it('rejects the iteration when three rounds did not fix what blocks', async () => {
    await begin();
    world.answers({
      coding: () => coded(),
      review: reviewed(finding()),
      fix: ({ turn }) => fixed(`hello nobody${'!'.repeat(turn)}\n`)(),
      'review-again': () => reviewed(finding({ evidence: 'hello nobody' })),
      'coding-note': 'It still greets nobody.',
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(world.callsOf('review').length, 2, 'once an iteration');
    assert.equal(world.callsOf('review-again').length, 4);
    assert.match(
      JSON.stringify((await world.read()).error),
      /problems that were not fixed: It greets nobody by name/,
    );
    const reviewers = new Set(
      [...world.callsOf('review'), ...world.callsOf('review-again')].map(({ session }) => session),
    );
    for (const { session } of world.callsOf('coding-note'))
      assert.ok(!reviewers.has(session), 'a reviewer was asked for the note');
  });

  it('is not satisfied by a fix that changes nothing', async () => {
    await begin();
    world.answers({ coding: () => coded(), review: reviewed(finding()), fix: fixed('hello\n') });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(world.callsOf('review-again').length, 0);
  });

  it('runs the test that a finding brings: what fails is confirmed and fixed, what passes is not believed', async () => {
    await world.begin('CODING', {
      settings,
      beads: [{ testCommands: ['grep -q hello greet.txt && sh test/all.test.sh'] }],
    });
    const command = 'grep -q hello greet.txt && sh test/all.test.sh';
    const test = (line: string) => ({
      file: 'test/all.test.sh',
      content: `test -f greet.txt || exit 1\n${line}\n`,
      command,
    });
    const ada = test('grep -q Ada greet.txt');
    world.answers({
      coding: () => {
        mkdirSync(join(world.worktree, 'test'));
        world.write('test/all.test.sh', 'test -f greet.txt || exit 1\n');
        return coded();
      },
      review: reviewed(
        finding({ severity: 'low', claim: 'Nobody is named.', test: ada }),
        finding({ claim: 'It says goodbye.', test: test('! grep -q goodbye greet.txt') }),
        finding({ severity: 'low', claim: 'It takes a check away.', test: { ...ada, content: 'exit 1\n' } }),
        finding({
          severity: 'low',
          claim: 'It runs what nobody approved.',
          test: { ...ada, command: 'touch stolen' },
        }),
      ),
      fix: fixed('hello\nAda\n'),
      'review-again': reviewed(),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const [first] = await findings();
    assert.deepEqual(
      first?.findings.map(({ standing, confirmed, doubt }) => [standing, confirmed, doubt]),
      [
        ['fix', true, null],
        ['unfounded', false, 'test_passes'],
        ['noted', false, null],
        ['noted', false, null],
      ],
    );
    const [fix] = world.callsOf('fix');
    assert.match(fix?.whole ?? '', /grep -q Ada greet\.txt/);
    assert.doesNotMatch(fix?.whole ?? '', /goodbye|takes a check away/);
    assert.equal(
      world.shell.commands.some((ran) => ran.includes('touch stolen')),
      false,
    );
  });

  it('runs a confirmed test again after the fix, and is not satisfied before it passes, whatever the reviewer says', async () => {
    const command = 'grep -q hello greet.txt && sh test/all.test.sh';
    await world.begin('CODING', { settings, beads: [{ testCommands: [command] }] });
    const test = {
      file: 'test/all.test.sh',
      content: 'test -f greet.txt || exit 1\ngrep -q Ada greet.txt\n',
      command,
    };
    let fixes = 0;
    world.answers({
      coding: () => {
        mkdirSync(join(world.worktree, 'test'), { recursive: true });
        world.write('test/all.test.sh', 'test -f greet.txt || exit 1\n');
        return coded();
      },
      review: reviewed(finding({ severity: 'low', claim: 'Nobody is named.', test })),
      fix: () => fixed(++fixes === 1 ? 'hello\nnobody\n' : 'hello\nAda\n')(),
      'review-again': reviewed(),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(fixes, 2);
    const seen = (await findings()).map((review) =>
      review.findings.map(({ id, claim, confirmed }) => [id, claim, confirmed]),
    );
    assert.deepEqual(seen, [
      [['greet.1.1.1', 'Nobody is named.', true]],
      [['greet.1.2.1', 'Nobody is named.', true]],
      [],
    ]);
  });

  it('rejects the iteration when three rounds did not fix what a test confirmed, whatever its severity', async () => {
    const command = 'grep -q hello greet.txt && sh test/all.test.sh';
    await world.begin('CODING', { settings, beads: [{ testCommands: [command] }] });
    const test = { file: 'test/all.test.sh', content: 'grep -q Ada greet.txt\n', command };
    world.answers({
      coding: () => {
        mkdirSync(join(world.worktree, 'test'), { recursive: true });
        world.write('test/all.test.sh', '\n');
        return coded();
      },
      review: reviewed(finding({ severity: 'low', claim: 'Nobody is named.', test })),
      fix: ({ turn }) => fixed(`hello\n${String(turn)}\n`)(),
      'review-again': reviewed(),
      'coding-note': 'Nobody was named.',
    });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(world.callsOf('review-again').length, 4);
  });

  it('passes over a reviewer that gives no answer, and says so', async () => {
    await begin();
    world.answers({ coding: () => coded(), review: 'I like it.' });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const skipped = world.events.find(
      (event) => event.type === 'stage' && event.stage === 'review' && event.skipped,
    );
    assert.ok(skipped?.type === 'stage' && skipped.error?.code === 'RESPONSE_INVALID');
  });

  it('asks nobody when a bead changes nothing, or when it is off', async () => {
    await begin({ review: 'off' });
    world.answers({ coding: () => coded() });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(world.agent.tasks, ['coding']);
  });
});
