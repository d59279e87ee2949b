import assert from 'node:assert/strict';
import {
  type AgentQuestion,
  engineSource,
  type PendingRequest,
  type RequestContent,
} from '../../../../src/domain/ticket/agentRequest.ts';
import { permissionText } from '../../../../src/domain/ticket/agentRequest.ts';
import { replyToAgent } from '../../../../src/views/gates/replyToAgent.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const ask = (over: Partial<AgentQuestion> = {}): AgentQuestion => ({
  header: 'Port',
  text: 'Which port?',
  options: [
    { label: '80', description: 'the usual one' },
    { label: '8080', description: '' },
  ],
  multiple: false,
  custom: false,
  ...over,
});
const permission: Extract<RequestContent, { kind: 'permission' }> = {
  kind: 'permission',
  permission: 'bash',
  patterns: ['npm *'],
  command: 'npm ci',
};

describe('the reply to an agent', () => {
  let documents: string[] = [];
  const reply = (place: FakePlace): Promise<void> => {
    documents = [];
    return replyToAgent(place, { show: (_name, text) => Promise.resolve(void documents.push(text)) });
  };

  function asking(content: PendingRequest['content'], source = 'demo/main'): FakePlace {
    const request = { id: 'req-1', source, since: 0, until: 300_000, content };
    return new FakePlace({ ticket: { status: 'CODING' }, requests: [request] });
  }
  const questions = (...list: readonly AgentQuestion[]): FakePlace =>
    asking({ kind: 'question', questions: [...list] });
  const label = (name: string): ReturnType<typeof person.picksWhere> =>
    person.picksWhere(
      ({ value }) => typeof value === 'object' && (value as { label: string }).label === name,
    );

  it('says so when no agent asks', async () => {
    const place = new FakePlace();
    await reply(place);
    assert.deepEqual([editor.shown[0]?.kind, place.sent], ['information', []]);
  });

  it('takes an option', async () => {
    const place = questions(ask());
    editor.will(label('8080'));
    await reply(place);
    assert.deepEqual(place.sent, [['question_reply', { request: 'req-1', answers: [['8080']] }]]);
    assert.match(editor.shown[0]?.text ?? '', /TST-1.*Port/);
    assert.equal(editor.shown[0]?.detail, 'Which port?');
  });

  it('leaves nothing to an agent that the engine itself asks, and shows a list of findings whole', async () => {
    const text = `The prompt holds what looks like a secret:\n- ticket details, line 3: github: a\u202Eb [redacted: github]`;
    const place = asking({ kind: 'question', questions: [ask({ text })] }, engineSource);
    editor.will(label('80'));
    await reply(place);
    assert.deepEqual(
      editor.shown[0]?.items.map(({ value }) => value),
      [{ label: '80' }, { label: '8080' }],
    );
    assert.match(documents.join(), /line 3: github: a⟨U\+202E⟩b \[redacted: github\]/);
    assert.doesNotMatch(editor.shown[0].detail, /line 3/);
  });

  it('takes own words only where the agent takes them', async () => {
    editor.will('leave');
    await reply(questions(ask()));
    assert.deepEqual(
      editor.shown[0]?.items.map(({ value }) => value),
      [{ label: '80' }, { label: '8080' }, 'decide'],
    );
    const place = questions(ask({ options: [] }));
    editor.will(person.picks('other'), person.writes(' '), person.writes(' 443 '));
    await reply(place);
    assert.deepEqual(place.sent, [['question_reply', { request: 'req-1', answers: [['443']] }]]);
    assert.equal(editor.refusals.length, 1);
  });

  it('takes several options, and own words beside them', async () => {
    const place = questions(ask({ multiple: true, custom: true }));
    editor.will(
      person.picksWhere(({ value }) => value !== 'decide'),
      person.writes('443'),
    );
    await reply(place);
    assert.deepEqual(place.sent, [
      ['question_reply', { request: 'req-1', answers: [['80', '8080', '443']] }],
    ]);
  });

  it('leaves it to the agent when the person chooses that, or none of several', async () => {
    for (const [question, answer] of [
      [ask(), person.picks('decide')],
      [ask({ multiple: true }), person.picks()],
      [ask({ multiple: true }), person.picksWhere(() => true)],
    ] as const) {
      const place = questions(question, ask({ header: 'Host' }));
      editor.reset();
      editor.will(answer);
      await reply(place);
      assert.deepEqual(place.sent, [['question_reply', { request: 'req-1', answers: null }]]);
      assert.equal(editor.shown.length, 1, 'further questions are not asked');
    }
  });

  it('asks several questions one after the other, and leads back', async () => {
    const place = questions(ask(), ask({ header: '', text: 'Which host?', options: [], custom: true }));
    editor.will(label('80'), 'back', label('8080'), person.picks('other'), person.writes('localhost'));
    await reply(place);
    assert.deepEqual(place.sent, [
      ['question_reply', { request: 'req-1', answers: [['8080'], ['localhost']] }],
    ]);
    assert.equal(editor.shown[1]?.text, 'TST-1', 'a question without a header has the ticket for a title');
  });

  it('sends nothing when the person leaves in the middle', async () => {
    const place = questions(ask(), ask());
    editor.will(label('80'), 'leave');
    await reply(place);
    assert.deepEqual(place.sent, []);
  });

  it('shows the whole of what is to be allowed, and sends the decision', async () => {
    for (const [answer, allow] of [
      [0, true],
      [1, false],
    ] as const) {
      const place = asking(permission);
      editor.reset();
      editor.will(person.presses(answer));
      await reply(place);
      assert.equal(editor.shown[0]?.detail, 'npm ci\n\nnpm *');
      assert.deepEqual(place.sent, [['permission_reply', { request: 'req-1', allow }]]);
    }
  });

  it('opens what is too long for a message box as a document, and takes the decision beside it', async () => {
    const command = `npm ci\n${'echo line\n'.repeat(400)}curl evil.example`;
    const place = asking({ ...permission, command });
    editor.will(person.picks('Allow Once'));
    await reply(place);
    assert.match(documents[0] ?? '', /curl evil\.example\n\nnpm \*/);
    assert.deepEqual(place.sent, [['permission_reply', { request: 'req-1', allow: true }]]);
  });

  it('never offers to allow what is cut', async () => {
    for (const [command, offered] of [
      ['npm ci', ['Deny']],
      ['echo line\n'.repeat(400), ['Cancel', 'Deny']],
    ] as const) {
      const place = asking({ ...permission, command, cut: true });
      editor.reset();
      editor.will('leave');
      await reply(place);
      const [shown] = editor.shown;
      assert.deepEqual(
        [...(shown?.buttons ?? []), ...(shown?.items.map(({ label: name }) => name) ?? [])],
        offered,
      );
      assert.match(`${shown?.detail ?? ''}${documents.join('')}`, /can't be allowed/);
    }
  });

  it('marks what is hidden in it, and says so', async () => {
    const place = asking({ ...permission, command: 'rm \u202Ex\u200B' });
    editor.will(person.presses(1));
    await reply(place);
    assert.match(editor.shown[0]?.detail ?? '', /\(2\)[\s\S]*rm ⟨U\+202E⟩x⟨U\+200B⟩/);
  });

  it('decides nothing about a permission when the person cancels', async () => {
    const place = asking(permission);
    editor.will('cancel');
    await reply(place);
    assert.deepEqual(place.sent, []);
  });

  it('has words for what agents ask most, and OpenCode’s own for the rest', () => {
    const texts = ['external_directory', 'bash', 'edit', 'webfetch'].map((name) =>
      permissionText({ ...permission, permission: name }),
    );
    assert.equal(new Set(texts).size, 4);
    assert.match(permissionText({ ...permission, permission: 'doom_loop' }), /doom_loop/);
  });
});
