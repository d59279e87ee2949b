import assert from 'node:assert/strict';
import { EventHub, type SessionEvent } from '../../../../src/adapters/opencode/client/eventHub.ts';
import { type OpencodeClient, stopSession } from '../../../../src/adapters/opencode/client/opencodeClient.ts';
import type { OpenPermission, OpenQuestion } from '../../../../src/adapters/opencode/client/openRequests.ts';
import { RequestService } from '../../../../src/adapters/opencode/requestService.ts';
import type { RequestDecision } from '../../../../src/domain/ticket/agentRequest.ts';
import { until } from '../../../support/until.ts';

const session = { id: 'ses_1', directory: '/tree' } as never;
const permission = (id: string, sessionID = 'ses_1'): OpenPermission => ({
  id,
  sessionID,
  permission: 'bash',
  patterns: ['rm *'],
});
const question = (id: string, questions = 1): OpenQuestion => ({
  id,
  sessionID: 'ses_1',
  questions: Array.from({ length: questions }, () => ({
    question: 'Which?',
    header: 'H',
    options: [],
    multiple: false,
    custom: true,
  })),
});

/** As much of a server as requests need. */
class FakeServer {
  permissions: OpenPermission[] = [];
  questions: OpenQuestion[] = [];
  status = 'busy';
  /** Said before `status`, once each; undefined: the server can't be reached. */
  statuses: (string | undefined)[] = [];
  isReachable = true;
  aborts = 0;
  readonly replies: unknown[] = [];
  forgets = true;

  get client(): OpencodeClient {
    const answer = async (value: unknown): Promise<unknown> =>
      this.isReachable ? { ok: true, value } : { ok: false };
    const replied = (what: readonly unknown[], id: string): Promise<unknown> => {
      this.replies.push(what);
      if (this.forgets) {
        this.permissions = this.permissions.filter((open) => open.id !== id);
        this.questions = this.questions.filter((open) => open.id !== id);
      }
      return answer(undefined);
    };
    return {
      permissions: () => answer(this.permissions),
      questions: () => answer(this.questions),
      messages: () => answer([]),
      status: () => {
        const type = this.statuses.length > 0 ? this.statuses.shift() : this.status;
        return type === undefined ? Promise.resolve({ ok: false }) : answer({ type });
      },
      abort: () => {
        this.aborts += 1;
        return answer(undefined);
      },
      allowPermission: (_at: string, id: string) => replied(['allow', id], id),
      rejectPermission: (_at: string, id: string, text: string) => replied(['reject', id, text], id),
      replyQuestion: (_at: string, id: string, answers: unknown) => replied(['answers', id, answers], id),
      rejectQuestion: (_at: string, id: string) => replied(['rejectQuestion', id], id),
    } as unknown as OpencodeClient;
  }
}

describe('what agents ask', () => {
  let server: FakeServer;
  let asked: string[];
  let decision: RequestDecision;
  beforeEach(() => {
    server = new FakeServer();
    asked = [];
    decision = { kind: 'allow' } as RequestDecision;
  });

  const service = (
    onRequest = async ({ asked: id }: { readonly asked: string }) => {
      asked.push(id);
      return decision;
    },
  ): RequestService => new RequestService(server.client, session, { onRequest: onRequest, pollMs: 1 });

  it('is nothing where nothing is open, or the server can’t be asked', async () => {
    assert.equal(await service().settle(), false);
    server.permissions = [permission('p1', 'ses_other')];
    assert.equal(await service().settle(), false);
    server.permissions = [permission('p1')];
    server.isReachable = false;
    assert.equal(await service().settle(), false);
    assert.deepEqual([asked, server.replies], [[], []]);
  });

  it('is put to a person once, and their word is sent', async () => {
    server.permissions = [permission('p1')];
    server.questions = [question('q1')];
    const desk = service();
    assert.equal(await desk.settle(), true);
    assert.deepEqual(asked, ['p1', 'q1']);
    assert.deepEqual(server.replies[0], ['allow', 'p1']);
    decision = { kind: 'answers', answers: [['This one']] } as RequestDecision;
    server.questions = [question('q2')];
    await desk.settle();
    assert.deepEqual(server.replies.at(-1), ['answers', 'q2', [['This one']]]);
    assert.equal(await desk.settle(), false);
  });

  it('is answered again, without asking again, when the reply got lost', async () => {
    server.permissions = [permission('p1')];
    server.forgets = false;
    const desk = service();
    await desk.settle();
    await desk.settle();
    assert.deepEqual(
      [asked, server.replies],
      [
        ['p1'],
        [
          ['allow', 'p1'],
          ['allow', 'p1'],
        ],
      ],
    );
  });

  it('is denied with words that let the agent continue, and left to it where nobody may be asked', async () => {
    decision = { kind: 'deny' } as unknown as RequestDecision;
    server.permissions = [permission('p1')];
    await service().settle();
    assert.deepEqual(server.replies.pop(), [
      'reject',
      'p1',
      'This is not allowed here. Continue without it.',
    ]);
    server.questions = [question('q1', 2), question('q2', 0)];
    await new RequestService(server.client, session, { onRequest: undefined, pollMs: 1 }).settle();
    const [first, second] = server.replies as [[string, string, string[][]], unknown];
    assert.equal(first[2].length, 2);
    assert.match(first[2][0]?.[0] ?? '', /^The question timed out\. Decide yourself/);
    assert.deepEqual(second, ['rejectQuestion', 'q2']);
  });

  it('is withdrawn when it is gone elsewhere, and only when that is sure', async () => {
    server.permissions = [permission('p1')];
    const withdrawn: boolean[] = [];
    const desk = service(
      ((_request: unknown, signal: AbortSignal) =>
        new Promise<RequestDecision>((resolve) => {
          signal.addEventListener('abort', () => {
            withdrawn.push(true);
            resolve({ kind: 'none' });
          });
          // It seems gone twice, and is there again.
          server.statuses = [undefined, undefined, 'busy', 'idle', 'idle', 'idle'];
        })) as never,
    );
    await desk.settle();
    assert.deepEqual(withdrawn, [true]);
    assert.deepEqual(server.statuses, [], 'as often as it takes to be sure');
  });
});

describe('a session that is stopped', () => {
  it('is aborted until it is idle', async () => {
    const server = new FakeServer();
    setTimeout(() => (server.status = 'idle'), 20);
    assert.equal(await stopSession(server.client, session), true);
    assert.ok(server.aborts >= 2);
  });

  it('is not taken for stopped when that can’t be confirmed', async () => {
    const server = new FakeServer();
    assert.equal(await stopSession(server.client, session, 50), false);
    server.status = 'idle';
    server.isReachable = false;
    assert.equal(await stopSession(server.client, session, 50), false);
    assert.ok(server.aborts > 0);
  });
});

describe('the events of a server', () => {
  class Streams {
    readonly opened: { push(event: unknown): void; end(): void; readonly signal: AbortSignal }[] = [];
    get client(): OpencodeClient {
      const events = async (signal: AbortSignal): Promise<AsyncIterable<unknown>> => {
        const waiting: unknown[] = [];
        let wake = Promise.withResolvers<void>();
        const state = { ended: false };
        const push = (event: unknown): void => {
          waiting.push(event);
          wake.resolve();
        };
        const end = (): void => {
          state.ended = true;
          wake.resolve();
        };
        signal.addEventListener('abort', end);
        this.opened.push({ push, end, signal });
        return (async function* () {
          for (;;) {
            while (waiting.length > 0) yield waiting.shift();
            if (state.ended) return;
            await wake.promise;
            wake = Promise.withResolvers<void>();
          }
        })();
      };
      return { events } as unknown as OpencodeClient;
    }
  }
  const event = (type: string, properties: object = {}): unknown => ({
    payload: { type, properties: { sessionID: 'ses_1', ...properties } },
  });

  it('reach who listens to their session, as what they mean, and nobody else', async () => {
    const streams = new Streams();
    const hub = new EventHub(streams.client);
    const heard: SessionEvent[] = [];
    const others: SessionEvent[] = [];
    const listening = hub.listen('ses_1', (one) => heard.push(one));
    hub.listen('ses_2', (one) => others.push(one));
    const stream = await until(() => streams.opened[0], 'it is connected');
    stream.push('nonsense');
    stream.push(event('message.part.delta', { partID: 'p', field: 'text', delta: 'Hi' }));
    stream.push(event('message.part.updated', { part: { id: 'p', type: 'tool', tool: 'bash' } }));
    stream.push(event('message.part.updated', { part: { id: 7 } }));
    stream.push(event('session.error', { error: { name: 'Aborted' } }));
    stream.push(event('session.error', { error: 'odd' }));
    stream.push(event('session.status', { status: { type: 'busy' } }));
    for (const type of [
      'permission.asked',
      'question.asked',
      'session.idle',
      'session.status',
      'file.edited',
    ])
      stream.push(event(type));
    stream.push({ payload: { type: 'server.connected', properties: {} } });
    await until(() => others.length > 0, 'all of it was read');
    assert.deepEqual(heard, [
      { kind: 'delta', part: 'p', field: 'text', text: 'Hi' },
      { kind: 'part', part: { id: 'p', type: 'tool', tool: 'bash' } },
      { kind: 'error', error: { name: 'Aborted' } },
      { kind: 'look' },
      { kind: 'request' },
      { kind: 'request' },
      { kind: 'look' },
      { kind: 'look' },
      { kind: 'look' },
    ]);
    assert.deepEqual(others, [{ kind: 'look' }]);
    listening.dispose();
    stream.push(event('session.idle'));
    stream.push({ payload: { type: 'server.connected', properties: {} } });
    await until(() => others.length > 1, 'more was read');
    assert.equal(heard.length, 9);
    hub.dispose();
  });

  it('come over one stream, which is opened again when it breaks, and closed at the end', async () => {
    const streams = new Streams();
    const hub = new EventHub(streams.client);
    const heard: SessionEvent[] = [];
    hub.listen('ses_1', (one) => heard.push(one));
    hub.listen('ses_1', (one) => heard.push(one));
    const first = await until(() => streams.opened[0], 'it is connected');
    first.end();
    const second = await until(() => streams.opened[1], 'it is connected again');
    second.push(event('session.idle'));
    await until(() => heard.length === 2, 'both were told');
    assert.equal(second.signal.aborted, false);
    hub.dispose();
    assert.equal(second.signal.aborted, true);
    assert.equal(streams.opened.length, 2);
  });
});
