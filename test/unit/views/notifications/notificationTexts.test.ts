import assert from 'node:assert/strict';
import {
  type AgentQuestion,
  engineSource,
  type PendingRequest,
} from '../../../../src/domain/ticket/agentRequest.ts';
import type { NotificationKind } from '../../../../src/protocol/attention.ts';
import {
  likelyAt,
  type Notification,
  notificationOf,
} from '../../../../src/views/notifications/notificationTexts.ts';
import type { Workbench } from '../../../../src/views/shared/workbench.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { reviewedPlace } from '../../../support/fakes/reviewedPlace.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';
import { FakePlace, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';

const question = (over: Partial<AgentQuestion> = {}): AgentQuestion => ({
  header: 'Port',
  text: 'Which port?',
  multiple: false,
  custom: true,
  options: ['80', '8080'].map((label) => ({ label, description: '' })),
  ...over,
});
const bash = (command: string, patterns: string[] = []): PendingRequest['content'] => ({
  kind: 'permission',
  permission: 'bash',
  patterns,
  command,
});

describe('notifications', () => {
  const muted: string[] = [];
  const logged: unknown[] = [];
  const workbench = {
    notifications: {
      wants: () => true,
      mute: async (kind: NotificationKind) => {
        muted.push(kind);
      },
    },
    logError: (_what: string, error: unknown) => logged.push(error),
    repositories: new FakeRepositories(),
  } as unknown as Workbench;
  let place: FakePlace;

  beforeEach(() => {
    muted.length = 0;
    logged.length = 0;
  });

  function notification(kind: NotificationKind, changes: TicketChanges = {}): Notification {
    place = new FakePlace(changes);
    return notificationOf(workbench, place, kind, place.detail);
  }
  function asking(content: PendingRequest['content'], source = 'demo/main'): Notification {
    return notification('questions', {
      ticket: { status: 'CODING' },
      requests: [{ id: 'req-1', source, since: 0, until: 1, content }],
    });
  }
  const press = async (shown: Notification, button: number): Promise<void> => shown.actions.at(button)?.run();
  const command = (): unknown => editor.ran[0]?.[0];

  it('of a review begin with its changes', async () => {
    const shown = notification('needsYou', {
      ticket: { status: 'WAITING_PR_REVIEW' },
      view: { needsPerson: true, label: 'Review the pull request' },
    });
    assert.equal(shown.actions[0]?.title, 'Review Changes');
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.reviewChanges');
  });

  for (const [review, likely] of [
    ['none', 'reviewChanges'],
    ['accepted', 'merge'],
  ] as const)
    it(`of a review lead to ${likely} where its bead has the verdict: ${review}`, async () => {
      place = reviewedPlace({ a: review });
      const view = { ...place.detail.view, needsPerson: true };
      assert.equal(await likelyAt(place, view), likely);
      place.become({ ticket: { status: 'WAITING_PR_REVIEW' }, view: { needsPerson: true } });
      await press(notificationOf(workbench, place, 'needsYou', place.detail), 0);
      assert.equal(command(), `beadsmith.${likely}`);
    });

  for (const kind of ['needsYou', 'questions', 'blocked', 'finished'] as const)
    it(`of the kind ${kind} name the ticket, and can be turned off`, async () => {
      const shown = notification(kind);
      assert.match(shown.text, /TST-1.*Greet people/);
      await press(shown, -1);
      assert.deepEqual(muted, [kind]);
    });

  it('of a merge offer to undo it while that is offered', async () => {
    const titles = (shown: Notification): readonly string[] => shown.actions.map(({ title }) => title);
    assert.ok(!titles(notification('finished')).includes('Undo Merge…'));
    const shown = notification('finished', { ticket: { status: 'COMPLETED' }, actions: ['undo_merge'] });
    await press(shown, titles(shown).indexOf('Undo Merge…'));
    assert.equal(command(), 'beadsmith.undoMerge');
  });

  it('lead to what the gate most likely wants, as it is when the button is pressed', async () => {
    const shown = notification('needsYou', {
      ticket: { status: 'WAITING_PRD_APPROVAL' },
      view: { needsPerson: true },
      actions: ['approve'],
    });
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.approve');
    editor.reset();
    place.become({
      ticket: { status: 'WAITING_INTERVIEW_ANSWERS' },
      view: { needsPerson: true },
      actions: ['answer'],
    });
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.openInterview');
    assert.deepEqual(editor.ran[0]?.[1], { root: '/sample', ticket: 'TST-1' });
  });

  it('say that nothing is left to do where the gate was answered meanwhile', async () => {
    const shown = notification('needsYou', {
      ticket: { status: 'WAITING_PRD_APPROVAL' },
      view: { needsPerson: true },
      actions: ['approve'],
    });
    place.become({ ticket: { status: 'CODING' }, view: { label: 'Coding' } });
    await press(shown, 0);
    assert.deepEqual(editor.ran, []);
    assert.match(editor.shown.at(-1)?.text ?? '', /TST-1 no longer needs your input: Coding\./);
  });

  it('warn of a blocked ticket, with the reason and the ways out', async () => {
    const error = {
      code: 'SETUP_FAILED',
      message: 'The tools are missing.',
      nextStep: 'Install them.',
      continuable: false,
    };
    const shown = notification('blocked', { ticket: { status: 'BLOCKED_ERROR' }, error });
    assert.match(shown.text, /The tools are missing\./);
    assert.ok(shown.warns);
    for (const [button, expected] of [
      [0, 'beadsmith.whatNext'],
      [1, 'beadsmith.openTicket'],
      [2, 'beadsmith.showLog'],
    ] as const) {
      editor.reset();
      await press(shown, button);
      assert.equal(command(), expected);
    }
  });

  it('say of a ticket that a limit paused which it was, and lead to it', async () => {
    const error = {
      code: 'BUDGET_EXHAUSTED',
      message: 'The bead used 12 of 10 tokens.',
      nextStep: 'Raise the limit.',
      continuable: true,
    };
    const shown = notification('blocked', {
      ticket: { status: 'CODING', hold: { kind: 'budget', since: 0, detail: '' } },
      error,
    });
    assert.match(shown.text, /is paused: The bead used 12 of 10 tokens\./);
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.changeLimits');
  });

  it('say what became of a pull request, and what to do', () => {
    const location = 'https://github.com/octo/sample/pull/7';
    const news = { code: 'FORGE_CLOSED', args: { location }, continuable: false, diagnostics: {} } as const;
    const forge = { ...forgeState(), news };
    const shown = notification('needsYou', {
      ticket: { status: 'WAITING_PR_REVIEW', forge },
      view: { status: 'WAITING_PR_REVIEW', forgeNews: JSON.stringify(news) },
    });
    assert.match(
      shown.text,
      /needs your input: The pull request was closed without merging: .*Reopen it there/,
    );
  });

  it('let a simple question be answered by a button', async () => {
    const shown = asking({ kind: 'question', questions: [question()] });
    assert.deepEqual(
      shown.actions.slice(0, 2).map(({ title }) => title),
      ['80', '8080'],
    );
    await press(shown, 1);
    assert.deepEqual(place.sent, [['question_reply', { request: 'req-1', answers: [['8080']] }]]);
  });

  it('lead to the form for everything else', async () => {
    const four = ['1', '2', '3', '4'].map((label) => ({ label, description: '' }));
    for (const questions of [
      [question({ multiple: true })],
      [question({ options: four })],
      [question(), question()],
      [question({ options: [] })],
    ]) {
      editor.reset();
      const shown = asking({ kind: 'question', questions });
      assert.equal(shown.actions.length, 3, 'form, let it decide, mute');
      await press(shown, 0);
      assert.equal(command(), 'beadsmith.replyToAgent');
    }
  });

  it('have no two buttons that say the same, because only the first could be pressed', async () => {
    const labels = (...names: readonly string[]) =>
      question({ options: names.map((label) => ({ label, description: '' })) });
    const long = 'x'.repeat(300);
    for (const odd of [
      labels('Other…'),
      labels('Let Agent Decide', 'No'),
      labels("Don't Show Again"),
      labels('a b', 'a\tb'),
      labels(`${long}1`, `${long}2`),
      labels(' \t', 'No'),
    ]) {
      editor.reset();
      const shown = asking({ kind: 'question', questions: [odd] });
      assert.equal(shown.actions.length, 3, 'form, let it decide, mute');
      await press(shown, 0);
      assert.equal(command(), 'beadsmith.replyToAgent');
    }
  });

  it('leave nothing to an agent where the engine asks, and take no answer to what was not read whole', async () => {
    const asked = question({ text: `The prompt holds what looks like a secret: ${'x'.repeat(300)}` });
    const shown = asking({ kind: 'question', questions: [asked] }, engineSource);
    assert.equal(shown.actions.length, 2, 'form, mute');
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.replyToAgent');
    const short = asking({ kind: 'question', questions: [question()] }, engineSource).actions.map(
      ({ title }) => title,
    );
    assert.deepEqual(short.slice(0, 3), ['80', '8080', 'Other…']);
    assert.ok(!short.includes('Let Agent Decide'));
  });

  it('let the agent decide', async () => {
    await press(asking({ kind: 'question', questions: [question()] }), -2);
    assert.deepEqual(place.sent, [['question_reply', { request: 'req-1', answers: null }]]);
  });

  it('allow or deny with one click what can be read whole', async () => {
    const shown = asking(bash('npm ci'));
    assert.match(shown.text, /npm ci/);
    await press(shown, 0);
    await press(shown, 1);
    assert.deepEqual(
      place.sent.map(([, body]) => (body as { allow: boolean }).allow),
      [true, false],
    );
  });

  it('never allow with one click what is longer than a notification shows', async () => {
    const shown = asking(bash(`echo ok ${'#'.repeat(2_000)}; rm -rf /`));
    await press(shown, 0);
    assert.deepEqual([place.sent, command()], [[], 'beadsmith.replyToAgent']);
  });

  it('show the patterns where no command is known', () => {
    assert.match(asking(bash('', ['/etc/*', '/var/*'])).text, /\/etc\/\* \/var\/\*/);
  });

  it('still lead to the question when it is settled meanwhile', async () => {
    const shown = notification('questions', { ticket: { status: 'CODING' } });
    await press(shown, 0);
    assert.equal(command(), 'beadsmith.replyToAgent');
  });

  describe('whose question was answered elsewhere', () => {
    const answered = (): void => place.become({ ticket: { status: 'CODING' }, view: { label: 'Coding' } });

    it('decide nothing any more, whichever button is pressed, and say so', async () => {
      const asks = [
        () => asking({ kind: 'question', questions: [question()] }),
        () => asking(bash('npm ci')),
        () => asking(bash(`echo ok ${'#'.repeat(2_000)}`)),
      ];
      for (const ask of asks)
        for (const button of [0, 1]) {
          editor.reset();
          const shown = ask();
          answered();
          await press(shown, button);
          assert.deepEqual([place.sent, editor.ran], [[], []]);
          assert.match(editor.shown[0]?.text ?? '', /TST-1 no longer needs your input: Coding\./);
        }
    });

    it('lead to the one that the ticket asks now', async () => {
      const shown = asking(bash('npm ci'));
      const next = { id: 'req-2', source: 'demo/main', since: 0, until: 1, content: bash('rm -rf build') };
      place.become({
        ticket: { status: 'CODING' },
        view: { label: 'Coding', hold: 'permission', needsPerson: true },
        actions: ['permission_reply'],
        requests: [next],
      });
      editor.will(person.presses(0));
      await press(shown, 0);
      assert.deepEqual([place.sent, command()], [[], 'beadsmith.replyToAgent']);
      assert.match(editor.shown[0]?.text ?? '', /TST-1 no longer asks this\. It needs your input: Coding\./);
    });

    it('change no limit of a ticket that a limit no longer pauses', async () => {
      const hold = { kind: 'budget', since: 0, detail: '' } as const;
      const shown = notification('blocked', { ticket: { status: 'CODING', hold } });
      answered();
      await press(shown, 0);
      assert.deepEqual(editor.ran, []);
      await press(shown, 1);
      assert.equal(command(), 'beadsmith.openTicket', 'the ticket can be opened at any time');
    });
  });

  it('never hold text of others that the editor would make a link of', () => {
    for (const title of ['[click](command:workbench.action.quit)', 'see https://evil.example/x']) {
      const shown = notification('needsYou', { ticket: { title }, view: { title } });
      assert.doesNotMatch(shown.text, /\]\(command:/);
    }
  });

  it('never make a link of what an agent calls its tool', () => {
    const shown = asking({
      ...bash('x'),
      permission: '[look](command:workbench.action.quit)',
    } as PendingRequest['content']);
    assert.doesNotMatch(shown.text, /\]\(command:/);
  });

  it('log and say why a button didn’t work', async () => {
    editor.will('cancel');
    await notification('finished').explain(new Error('boom'));
    assert.match(String(logged[0]), /boom/);
    assert.equal(editor.shown[0]?.kind, 'error');
    assert.match(editor.shown[0].text, /boom/);
  });
});
