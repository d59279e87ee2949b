import type { ArtifactType } from '../../../src/domain/ticket/artifacts.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { inboxBodies, type InboxKind } from '../../../src/domain/ticket/inbox.ts';
import { limitsHash, limitsOf } from '../../../src/domain/settings/limits.ts';
import { completeSettings, Limits } from '../../../src/domain/settings/settings.ts';
import type { Ticket } from '../../../src/domain/ticket/ticket.ts';
import type { ActionName } from '../../../src/domain/workflow/actions.ts';
import { allowedActions } from '../../../src/domain/workflow/availability.ts';
import { isTerminal, rowOf, type Status } from '../../../src/domain/workflow/workflow.ts';
import type { World } from './world.ts';

export interface Temper {
  readonly depth: 'full' | 'quick' | 'loop';
  readonly members: number;
  readonly qa: boolean;
  readonly asks: boolean;
  readonly whims: number;
  readonly end: 'merge' | 'close';
  readonly cancelsAt?: Status;
}

/** Their answers become the document that the next gate approves. */
export function gatedArtifact(status: Status): ArtifactType | undefined {
  const { document } = rowOf(status);
  // The product's readers would refuse a simulated text.
  return document === 'interview' ? 'full_answers:interview' : document;
}

/**
 * Sees the database from another window, and acts through the inbox. What was acknowledged is theirs to keep.
 */
export class Person {
  readonly #world: World;
  readonly #temper: Temper;
  #posts = 0;
  #retries = 0;

  constructor(world: World, temper: Temper) {
    this.#world = world;
    this.#temper = temper;
    this.#lookLater();
  }

  #lookLater(): void {
    const { timeline, random } = this.#world;
    timeline.after(random.between(5_000, 60_000), () => {
      for (const ticket of this.#world.tickets()) if (!isTerminal(ticket.status)) this.#act(ticket);
      if (!this.#world.isOver()) this.#lookLater();
    });
  }

  #act(ticket: Ticket): void {
    const { random } = this.#world;
    const summary = this.#world.reader.calls.summaries([ticket.id])[0];
    const allowed = summary ? allowedActions(summary) : [];
    const whim =
      !this.#world.isCalm && random.chance(this.#temper.whims) ? this.#whim(ticket, allowed) : undefined;
    const action = whim ?? this.#needed(ticket, allowed);
    if (action && allowed.includes(action[0])) this.#post(ticket, ...action);
  }

  #needed(ticket: Ticket, allowed: readonly ActionName[]): [InboxKind, unknown] | undefined {
    const { status, hold } = ticket;
    if (status === this.#temper.cancelsAt) return ['cancel', { reason: 'No longer needed.' }];
    if (status === 'DRAFT') return ['start', this.#start()];
    if (hold?.request) return ['question_reply', { request: hold.request.id, answers: [['blue']] }];
    if (hold?.kind === 'paused') return ['resume', {}];
    if (rowOf(status).role === 'blocked') {
      if (++this.#retries > 40) return ['cancel', { reason: 'It never ends.' }];
      return allowed.includes('continue') ? ['continue', {}] : ['retry', { note: '' }];
    }
    if (status === 'WAITING_PR_REVIEW')
      return [this.#temper.end, this.#temper.end === 'close' ? { reason: 'done' } : {}];
    if (status === 'WAITING_MANUAL_QA') return ['qa', { results: {} }];
    if (allowed.includes('answer')) return ['answer', { answers: {} }];
    return allowed.includes('approve') ? ['approve', { sha256: this.#seen(ticket) }] : undefined;
  }

  #whim(ticket: Ticket, allowed: readonly ActionName[]): [InboxKind, unknown] | undefined {
    const { random } = this.#world;
    const kind = allowed[random.between(0, Math.max(0, allowed.length - 1))];
    switch (kind) {
      case 'cancel':
        return random.chance(0.2)
          ? ['cancel', { reason: 'No longer needed.', deleteWorktree: random.chance(0.5) }]
          : undefined;
      case 'limits': {
        const limits = limitsOf(ticket);
        return (
          limits && [
            'limits',
            { baseSha256: limitsHash(limits), limits: { maxIterations: random.between(1, 9) } },
          ]
        );
      }
      case 'edit': {
        const artifact = rowOf(ticket.status).document;
        if (artifact === undefined || artifact === 'interview') return undefined;
        const chosen = random.chance(0.7) ? artifact : 'prd';
        const body = inboxBodies.edit.safeParse({
          artifact: chosen,
          baseSha256: this.#seen(ticket),
          content: `edited ${String(this.#posts)}`,
        });
        return body.success ? ['edit', body.data] : undefined;
      }
      case 'approve':
        return ['approve', { sha256: random.chance(0.5) ? 'f'.repeat(64) : this.#seen(ticket) }];
      case 'context':
        return ['context', { text: 'Remember this.', scope: random.chance(0.5) ? 'always' : 'once' }];
      case 'changes':
        return ['changes', { items: [{ text: 'More.' }] }];
      case 'pause':
      case 'resume':
      case 'regenerate':
      case 'retry':
      case 'continue':
      case 'rewind_setup':
      case 'plan_in_full':
      case 'close':
      case 'check_again':
      case 'skip':
        return [kind, {}];
      default:
        return undefined;
    }
  }

  #start(): unknown {
    const { depth, members, qa, asks } = this.#temper;
    const council = {
      mainImplementer: 'sim/one',
      councilMembers: ['sim/two', 'sim/three'].slice(0, members - 1),
    };
    const settings = completeSettings({
      ...council,
      depth,
      review: 'off',
      manualQaEnabled: qa,
      agentQuestions: asks ? 'timed' : 'deny',
      minCouncilQuorum: 1,
    });
    const loop = depth === 'loop' ? { loop: { tests: ['test'], setup: [], noTests: '' } } : {};
    return { settings, limits: Limits.parse({ providerWait: 3_600_000 }), ...loop };
  }

  /** As it is at the gate now. */
  #seen(ticket: Ticket): string {
    const kind = gatedArtifact(ticket.status);
    return (kind && this.#world.reader.calls.artifact(ticket.id, kind)?.info.sha256) ?? 'f'.repeat(64);
  }

  /** A double click posts twice, with one id. */
  #post(ticket: Ticket, kind: InboxKind, body: unknown): void {
    const { reader, random } = this.#world;
    const id = `post-${String(++this.#posts)}`;
    const clicks = random.chance(0.1) ? 2 : 1;
    try {
      for (let click = 0; click < clicks; click++)
        reader.calls.post({ id, ticket: ticket.id, kind, body: body as never });
      this.#world.acknowledged.push({ id, ticket: ticket.id, kind });
      this.#world.driver?.notice();
    } catch (error) {
      // Refused at once: nothing was promised.
      if (!(error instanceof BeadsmithError)) throw error;
    }
  }
}
