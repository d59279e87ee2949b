import assert from 'node:assert/strict';
import { agentNames } from '../../../src/adapters/opencode/client/agents.ts';
import {
  type RequestRecord,
  type ScriptedServer,
  startScriptedServer,
} from '../../../src/demo/scriptedServer.ts';
import { messagesApi } from './messagesApi.ts';
import { MarkCache, PrefixCache } from './promptCaches.ts';
import { OpencodeBench } from './opencodeServer.ts';

/** By the provider's form of requests; what a token costs that is written to its cache. */
const styles = {
  anthropic: { npm: '@ai-sdk/anthropic', written: 1.25 },
  openai: { npm: '@ai-sdk/openai-compatible', written: 1 },
} as const;
type Style = keyof typeof styles;
/** Where another token costs 1. */
const cachedPrice = 0.1;

/** `parts` of one message each, which needs no answer unless it is the last. */
interface Way {
  readonly messages: readonly (readonly string[])[];
  readonly system?: string;
}
/** Where stable parts can go, and what changes by attempt and call. */
const ways: Readonly<Record<string, (stable: string, attempt: string, call: string) => Way>> = {
  'one message': (stable, attempt, call) => ({ messages: [[`${stable}\n\n${attempt}\n\n${call}`]] }),
  'a message ahead': (stable, attempt, call) => ({ messages: [[stable], [`${attempt}\n\n${call}`]] }),
  'system text': (stable, attempt, call) => ({ messages: [[`${attempt}\n\n${call}`]], system: stable }),
  'a text for each class': (stable, attempt, call) => ({ messages: [[stable, attempt, call]] }),
};

/**
 * What providers of both styles find in their caches (docs/decisions/155-stable-parts-go-ahead.md). `scenes`:
 * how many fresh sessions begin with the same stable parts.
 */
export function transportOf(scenes: Readonly<Record<string, number>>): void {
  let bench: OpencodeBench;
  let model: ScriptedServer;
  const sent: { readonly tokens: RequestRecord['tokens']; readonly body: string }[] = [];

  before(async () => {
    model = await startScriptedServer({
      cache: new PrefixCache(),
      otherForm: messagesApi(new MarkCache()),
      onRequest: ({ tokens }, body) => sent.push({ tokens, body }),
    });
    bench = await new OpencodeBench().start();
  });
  after(async () => {
    await bench.stop();
    await model.close();
  });

  it('lets fresh sessions share a message ahead with each style, and one message or a text for each class not with marks', async () => {
    const options = { baseURL: model.url, apiKey: 'scripted' };
    const provider = Object.fromEntries(
      Object.entries(styles).map(([name, { npm }]) => [name, { npm, options, models: { claude: {} } }]),
    );
    const agent = bench.agent({ config: { provider, enabled_providers: Object.keys(styles) } });
    await agent.health();
    const send = await sender(bench);
    const costs = new Map<string, number>();
    for (const style of Object.keys(styles) as Style[])
      for (const [name, way] of Object.entries(ways)) {
        const all = { prompt: 0, read: 0, written: 0 };
        for (const [scene, sessions] of Object.entries(scenes)) {
          const from = sent.length;
          for (let at = 0; at < sessions; at++)
            await send(
              style,
              way(
                text(`${style} ${name} ${scene}`, 250),
                text(`attempt ${String(at)}`, 30),
                `Call ${String(at)}: answer.`,
              ),
            );
          assert.equal(sent.length - from, sessions, 'one request for each session');
          for (const { tokens } of sent.slice(from)) {
            all.prompt += tokens.prompt;
            all.read += tokens.cached;
            all.written += tokens.written ?? 0;
          }
        }
        const uncached = all.prompt - all.read - all.written;
        const cost = (all.read * cachedPrice + all.written * styles[style].written + uncached) / all.prompt;
        costs.set(`${style}, ${name}`, cost);
        const figures = [all.read, all.written, uncached]
          .map((tokens) => String(tokens).padStart(7))
          .join('');
        console.log(
          `      ${style.padEnd(10)}${name.padEnd(23)} read, written, neither:${figures}; cost ${cost.toFixed(2)}`,
        );
      }
    const cost = (style: Style, way: string): number => costs.get(`${style}, ${way}`) ?? NaN;
    assert.ok(cost('anthropic', 'a message ahead') < 0.5 * cost('anthropic', 'one message'));
    assert.ok(cost('anthropic', 'a message ahead') < 0.5 * cost('anthropic', 'a text for each class'));
    assert.ok(cost('anthropic', 'a message ahead') <= 1.03 * cost('anthropic', 'system text'));
    for (const way of Object.keys(ways))
      assert.ok(cost('openai', 'a message ahead') <= 1.03 * cost('openai', way), way);
  });
}

/** 12 tokens a line. */
function text(about: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, at) => `- ${about}: line ${String(at)} says what holds for it.`,
  ).join('\n');
}

/** By OpenCode's own API: the product knows one way only. */
async function sender(bench: OpencodeBench): Promise<(provider: Style, way: Way) => Promise<void>> {
  const record = await bench.record();
  assert.ok(record);
  const headers = {
    authorization: `Basic ${Buffer.from(`opencode:${record.password}`).toString('base64')}`,
    'content-type': 'application/json',
    // The server closes an idle connection, maybe just when the next request is sent.
    connection: 'close',
  };
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const url = `${record.url}${path}?directory=${encodeURIComponent(bench.repository)}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: ${String(response.status)}`);
    return response.json();
  };
  return async (providerID, { messages, system }) => {
    const { id } = (await post('/session', { title: 'Fresh' })) as { id: string };
    for (const [at, texts] of messages.entries())
      await post(`/session/${id}/message`, {
        agent: agentNames.read_only,
        model: { providerID, modelID: 'claude' },
        ...(system === undefined ? {} : { system }),
        ...(at < messages.length - 1 ? { noReply: true } : {}),
        parts: texts.map((one) => ({ type: 'text', text: one })),
      });
  };
}
