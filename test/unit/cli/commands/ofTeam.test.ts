import assert from 'node:assert/strict';
import type { Command } from '../../../../src/cli/base/command.ts';
import { commands } from '../../../../src/cli/commandTable.ts';
import type { CommandBench } from '../../../support/commandBench.ts';
import { type FakeTeam, teamBench } from '../../../support/team/fakeTeam.ts';

const url = 'postgres://db/team';
/** They are about files of this repository, whatever tickets a team has. */
const ofFiles = ['prompts', 'restore', 'clean'];
const acting = commands.filter(
  ({ name, changes, options }) => changes !== 'nothing' && 'repo' in options && !ofFiles.includes(name),
);

/** A line that the command takes. */
function lineOf({ words, takes: [least], options }: Command): readonly string[] {
  const [first = ''] = words.split(' ');
  const ticket = /^\[?ABC-12/.test(first) || first === 'TICKET';
  const given = Array.from({ length: ticket ? Math.max(1, least) : least }, (_, at) =>
    at === 0 && ticket ? 'TST-1' : '1',
  );
  const filled = ['title', 'reason', 'text', 'model'].flatMap((option) =>
    options[option]?.value === undefined ? [] : [`--${option}`, option === 'model' ? 'demo/main' : 'x'],
  );
  return [...given, ...filled];
}

const inTeam = (): { readonly bench: CommandBench; readonly team: FakeTeam; readonly urls: string[] } => {
  const made = teamBench();
  made.bench.env = { ...made.bench.env, BEADSMITH_TEAM: url };
  made.bench.types = 'the word';
  return made;
};

describe('a command that acts on a ticket', () => {
  it('is in the table, and most take a team’s', () => {
    assert.ok(acting.length > 50, String(acting.length));
    assert.deepEqual(
      acting.flatMap(({ name, instead }) => (instead === undefined ? [] : [name])),
      ['run', 'loop', 'import'],
    );
  });

  for (const command of acting.filter(({ name }) => name !== 'move')) {
    const { name, instead } = command;
    const says = instead === undefined ? 'works on the team’s tickets' : 'says what to do for a team’s';
    it(`${says}, and on its own where there is no team (${name})`, async () => {
      const { bench, team, urls } = inTeam();
      const { exit, err } = await bench.run(name, ...lineOf(command));
      assert.deepEqual([bench.opened, bench.sent], [[], []], 'nothing of this repository is opened');
      if (instead === undefined) {
        assert.deepEqual([urls, team.openedIn, team.closed], [[url], ['/sample'], 1], err);
      } else {
        assert.deepEqual([exit, urls], [2, []]);
        assert.match(err, /works on this machine, and a team's runners drive its tickets on theirs\. [A-Z]/);
      }

      const own = inTeam();
      const here = await own.bench.run(name, ...lineOf(command), '--team', '');
      assert.deepEqual(own.urls, []);
      assert.doesNotMatch(here.err, /a team's runners/);
      if (instead === undefined) assert.ok(own.bench.opened.length > 0);
    });
  }
});

describe('an action on a team’s ticket', () => {
  it('is filed with what the person saw, and ends with where the ticket is', async () => {
    const { bench, team } = inTeam();
    const sha256 = 'c'.repeat(64);
    team.here.place.become({ gate: { artifact: 'prd', sha256 } });
    const { exit, types, all, end } = await bench.json('approve TST-1 --reason read');
    assert.deepEqual(team.here.place.sent, [['approve', { sha256, reason: 'read' }]]);
    assert.deepEqual(types, ['posted', 'outcome', 'end']);
    assert.deepEqual(
      all('outcome').map(({ action, state }) => [action, state]),
      [['approve', 'consumed']],
    );
    assert.deepEqual([exit, end?.ticket, end?.status], [0, 'TST-1', 'WAITING_PRD_APPROVAL']);
    assert.deepEqual(team.here.started, [], 'nothing is driven here');
    assert.match(
      (await bench.run('pause TST-1')).out,
      /^TST-1 pause: filed\nTST-1 Approve the PRD \(WAITING/,
    );
  });

  it('that a runner refuses is bad input', async () => {
    const { bench, team } = inTeam();
    team.here.client.becomes = { state: 'refused', code: 'STALE_APPROVAL', message: 'The PRD changed.' };
    const { exit, out } = await bench.run('cancel TST-1');
    assert.equal(exit, 2);
    assert.match(out, /cancel was refused: The PRD changed\./);
  });

  it('isn’t waited for when nobody wants it, or when the command is stopped', async () => {
    const { bench, team } = inTeam();
    team.here.client.becomes = undefined;
    const sent = await bench.run('cancel TST-1 --no-wait');
    assert.match(sent.out, /A runner applies it once it works on TST-1\./);
    assert.equal(sent.exit, 0);
    const running = bench.run('pause TST-1');
    await new Promise(setImmediate);
    bench.stop.abort('SIGINT');
    assert.match((await running).out, /A runner applies it once it works on TST-1\./);
    assert.equal(team.here.place.sent.length, 2);
  });

  it('takes no option of driving', async () => {
    const { bench, urls } = inTeam();
    for (const option of ['--approve all', '--coding-tickets 2', '--end close', '--opencode x']) {
      const { exit, err } = await bench.run(`pause TST-1 ${option}`);
      assert.equal(exit, 2);
      assert.match(err, /is for tickets that this machine drives\. A team's runners drive TST-1\./);
    }
    assert.deepEqual(urls, []);
  });

  it('can be its start', async () => {
    const { bench, team } = inTeam();
    team.here.place.become({ ticket: { status: 'DRAFT', settings: null } });
    const { exit, all } = await bench.json('start TST-1 --depth quick --model demo/main');
    assert.equal(exit, 0);
    const [[kind, body] = []] = team.here.place.sent;
    assert.equal(kind, 'start');
    assert.match(JSON.stringify(body), /"depth":"quick".*"mainImplementer":"demo\/main"/);
    assert.match(all('note')[0]?.message ?? '', /Planned at depth quick/);
    assert.match((await bench.run('start TST-1')).err, /A ticket needs --model PROVIDER\/MODEL/);
  });
});

describe('show of a team’s ticket', () => {
  it('offers what can be done, without the URL, and no place of a runner', async () => {
    const { bench, team } = inTeam();
    const error = { code: 'CRASH_LOOP', args: {}, continuable: false, diagnostics: {} } as const;
    team.here.place.become({ ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error } });
    team.here.client.documents.set(
      'pull_request_report',
      JSON.stringify({
        schema_version: 1,
        forge: 'files',
        title: 'Greet',
        body: 'Greets.',
        bodySha256: 'a'.repeat(64),
        branch: 'ticket/TST-1',
        base: 'main',
        candidate: 'b'.repeat(40),
        location: '/sample.worktrees/TST-1.md',
      }),
    );
    const { out } = await bench.run(`show TST-1`);
    assert.match(out, /Next:\n(?: {2}beadsmith .*\n)* {2}beadsmith cancel TST-1\n/);
    assert.doesNotMatch(out, /beadsmith run|sample\.worktrees|worktree:/);
    const { all } = await bench.json(`show TST-1 --team ${url}`);
    assert.doesNotMatch(JSON.stringify(all('report')), /sample\.worktrees/);
    assert.ok(
      (all('report')[0]?.['next'] as readonly string[]).includes('beadsmith cancel TST-1 --team URL'),
    );
    bench.app.place.become({ ticket: { status: 'DRAFT' } });
    const own = await bench.run('show TST-1 --team', '');
    assert.match(own.out, /worktree: \/sample\.worktrees\/TST-1[^]*beadsmith start .* --team ''/);
  });
});
