import assert from 'node:assert/strict';
import type {
  AgentQuestion,
  PendingRequest,
  RequestContent,
} from '../../../../src/domain/ticket/agentRequest.ts';
import { CommandBench, itRefuses, itSends } from '../../../support/commandBench.ts';

const colour: AgentQuestion = {
  header: 'Colour',
  text: 'Which colour?',
  multiple: false,
  custom: true,
  options: ['Red', 'Blue'].map((label) => ({ label, description: '' })),
};
const langs: AgentQuestion = { ...colour, header: 'Languages', text: 'Which languages?', multiple: true };
const permission: RequestContent = {
  kind: 'permission',
  permission: 'bash',
  patterns: [],
  command: 'npm install',
};

/** A ticket whose agent waits for an answer to this, which a person can give. */
function asked(content: RequestContent): () => CommandBench {
  const request: PendingRequest = { id: 'req-1', source: 'demo/main', since: 0, until: 1, content };
  const kind = content.kind;
  return () =>
    new CommandBench({
      ticket: { status: 'CODING', hold: { kind, since: 0, detail: '', request } },
      actions: ['question_reply', 'permission_reply', 'cancel'],
      requests: [request],
    });
}
const one = asked({ kind: 'question', questions: [colour] });
const two = asked({ kind: 'question', questions: [colour, langs] });

describe('commands that answer an agent', () => {
  itSends([['reply TST-1 Red', 'question_reply', { request: 'req-1', answers: [['Red']] }]], one);
  itSends(
    [
      [
        ['reply TST-1', 'Neither | nor'],
        'question_reply',
        { request: 'req-1', answers: [['Neither | nor']] },
      ],
    ],
    one,
  );
  itSends([['reply TST-1 --decide', 'question_reply', { request: 'req-1', answers: null }]], two);
  itSends(
    [
      [
        ['reply TST-1', 'Red', ' French | German |'],
        'question_reply',
        { request: 'req-1', answers: [['Red'], ['French', 'German']] },
      ],
    ],
    two,
  );
  itSends(
    [
      ['allow TST-1', 'permission_reply', { request: 'req-1', allow: true }],
      ['deny TST-1', 'permission_reply', { request: 'req-1', allow: false }],
    ],
    asked(permission),
  );

  itRefuses(
    [
      ['reply TST-1 Red', 2, /TST-1 waits for 2 answers; give one TEXT each, or --decide\./],
      ['reply TST-1', 2, /waits for 2 answers/],
      ['reply TST-1 Red French German', 2, /waits for 2 answers/],
      [
        'allow TST-1',
        2,
        /The agent no longer waits for this request\..*\n.*Check whether it asks something else\./,
      ],
      ['deny TST-1', 2, /no longer waits/],
      ['allow TST-1 it', 2, /"it" is one word too many\./],
    ],
    two,
  );
  itRefuses([['reply TST-1 Red', 2, /no longer waits/]], asked(permission));
  itRefuses([
    ['reply TST-1 Red', 2, /no longer waits/],
    ['allow TST-1', 2, /no longer waits/],
    ['reply', 2, /An argument is missing/],
  ]);

  it('says which options there are, so that one can be copied', async () => {
    const { out } = await one().run('pause TST-1');
    for (const words of [
      'reply TST-1 Red',
      'reply TST-1 Blue',
      'reply TST-1 "your answer"',
      'reply TST-1 --decide',
    ])
      assert.ok(out.includes(`beadsmith ${words}\n`), words);
    assert.match(out, /Which colour\?/);
  });
});
