import { modelOf } from '../../../domain/council/council.ts';
import { CouncilLedger, longestExample, mostExamples } from '../../../domain/council/ledger.ts';
import { survivalOf } from '../../../domain/council/survival.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import type { Usage } from '../../../domain/usage/promptPlan.ts';
import { councilOf } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { rowOf } from '../../../domain/workflow/workflow.ts';
import type { RecordIo } from '../../../engine/run/run.ts';
import type { PastCall } from '../../../engine/ports/storePort.ts';
import { artifactChange, yamlText } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { storedWinner, validDrafts, valueOf } from './drafts.ts';

/**
 * Stages a council's cost, and each draft's part in `result` (docs/decisions/098-what-a-council-gives.md).
 */
export async function saveLedger(
  io: RecordIo,
  ticket: TicketSnapshot,
  domain: Domain,
  result: unknown,
): Promise<void> {
  const { store } = io.ports;
  const [winner, drafts, past, calls, usage] = await Promise.all([
    storedWinner(io, domain),
    validDrafts(io, domain),
    store.pastRuns(io.ticket),
    store.pastCalls(io.ticket),
    store.usage(io.ticket),
  ]);
  const runs = new Set(past.filter(({ status }) => isCouncilOf(status, domain)).map(({ id }) => id));
  const ownCalls = calls.filter(({ run }) => runs.has(run));
  const ownUsage = usage.filter(({ run }) => runs.has(run));
  const values = drafts.map(({ member, content }) => [member, valueOf(content)] as const);
  const survival = survivalOf(new Map(values), winner, result);
  // A person may have changed the council since it drafted.
  const council = [...councilOf(ticketParts(ticket).settings), ...drafts.map(({ member }) => member)];
  const members = [...new Set(council)].map((member) => {
    const { texts = 0, survived = [] } = survival.get(member) ?? {};
    const examples = survived.slice(0, mostExamples).map((text) => text.slice(0, longestExample));
    return { member, ...costOf(member, ownCalls, ownUsage), texts, survived: survived.length, examples };
  });
  const others = members.filter(({ member, texts }) => member !== winner && texts > 0);
  const soloWouldDo = others.length > 0 && others.every(({ survived }) => survived === 0);
  const content = yamlText(CouncilLedger.parse({ schema_version: 1, winner, members, soloWouldDo }));
  io.save(artifactChange(ticket, `${domain}_ledger`, content));
}

const councilHandlers = [
  'draftInterview',
  'draftPrd',
  'draftBeads',
  'voteCouncil',
  'compileInterview',
  'refinePrd',
  'refineBeads',
];

function isCouncilOf(status: TicketSnapshot['status'], domain: Domain): boolean {
  const { document, handler } = rowOf(status);
  return document === domain && councilHandlers.includes(handler);
}

/** Providers report tokens by model; its variants share them by the sizes of their prompts. */
function costOf(
  member: string,
  calls: readonly PastCall[],
  usage: readonly Usage[],
): Pick<CouncilLedger['members'][number], 'calls' | 'ms' | 'input' | 'output' | 'cost' | 'isShared'> {
  const model = modelOf(member);
  const own = calls.filter((call) => call.member === member);
  const same = calls.filter((call) => modelOf(call.member) === model);
  const isShared = own.length < same.length;
  const estimate = (some: readonly PastCall[]): number => sum(some, (call) => call.estimatedTokens);
  const share = isShared ? estimate(own) / Math.max(1, estimate(same)) : 1;
  const used = own.length === 0 ? [] : usage.filter((one) => one.model === model);
  return {
    calls: own.length,
    ms: sum(own, ({ startedAt, endedAt }) => Math.max(0, endedAt - startedAt)),
    input: Math.round(share * sum(used, (one) => one.input + one.cacheRead + one.cacheWrite)),
    output: Math.round(share * sum(used, (one) => one.output + one.reasoning)),
    cost: share * sum(used, (one) => one.cost),
    isShared,
  };
}

function sum<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
