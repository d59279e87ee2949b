import * as z from 'zod';
import { canonicalJson } from '../../base/json.ts';
import { keepNewest } from '../../base/keepNewest.ts';
import type { AgentFailure } from '../../engine/ports/ports.ts';
import type { SessionEvent } from './client/eventHub.ts';
import { Tokens } from './messages/storedMessages.ts';

type Part = Extract<SessionEvent, { kind: 'part' }>['part'];

const Step = z.object({
  type: z.literal('step-finish'),
  cost: z.number().default(0),
  tokens: Tokens,
});

const mostSeen = 500;
/** Times a call may repeat, and requests go without one. OpenCode stops neither. */
const mostSame = 5;
const mostIdle = 4;
/** Estimate for providers that report no usage. */
const charactersPerToken = 4;

/**
 * Notices a prompt that would never end (docs/decisions/092-runaway-prompts.md): a repeated call, requests
 * without a call, or tokens or money over the limit.
 */
export class RunawayGuard {
  readonly #mostTokens: number;
  readonly #mostCost: number;
  readonly #promptTokens: number;
  readonly #seen = new Set<string>();
  #lastCall = '';
  #same = 0;
  #idle = 0;
  #hasCalled = false;
  #characters = 0;
  #used = 0;
  #cost = 0;

  /** `prompt`: its text is the least cost where no usage is reported. */
  constructor({
    mostTokens = Number.POSITIVE_INFINITY,
    mostCost = Number.POSITIVE_INFINITY,
    prompt = '',
  }: {
    readonly mostTokens?: number | undefined;
    readonly mostCost?: number | undefined;
    readonly prompt?: string;
  }) {
    this.#mostTokens = mostTokens;
    this.#mostCost = mostCost;
    this.#promptTokens = Math.ceil(prompt.length / charactersPerToken);
  }

  add(event: SessionEvent): void {
    if (event.kind === 'delta') this.#characters += event.text.length;
    if (event.kind !== 'part') return;
    const { part } = event;
    // A pending call's input is still being written.
    if (part.tool !== undefined && part.state !== undefined && part.state.status !== 'pending')
      this.#call(part, part.state.input);
    const step = Step.safeParse(part);
    if (step.success) this.#step(part.id, step.data);
  }

  get failure(): AgentFailure | undefined {
    const end = (kind: 'loop' | 'capped', message: string): AgentFailure => ({
      kind,
      message,
      statusCode: null,
      continuable: kind === 'capped',
    });
    if (this.#same >= mostSame)
      return end('loop', 'The agent made the same tool call with the same input 5 times in a row.');
    if (this.#idle >= mostIdle)
      return end('loop', 'The model was asked 4 times in a row without calling a tool or ending its answer.');
    if (this.#cost >= this.#mostCost)
      return end('capped', `The call cost ${(this.#cost * 100).toFixed(1)} US cents.`);
    return this.#used >= this.#mostTokens ? end('capped', `The call used ${this.#used} tokens.`) : undefined;
  }

  #call({ id, callID = id, tool = '' }: Part, input: unknown): void {
    this.#hasCalled = true;
    if (this.#isKnown(callID)) return;
    const key = `${tool} ${canonicalJson(input)}`;
    this.#same = key === this.#lastCall ? this.#same + 1 : 1;
    this.#lastCall = key;
  }

  #step(id: string, { tokens, cost }: z.infer<typeof Step>): void {
    if (this.#isKnown(id)) return;
    this.#idle = this.#hasCalled ? 0 : this.#idle + 1;
    this.#hasCalled = false;
    const reported = tokens.input + tokens.output + tokens.reasoning + tokens.cache.read + tokens.cache.write;
    this.#cost += cost;
    this.#used +=
      reported > 0 ? reported : this.#promptTokens + Math.ceil(this.#characters / charactersPerToken);
    this.#characters = 0;
  }

  #isKnown(id: string): boolean {
    if (this.#seen.has(id)) return true;
    keepNewest(this.#seen.add(id), mostSeen);
    return false;
  }
}
