import { sha256 } from '../../base/sha256.ts';
import { changeKey, LastChanges } from '../../context/recency.ts';
import type { Usage } from '../../domain/usage/promptPlan.ts';
import { callShares } from '../../domain/usage/callCost.ts';
import { type Block, systemBlock, tokensIn, toolsBlock } from '../../domain/promptCache/prefix.ts';
import {
  type CachedCall,
  type CacheReport,
  cacheReports,
  type HitState,
} from '../../domain/promptCache/cacheHistory.ts';
import type { OwnProfile } from '../../domain/promptCache/profiles.ts';
import type { PlannedCall } from '../../engine/ports/storePort.ts';
import type { RunView } from '../../protocol/history.ts';
import type { InspectedCall, InspectedPart } from '../../protocol/inspection.ts';

interface Inspected {
  readonly calls: readonly PlannedCall[];
  readonly usage: readonly (Usage & { readonly call: string | null })[];
  readonly runs: readonly RunView[];
  readonly profiles?: readonly OwnProfile[];
}

type Piece = Omit<InspectedPart, 'changedAt' | 'predicted' | 'reported' | 'cost'>;

/** A ticket's calls, oldest first, with their parts and cache states (docs/prompt-cache.md). */
export function inspectCalls({ calls, usage, runs, profiles }: Inspected): readonly InspectedCall[] {
  const used = new Map(usage.flatMap((one) => (one.call === null ? [] : [[one.call, one] as const])));
  const sent = sentBy(calls, used);
  const cached = sent.map((one) => cachedCall(one, used.get(one.call.id)));
  const reports = cacheReports(cached, profiles);
  const byId = new Map(reports.map((report) => [report.id, report]));
  const places = placesOf(runs);
  const changes = new LastChanges();
  return sent.flatMap(({ call, said, own }) => {
    const report = byId.get(call.id);
    if (!report) return [];
    const place = places.get(call.run) ?? { label: '', bead: null, iteration: null };
    const states = report.blocks.slice(frameLength);
    const booked = used.get(call.id) ?? null;
    const shares = booked && callShares(pieceTokens(said, own), booked, call.plan.price);
    const costs = shares?.parts.map(({ cost }) => cost) ?? [];
    const ownCosts = costs.slice(said.length === 0 ? 0 : 1);
    const parts = own.map((piece, index) => {
      const { predicted = 'unknown', reported = 'unknown' } = states[said.length + index] ?? {};
      return {
        ...piece,
        changedAt: changes.note(changeKey(piece, place.bead), piece.sha256, call.startedAt),
        predicted,
        reported,
        cost: ownCosts[index] ?? null,
      };
    });
    const {
      id,
      run,
      step,
      member,
      prompt,
      outcome,
      error,
      startedAt,
      endedAt,
      estimatedTokens,
      session,
      plan,
    } = call;
    const { predicted, reported, isProviderMiss, providerMisses } = report;
    return [
      {
        id,
        run,
        step,
        member,
        prompt,
        outcome,
        error,
        startedAt,
        endedAt,
        estimatedTokens,
        session,
        plan,
        ...place,
        parts: [
          ...conversationOf(said, { states: states.slice(0, said.length), cost: costs[0] ?? null }, call),
          ...parts,
        ],
        frameTokens: reported ? reported.prompt - tokensIn([...said, ...own]) : null,
        predicted,
        reported,
        isProviderMiss,
        providerMisses,
        cost: shares?.cost ?? null,
        calibration: calibrationOf(plan, said.length === 0 ? reported : null),
        usage: booked,
      },
    ];
  });
}

/** `said`: earlier in its session, and sent again. */
interface SentCall {
  readonly call: PlannedCall;
  readonly said: readonly Piece[];
  readonly own: readonly Piece[];
}

function sentBy(calls: readonly PlannedCall[], used: ReadonlyMap<string, Usage>): readonly SentCall[] {
  const told = new Map<string, readonly Piece[]>();
  return calls.map((call) => {
    const { id, session, plan } = call;
    const said = told.get(session) ?? [];
    const {
      at = 0,
      tokens = Math.max(0, plan.tokens - tokensIn(plan.parts)),
      sha256: hash = plan.promptSha256,
    } = plan.instructions ?? {};
    const task: Piece = { name: plan.prompt, kind: 'instructions', stability: null, tokens, sha256: hash };
    const own = [...plan.parts.slice(0, at), task, ...plan.parts.slice(at)];
    const answer: Piece = {
      name: id,
      kind: 'conversation',
      stability: null,
      tokens: used.get(id)?.output ?? 0,
      sha256: sha256(id),
    };
    told.set(session, [...said, ...own, answer]);
    return { call, said, own };
  });
}

function pieceTokens(said: readonly Piece[], own: readonly Piece[]): readonly number[] {
  return [...(said.length === 0 ? [] : [tokensIn(said)]), ...own.map(({ tokens }) => tokens)];
}

/** Only for a session's first prompt: nobody estimated what tools answered. */
function calibrationOf(
  { calibration: factor, tokens }: PlannedCall['plan'],
  reported: CacheReport['reported'],
): InspectedCall['calibration'] {
  if (factor === undefined) return null;
  return {
    factor,
    lastError: reported && reported.prompt > 0 ? (tokens * factor) / reported.prompt - 1 : null,
  };
}

function conversationOf(
  said: readonly Piece[],
  { states, cost }: { readonly states: CacheReport['blocks']; readonly cost: number | null },
  { startedAt }: PlannedCall,
): readonly InspectedPart[] {
  if (said.length === 0) return [];
  const hash = sha256(said.map((piece) => piece.sha256).join('\n'));
  const [predicted, reported] = [
    together(states.map((one) => one.predicted)),
    together(states.map((one) => one.reported)),
  ];
  return [
    {
      name: 'conversation',
      kind: 'conversation',
      stability: null,
      tokens: tokensIn(said),
      sha256: hash,
      changedAt: startedAt,
      predicted,
      reported,
      cost,
    },
  ];
}

function together(states: readonly HitState[]): HitState {
  const [first = 'unknown'] = states;
  return states.every((state) => state === first) ? first : 'partial';
}

function cachedCall({ call, said, own }: SentCall, usage: Usage | undefined): CachedCall {
  const { id, member, directory, prompt, startedAt, endedAt, outcome, plan } = call;
  const first = usage?.estimated === true ? undefined : usage?.first;
  const begun = frameLength + said.length;
  // OpenCode marks the system text and the last two messages.
  const { ahead } = plan;
  // With the instructions, unless they follow.
  const aheadEnd = ahead === undefined ? [] : [begun + ahead + ((plan.instructions?.at ?? 0) > 0 ? 0 : 1)];
  const marks = [frameLength, begun, ...aheadEnd, begun + own.length];
  return {
    id,
    member,
    directory,
    prompt,
    startedAt,
    endedAt,
    answered: outcome !== 'failed',
    blocks: [...frameOf(plan.policy, directory, startedAt), ...said, ...own],
    marks,
    reported: first ?? null,
  };
}

const frameLength = 2;

/**
 * Written by OpenCode before every prompt: tools, with the folder, and the agent's text, with folder and day.
 */
function frameOf(policy: string, directory: string, at: number): readonly Block[] {
  return [
    { name: toolsBlock, tokens: 0, sha256: sha256(`tools\n${policy}\n${directory}`) },
    {
      name: systemBlock,
      tokens: 0,
      sha256: sha256(`system\n${policy}\n${directory}\n${new Date(at).toDateString()}`),
    },
  ];
}

type Place = Pick<InspectedCall, 'label' | 'bead' | 'iteration'>;

function placesOf(runs: readonly RunView[]): ReadonlyMap<string, Place> {
  return new Map(
    runs.flatMap(({ id, label, iterations }): readonly (readonly [string, Place])[] => [
      [id, { label, bead: null, iteration: null }],
      ...iterations.map(({ run, bead, iteration }) => [run, { label, bead, iteration }] as const),
    ]),
  );
}
