import { sha256 } from '../../../src/base/sha256.ts';
import type { PromptPlan } from '../../../src/domain/usage/promptPlan.ts';
import type { CallRow, Change } from '../../../src/engine/ports/storePort.ts';
import { samplePlan, sampleUsage } from '../../support/samples.ts';

const prompts = ['coding', 'review', 'fix', 'coding-note'] as const;
const names = [
  'repository_rules',
  'host',
  'bead_data',
  'handoff',
  'user_context',
  'bead_notes',
  'iteration',
  'report_nonce',
] as const;
const second = 1_000;

/** Calls of several prompts and iterations, oldest first. `input` is the text of each. */
export function seededCalls(ticket: string, count: number, input: (at: number) => string): readonly Change[] {
  const start = Date.UTC(2026, 0, 1);
  return Array.from({ length: count }, (_, at): readonly Change[] => {
    const [id, run] = [`call ${String(at)}`, `run ${String(at >> 2)}`];
    const place = { run, step: 'ask', session: `session ${String(at)}` };
    const startedAt = start + at * 30 * second;
    const { session: sessionId, ...rest } = place;
    const session = {
      id: sessionId,
      ...rest,
      ticket,
      member: 'openai/model',
      bead: `bead ${String(at >> 5)}`,
      iteration: 1,
    };
    const call: CallRow = {
      id,
      ticket,
      ...place,
      plan: planOf(at),
      input: input(at),
      output: 'Done.',
      outcome: 'accepted',
      error: '',
      startedAt,
      endedAt: startedAt + 20 * second,
    };
    const tokens = sampleUsage({
      messageId: id,
      model: 'openai/model',
      input: 1_000,
      output: 100,
      cacheRead: 3_000,
    });
    return [
      { type: 'session', session: { ...session, directory: '/tree', title: id, state: 'completed' } },
      { type: 'call', call },
      { type: 'usage', run, call: id, usage: { ...tokens, first: { prompt: 4_000, cacheRead: 3_000 } } },
    ];
  }).flat();
}

function planOf(at: number): PromptPlan {
  const prompt = prompts[at % prompts.length] ?? 'coding';
  // Later names change more often.
  const parts = names.map((name, index) => ({
    name,
    kind: 'section' as const,
    stability: (index >> 1) as 0 | 1 | 2 | 3,
    tokens: 500,
    sha256: sha256(`${name} ${String(at >> (8 - index))}`),
  }));
  return samplePlan({
    contextKey: prompt === 'fix' ? 'fix' : 'coding',
    prompt,
    promptSha256: sha256(String(at)),
    model: 'openai/model',
    budget: 100_000,
    tokens: 4_100,
    parts,
    instructions: { at: 0, tokens: 100, sha256: sha256(prompt) },
  });
}
