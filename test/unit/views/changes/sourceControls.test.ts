import assert from 'node:assert/strict';
import type { DiffFile, DiffScope } from '../../../../src/protocol/review.ts';
import { SourceControls } from '../../../../src/views/changes/sourceControls.ts';
import { parseBlobAddress } from '../../../../src/views/review/blobAddress.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { ownWindow, sourceControls, type Uri } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { ticketDetail } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';
import { bead } from '../../../support/storeContract/samples.ts';

const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];
const file = (path: string, change: DiffFile['change'] = 'modified'): DiffFile => ({
  path,
  oldPath: change === 'renamed' ? 'old.ts' : null,
  change,
  binary: false,
});
const staged: DiffScope = { kind: 'staged' };
const unstaged: DiffScope = { kind: 'worktree', since: 'staged' };

describe('tickets in the Source Control view', () => {
  let client: FakeClient;
  let repositories: FakeRepositories;
  let board: Board;
  let controls: SourceControls;
  let worktree: string | null;
  let looks: number;
  const errors: unknown[] = [];

  beforeEach(() => {
    client = new FakeClient();
    repositories = new FakeRepositories();
    board = new Board(repositories);
    worktree = '/sample.worktrees/TST-1';
    looks = 0;
    errors.length = 0;
    client.views = [coding()];
    client.ticket = (id) => {
      looks += 1;
      const view = client.views.find((one) => one.id === id) ?? ticketView();
      return Promise.resolve(ticketDetail({ ticket: { id, worktree, status: view.status }, view }));
    };
    client.beads = () =>
      Promise.resolve({
        beads: [{ ...bead('greet'), status: 'done' }, bead('leave')],
        sha256: 'b'.repeat(64),
      });
    const logError = (_what: string, error: unknown): void => void errors.push(error);
    controls = new SourceControls({ board, repositories, logError }, 1);
  });
  afterEach(() => {
    controls.dispose();
    board.dispose();
    assert.equal(sourceControls.size, 0, 'nothing is left in the view');
    assert.deepEqual(errors, []);
  });

  const coding = (over: Parameters<typeof ticketView>[0] = {}) =>
    ticketView({
      title: 'Greet people',
      status: 'CODING',
      band: 'implementation',
      coding: { bead: 'leave', title: 'Leave politely', number: 2, iteration: 1, stage: null },
      ...over,
    });

  function changed(scope: DiffScope, ...files: readonly DiffFile[]): void {
    client.diffs.set({
      scope,
      from,
      to: scope.kind === 'worktree' ? `${to.slice(1)}${files.length}` : to,
      sha256: '',
      files,
    });
  }

  const shown = (): unknown =>
    [...sourceControls].map(({ label, count, groups }) => [
      label,
      count,
      groups
        .filter(({ resourceStates, hideWhenEmpty }) => resourceStates.length > 0 || !hideWhenEmpty)
        .map((group) => [
          group.label,
          group.resourceStates.map(
            ({ resourceUri, contextValue }) => `${contextValue ?? ''} ${resourceUri.path}`,
          ),
        ]),
    ]);

  async function shows(expected: unknown): Promise<void> {
    await until(() => JSON.stringify(shown()) === JSON.stringify(expected), 'the view shows it').catch(
      () => undefined,
    );
    assert.deepEqual(shown(), expected);
  }

  it('have a group for what the bead in work changed, and one for each finished bead', async () => {
    changed(unstaged, file('leave.ts', 'added'), file('old.txt', 'deleted'));
    changed({ kind: 'bead', bead: 'greet' }, file('greet.ts'), file('there.ts', 'renamed'));
    repositories.show(client);
    await shows([
      [
        'TST-1 Greet people',
        2,
        [
          ['Changes: Leave politely', ['added /TST-1/leave.ts', 'deleted /TST-1/old.txt']],
          [bead('greet').title, ['modified /TST-1/greet.ts', 'renamed /TST-1/there.ts']],
        ],
      ],
    ]);
    const [control] = sourceControls;
    assert.equal(control?.inputBox.visible, false, 'nothing is committed here');
    const [, working, finished] = control.groups;
    const [added, deleted] = working?.resourceStates ?? [];
    assert.deepEqual(
      [added, deleted].map((one) => [one?.command?.command, one?.decorations?.strikeThrough]),
      [
        ['vscode.open', false],
        ['vscode.open', true],
      ],
    );
    const [modified, moved] = finished?.resourceStates ?? [];
    assert.equal(modified?.command?.command, 'vscode.diff');
    const [left, right] = (modified.command.arguments ?? []) as [never, never];
    assert.deepEqual(
      [parseBlobAddress(left)?.commit, parseBlobAddress(right)?.commit],
      [from, to],
      'the diff editor shows both sides',
    );
    assert.match(moved?.decorations?.tooltip ?? '', /there\.ts.*old\.ts/);
  });

  it('are read again after an agent’s tool, but no more than once in a while', async () => {
    repositories.show(client);
    await shows([['TST-1 Greet people', 0, []]]);
    changed(unstaged, file('leave.ts', 'added'));
    const before = looks;
    for (let index = 0; index < 20; index += 1)
      client.happens({
        type: 'activity',
        ticket: 'TST-1',
        at: 0,
        source: 'demo/main',
        kind: 'tool',
        text: 'edit completed leave.ts',
      });
    await shows([['TST-1 Greet people', 1, [['Changes: Leave politely', ['added /TST-1/leave.ts']]]]]);
    assert.equal(looks, before + 1);
    client.happens({ type: 'activity', ticket: 'TST-1', at: 0, source: 'm', kind: 'text', text: 'Well,' });
    client.happens({ type: 'activity', ticket: 'TST-9', at: 0, source: 'm', kind: 'tool', text: 'edit' });
    changed(unstaged);
    client.change('TST-1');
    await shows([['TST-1 Greet people', 0, []]]);
    assert.equal(looks, before + 2, 'words change no files');
  });

  it('are there from the first bead to the end, and only while there is a worktree', async () => {
    client.views = [
      ticketView({ id: 'TST-2', status: 'WAITING_PRD_APPROVAL', band: 'prd' }),
      coding({ id: 'TST-3', status: 'COMPLETED', band: 'done', coding: null }),
      coding(),
    ];
    repositories.show(client);
    await shows([['TST-1 Greet people', 0, []]]);
    client.views = [coding({ title: 'Greet everybody' })];
    client.change('TST-1');
    await shows([['TST-1 Greet everybody', 0, []]]);
    client.views = [coding({ status: 'CANCELED', band: 'done' })];
    client.change('TST-1');
    await shows([]);
    worktree = null;
    client.views = [coding()];
    const before = looks;
    client.change('TST-1');
    await until(() => looks > before, 'it is read');
    await shows([]);
  });

  it('say which changes are staged, with the letters of git', async () => {
    client.views = [coding({ coding: null })];
    changed(
      staged,
      file('both.ts'),
      file('gone.ts', 'deleted'),
      file('new.ts', 'added'),
      file('moved.ts', 'renamed'),
    );
    const open = [file('both.ts'), file('clash.ts'), file('lost.ts', 'deleted'), file('new.txt', 'added')];
    client.diffs.set({
      scope: unstaged,
      from: to,
      to: 'c'.repeat(40),
      sha256: '',
      files: open,
      conflicts: ['clash.ts'],
    });
    repositories.show(client);
    await until(() => [...sourceControls][0]?.count === 8, 'both groups are shown');
    const [control] = sourceControls;
    const provider = ownWindow.registered.get('decorations') as {
      provideFileDecoration: (uri: Uri) => { badge?: string; tooltip?: string } | undefined;
    };
    const rows = control?.groups.map(({ label, resourceStates }) => [
      label,
      resourceStates.map(({ resourceUri, decorations }) => {
        const letter = provider.provideFileDecoration(resourceUri);
        const name = resourceUri.path.replace('/TST-1/', '');
        assert.ok(decorations?.tooltip?.includes(letter?.tooltip ?? '-'), 'the row says it in words');
        return `${letter?.badge ?? ''} ${name}, ${letter?.tooltip ?? ''}`;
      }),
    ]);
    assert.deepEqual(rows, [
      [
        'Staged Changes',
        ['M both.ts, modified', 'D gone.ts, deleted', 'A new.ts, added', 'R moved.ts, moved from old.ts'],
      ],
      [
        'Changes',
        ['M both.ts, modified', '! clash.ts, in conflict', 'D lost.ts, deleted', 'U new.txt, untracked'],
      ],
    ]);
    const sides = control?.groups.map(({ resourceStates }) =>
      (resourceStates[0]?.command?.arguments ?? [])
        .slice(0, 2)
        .map((uri) => parseBlobAddress(uri as never)?.commit),
    );
    assert.deepEqual(sides, [
      [from, to],
      [to, 'c'.repeat(40)],
    ]);
    const [gone] = control?.groups[0]?.resourceStates.slice(1) ?? [];
    client.diffs.views.clear();
    client.change('TST-1');
    await shows([['TST-1 Greet people', 0, []]]);
    assert.equal(gone && provider.provideFileDecoration(gone.resourceUri), undefined, 'no letter is left');
  });

  it('say what is uncommitted between two beads, too', async () => {
    client.views = [coding({ status: 'WAITING_PR_REVIEW', coding: null })];
    changed(unstaged, file('mine.ts', 'added'));
    repositories.show(client);
    await shows([['TST-1 Greet people', 1, [['Changes', ['added /TST-1/mine.ts']]]]]);
  });

  it('read a finished bead once, until the ticket enters another status', async () => {
    let reads = 0;
    const { diff } = client.diffs;
    client.diffs.diff = (ticket, scope) => {
      if (scope.kind === 'bead') reads += 1;
      return diff(ticket, scope);
    };
    changed({ kind: 'bead', bead: 'greet' }, file('greet.ts'));
    repositories.show(client);
    const group = [[bead('greet').title, ['modified /TST-1/greet.ts']]];
    await shows([['TST-1 Greet people', 0, group]]);
    const before = looks;
    client.change('TST-1');
    await until(() => looks > before, 'it is read again');
    assert.equal(reads, 1);
    client.views = [coding({ status: 'RUNNING_FINAL_TEST' })];
    client.change('TST-1');
    await until(() => reads === 2, 'the bead is read again');
  });

  it('run no git in Restricted Mode', async () => {
    repositories.trusted = false;
    repositories.show(client);
    await board.refresh();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([looks, shown()], [0, []]);
  });
});
