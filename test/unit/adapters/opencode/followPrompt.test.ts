import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { EventHub } from '../../../../src/adapters/opencode/client/eventHub.ts';
import { PromptFollower } from '../../../../src/adapters/opencode/followPrompt.ts';
import type { OpencodeClient } from '../../../../src/adapters/opencode/client/opencodeClient.ts';
import { StoredMessages } from '../../../../src/adapters/opencode/messages/storedMessages.ts';
import { until } from '../../../support/until.ts';

describe('following a prompt', () => {
  const now = performance.now.bind(performance);
  let ahead = 0;
  let stops: AbortController[] = [];
  beforeEach(() => {
    ahead = 0;
    performance.now = () => now() + ahead;
  });
  afterEach(() => {
    performance.now = now;
    for (const stop of stops) stop.abort();
    stops = [];
  });

  /** A session at work that says nothing, or what it is told to. */
  function silent(
    says: { status: 'busy' | 'idle'; messages: () => readonly object[] } = {
      status: 'busy',
      messages: () => [],
    },
    pollMs = 10,
    heard = Promise.resolve(),
  ) {
    let looks = 0;
    const ok = <T>(value: T) => Promise.resolve({ ok: true as const, value });
    const client = {
      status: () => ok({ type: ++looks > 0 && aborted ? ('idle' as const) : says.status }),
      messages: () => ok(StoredMessages.parse(says.messages())),
      permissions: () => ok([]),
      questions: () => ok([]),
      abort: () => {
        aborted = true;
        return ok(null);
      },
    };
    let aborted = false;
    const hub = { listen: () => ({ heard, dispose: () => undefined }) };
    const stop = new AbortController();
    stops.push(stop);
    const follower = new PromptFollower(
      { id: 'ses_1', directory: '/' },
      { signal: stop.signal, retryLimit: 1, retryGraceMs: 1_000 },
      {
        client: client as unknown as OpencodeClient,
        hub: hub as unknown as EventHub,
        limits: { quietMs: 60_000, hungMs: 600_000, pollMs },
        serverAlive: () => Promise.resolve(true),
      },
    );
    return { follower, stop, looks: () => looks };
  }

  it('does not take the answer to the prompt before, which is all there is until OpenCode has stored this one', async () => {
    const prompt = (id: string): object => ({
      info: { role: 'user', id },
      parts: [{ type: 'text', metadata: { beadsmith: 'prompt', id } }],
    });
    const answer = (parentID: string, text: string): object => ({
      info: {
        role: 'assistant',
        id: `a-${parentID}`,
        parentID,
        providerID: 'p',
        modelID: 'm',
        time: { completed: 1 },
        finish: 'stop',
        cost: 0,
        tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
      },
      parts: [{ type: 'text', text }],
    });
    const before = [prompt('one'), answer('one', 'old')];
    let looks = 0;
    const { follower } = silent({
      status: 'idle',
      messages: () => (++looks < 3 ? before : [...before, prompt('two'), answer('two', 'new')]),
    });
    const reply = await follower.follow({ id: 'two', send: () => Promise.resolve(undefined) });
    assert.equal(reply.ok && reply.text, 'new');
    assert.equal(looks, 3);
  });

  it('looks as seldom as ever once the prompt is there', async () => {
    const says: { status: 'busy' | 'idle'; messages: () => readonly object[] } = {
      status: 'idle',
      messages: () => [],
    };
    const { follower, stop, looks } = silent(says, 600);
    const following = follower.follow({ id: 'two', send: () => Promise.resolve(undefined) });
    await until(() => looks() > 1, 'it looks for the prompt');
    says.status = 'busy';
    const early = looks();
    await until(() => looks() > early, 'it sees that the session works');
    const [before, seen] = [now(), looks()];
    await until(() => looks() > seen, 'it looks once more');
    assert.ok(now() - before > 400, 'it looks on as if the prompt were on its way');
    stop.abort();
    await following;
  });

  it('sends a prompt once it hears what comes of it: words of before would be lost', async () => {
    const heard = Promise.withResolvers<void>();
    const { follower, stop } = silent({ status: 'busy', messages: () => [] }, 10, heard.promise);
    let sent = 0;
    const following = follower.follow({ id: 'two', send: () => Promise.resolve(void sent++) });
    await setImmediate();
    assert.equal(sent, 0);
    heard.resolve();
    await until(() => sent === 1, 'the prompt to be sent');
    stop.abort();
    await following;
  });

  it('sends nothing when it is ended before it hears anything', async () => {
    const never = Promise.withResolvers<void>();
    const { follower, stop } = silent({ status: 'busy', messages: () => [] }, 10, never.promise);
    let sent = 0;
    const following = follower.follow({ id: 'two', send: () => Promise.resolve(void sent++) });
    stop.abort();
    const reply = await following;
    assert.equal(reply.ok ? '' : reply.failure.kind, 'aborted');
    assert.equal(sent, 0);
  });

  it('does not take the sleep of the machine for silence of the model', async () => {
    const { follower, stop, looks } = silent();
    const following = follower.follow();
    await until(() => looks() > 1, 'a first look');
    ahead += 8 * 3_600_000;
    const before = looks();
    await until(() => looks() > before + 5, 'more looks');
    stop.abort();
    const reply = await following;
    assert.equal(reply.ok ? '' : reply.failure.kind, 'aborted');
  });

  it('ends a call of which nothing was heard for too long', async () => {
    const { follower, looks } = silent();
    let ended = '';
    const following = follower.follow().then((reply) => (ended = reply.ok ? 'answered' : reply.failure.kind));
    for (let look = 1; look <= 30 && ended === ''; look++) {
      const before = looks();
      ahead += 25_000;
      await until(() => looks() > before || ended !== '', 'the next look');
    }
    assert.equal(await following, 'hung');
  });
});
