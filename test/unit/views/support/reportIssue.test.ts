import assert from 'node:assert/strict';
import { redact } from '../../../../src/base/redact.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { copyReport, openIssueForm, reportIssue } from '../../../../src/views/support/reportIssue.ts';
import { Board } from '../../../../src/views/tickets/board.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';

const key = `sk-ant-api03-${'a1B2'.repeat(10)}`;
const hidden = [key, 'hunter2!', '/home/ann.smith', 'ann.smith', 'jo@example.com', 's3cret-pass'];
const told = `Failed at /home/ann.smith/notes with hunter2! and ${key}, mail jo@example.com, https://jo:s3cret-pass@example.com/x`;

describe('a report of a problem', () => {
  const client = new FakeClient({ root: '/home/ann.smith/code/thing', name: 'thing' });
  let repositories: FakeRepositories;
  let board: Board;
  let shown: string | undefined;
  let issues: string | undefined;

  const workbench = (): Workbench =>
    ({
      board,
      repositories,
      support: {
        checkMachine: async function* () {
          yield* [];
        },
        facts: () => ({
          versions: { Beadsmith: '1.0.0' },
          settings: { 'beadsmith.opencode.path': '"/home/ann.smith/bin/opencode"' },
        }),
        log: () => [{ at: 0, level: 'error', text: 'opening: GIT_FAILED', detail: told }],
        redactor: () => {
          const places = {
            home: '/home/ann.smith',
            user: 'ann.smith',
            repositories: ['/home/ann.smith/code/thing'],
          };
          return Promise.resolve((text: string) => redact(text, { secrets: ['hunter2!'], places }));
        },
        show: (_name: string, text: string) => Promise.resolve(void (shown = text)),
        shown: () => shown,
        issues,
      },
      logError: (what: string, error: unknown) => assert.fail(`${what}: ${String(error)}`),
    }) as unknown as Workbench;

  beforeEach(async () => {
    shown = undefined;
    issues = 'https://example.com/issues';
    repositories = new FakeRepositories();
    board = new Board(repositories);
    client.views = [
      ticketView({ id: 'TST-1', title: `Mend ${told}`, status: 'BLOCKED_ERROR' }),
      ticketView({ id: 'TST-2', title: 'Other' }),
    ];
    const blocked = { code: 'GIT_FAILED', message: told, nextStep: '', continuable: false };
    client.ticket = () => Promise.resolve({ error: blocked } as Awaited<ReturnType<FakeClient['ticket']>>);
    const entry = {
      kind: 'step.failed',
      error: { message: told, args: { path: '/home/ann.smith/code/thing/.env' } },
    };
    client.history.entries = [{ seq: 1, at: 0, epoch: 1, prevHash: '', hash: '', entry }];
    repositories.show(client);
    await board.refresh();
  });
  afterEach(() => board.dispose());

  async function reported(...ticked: readonly RegExp[]): Promise<string> {
    editor.will(
      person.picksWhere(({ label }) => ticked.some((one) => one.test(label))),
      'leave',
    );
    await reportIssue(workbench());
    return shown ?? assert.fail('no report is shown');
  }

  it('has facts only, unless the person adds more: codes, no titles, no messages, no journal', async () => {
    const text = await reported();
    for (const fact of [
      'Beadsmith: 1.0.0',
      'TST-1: BLOCKED_ERROR',
      'blocked by GIT_FAILED',
      'opening: GIT_FAILED',
      '~/bin/opencode',
    ])
      assert.ok(text.includes(fact), fact);
    assert.doesNotMatch(text, /Mend|Other|Failed at|Journal|step\.failed/);
  });

  it('has what was added, without secrets, paths, addresses and names, wherever they stand', async () => {
    const text = await reported(/titles/, /error messages/, /journal of TST-1/);
    for (const added of [
      '“Mend Failed at ~/notes',
      '    | Failed at ~/notes',
      'Journal of TST-1',
      'step.failed',
      '<repository>/.env',
    ])
      assert.ok(text.includes(added), added);
    for (const one of hidden) assert.ok(!text.includes(one), `${one} in\n${text}`);
  });

  it('adds the journal of the ticket that was ticked, and of no other', async () => {
    assert.match(await reported(/journal of TST-2/), /## Journal of TST-2/);
    assert.doesNotMatch(shown ?? '', /## Journal of TST-1/);
  });

  it('is not made when the person leaves, and sends nothing by itself', async () => {
    editor.will('leave');
    await reportIssue(workbench());
    assert.deepEqual([shown, editor.opened, editor.clipboard], [undefined, [], '']);
    await reported();
    assert.deepEqual([editor.opened, editor.clipboard, editor.ran], [[], '', []]);
    assert.deepEqual(editor.shown.at(-1)?.buttons, ['Save As…', 'Copy', 'Open Issue Form']);
  });

  it('is copied as it is shown, and says that there is none before it was made', async () => {
    await copyReport(workbench());
    assert.match(editor.shown.at(-1)?.text ?? '', /First create a report/);
    const text = await reported(/titles/);
    await copyReport(workbench());
    assert.equal(editor.clipboard, text);
  });

  it('leads to the form of this build, and says so where there is none', async () => {
    await reported();
    await openIssueForm(workbench());
    assert.deepEqual([editor.opened, editor.clipboard], [['https://example.com/issues'], shown]);
    editor.reset();
    issues = undefined;
    await openIssueForm(workbench());
    assert.deepEqual([editor.opened, editor.clipboard], [[], '']);
    assert.match(editor.shown[0]?.text ?? '', /no issue tracker/);
  });
});
