import { slicesOf } from '../../../context/allowlists.ts';
import { buildMinimalContext } from '../../../context/buildMinimalContext.ts';
import { calibrate } from '../../../context/calibrate.ts';
import { closingOf, parsePromptFile, type PromptFile, renderPrompt } from '../../../context/promptFile.ts';
import { type PlannedPrompt, planPrompt } from '../../../context/planPrompt.ts';
import { promptBudget } from '../../../context/promptBudget.ts';
import { promptUse } from '../../../context/promptInventory.ts';
import { byLastChange } from '../../../context/recency.ts';
import { seedSequence } from '../../../context/seedOrder.ts';
import { type Section, sectionAllowed, type SectionName, sectionRow } from '../../../context/sections.ts';
import { inStableOrder } from '../../../context/stableOrder.ts';
import type { ContextKey } from '../../../domain/workflow/contextKeys.ts';
import { councilKinds, type Domain } from '../../../domain/documents/workDocuments.ts';
import { beadsDocument } from '../../../domain/documents/beads.ts';
import { prdDocument } from '../../../domain/requirements/prd.ts';
import { decisionsText } from '../../../domain/loss/decisions.ts';
import { describeHost } from '../../../domain/environment/hostFacts.ts';
import { tokensIn } from '../../../domain/promptCache/prefix.ts';
import { rulesInForce } from '../../../domain/prompts/promptChoices.ts';
import { PreflightReport, repositoryCategory } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { ModelFacts, PromptPart, ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { PromptText } from '../../../engine/ports/ports.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { say, storedJson } from '../ticket/artifacts.ts';
import { storedContext, storedDecisions } from '../ticket/contextEntries.ts';
import { choicesOf } from '../ticket/promptChoices.ts';
import { rulesFor } from './repositoryRules.ts';
import { loadContextState, receivedText } from './loadContextState.ts';
import { partCache } from './partCache.ts';
import { leftOutByPerson } from './promptPreview.ts';
import { withoutFound, withoutPromptSecrets } from './promptSecrets.ts';
import type { CallFrame } from '../structured/askTypes.ts';

export interface Assembled extends PlannedPrompt {
  readonly policy: ToolPolicy;
  readonly key: ContextKey;
  readonly model: string;
  /** Secrets that a person allowed: sent, and not stored. */
  readonly allowed: readonly string[];
}

const longestOutput = 50_000;
const longestLine = 500;

/**
 * Builds a call's prompt (docs/decisions/040-prompt-order-and-budget.md). The budget holds in the model's
 * own tokens; the plan keeps the plain estimate, so that the next calibration compares like with like.
 */
export async function assemblePrompt(
  io: StepIo,
  ticket: TicketSnapshot,
  call: CallFrame,
  runId: string,
): Promise<Assembled> {
  const { contextKey: key, prompt, member } = call;
  const { file, override } = await readPrompt(io, prompt);
  const inputs = call.inputs ?? {};
  const overrides = typeof call.state === 'function' ? await call.state(io) : call.state;
  const count = (text: string): Promise<number> => io.ports.tokens.count(text);
  const [state, calibration, choices, sections] = await Promise.all([
    loadContextState(io, overrides, slicesOf(key)),
    io.ports.store.calibration(member),
    choicesOf(io.ports, io.ticket),
    sectionsOf(io, ticket, call),
  ]);
  const factor = calibrate(calibration);
  const { window, price } = await factsOf(io, ticket, member);
  const budget = promptBudget(Math.min(ticket.settings?.tokenBudget ?? file.budget, file.budget), window);
  const instructions = await count(ownText(file, inputs));
  const context = await buildMinimalContext(key, state, {
    sections,
    budget: Math.max(0, Math.floor(budget / factor) - instructions),
    count,
    cache: partCache,
    now: io.ports.clock.now(),
    rules: rulesInForce(choices, call.bead?.id),
  });
  const { parts: clean, allowed } = await withoutPromptSecrets(io, ticket, { prompt, parts: context.parts });
  const hashOf = ({ name, content }: PromptPart): string => partCache.hashOf(ticket.id, name, content);
  const ordered = await orderedParts(io, call, { parts: clean, runId, hashOf });
  const room = budget / factor - instructions;
  const digest = await rulesDigest(
    io,
    { key, policy: file.policy, seed: call.order === 'seed', room },
    ordered,
  );
  const parts = [...ordered, ...digest];
  const size = context.tokens + instructions + tokensIn(digest);
  const seedOrder = call.order === 'seed' ? { ticket: ticket.id, bead: call.bead?.id ?? '' } : undefined;
  const asOrdered = call.order === 'recency';
  const fixed = { key, file, ...override, inputs, budget, model: member, seedOrder, asOrdered, hashOf };
  const whole = planPrompt({ ...fixed, parts, reductions: context.reductions, tokens: size });
  const text = [whole.stable, whole.text].filter((one) => one !== '').join('\n\n');
  const previewed = { key, prompt, member, parts, budget, allowed, text };
  const excluded = await leftOutByPerson(io, ticket, previewed, choices.preview);
  const sent = parts.filter(({ name }) => excluded.every((one) => one.name !== name));
  const tokens = size - excluded.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0);
  const planned =
    excluded.length === 0
      ? whole
      : planPrompt({ ...fixed, parts: sent, reductions: [...context.reductions, ...excluded], tokens });
  const plan = { ...planned.plan, ...(price ? { price } : {}), calibration: factor };
  return { ...planned, plan, policy: file.policy, key, model: member, allowed };
}

interface Unordered {
  readonly parts: readonly PromptPart[];
  /** Sent by this run, a prompt doesn't change the order of sessions side by side. */
  readonly runId: string;
  readonly hashOf: (part: PromptPart) => string;
}

/** The parts in the call's order (docs/decisions/154-order-by-last-change.md). Logs new demotions. */
async function orderedParts(
  io: StepIo,
  call: CallFrame,
  unordered: Unordered,
): Promise<readonly PromptPart[]> {
  const { parts, runId, hashOf } = unordered;
  const { order = 'stable', prompt, session, bead } = call;
  if (order === 'recency') {
    const calls = await io.ports.store.plannedCalls(io.ticket);
    return byLastChange(
      parts,
      calls.map(({ startedAt, plan }) => ({ at: startedAt, plan })),
    );
  }
  // What follows in a session follows all that was said in it, whatever its order.
  if (order === 'seed' || session || promptUse(prompt).session !== 'fresh' || parts.length < 2) return parts;
  const earlier = await io.ports.store.earlierPlans(io.ticket, prompt, runId);
  const ordered = inStableOrder(parts, { earlier, bead: bead?.id, hashOf });
  const demotedIn = (some: readonly Pick<PromptPart, 'name' | 'demoted'>[]): readonly string[] =>
    some.filter(({ demoted }) => demoted === true).map(({ name }) => name);
  const known = new Set(earlier.flatMap(({ plan }) => demotedIn(plan.parts)));
  for (const name of demotedIn(ordered).filter((one) => !known.has(one)))
    say(io, `${name} changes often, so it now stands one class later in the prompt ${prompt}.`);
  return ordered;
}

/** More tokens than this between the rules and the end of a prompt dilute them. */
const farTokens = 20_000;

interface DigestFrame {
  readonly key: ContextKey;
  readonly policy: ToolPolicy;
  readonly seed: boolean;
  readonly room: number;
}

/**
 * A long prompt's rules in short, as its last part
 * (docs/decisions/151-rules-are-repeated-in-long-prompts.md).
 */
async function rulesDigest(
  io: StepIo,
  frame: DigestFrame,
  parts: readonly PromptPart[],
): Promise<readonly PromptPart[]> {
  const between = frame.seed ? seedSequence(parts).after : parts;
  if (tokensIn(between) <= farTokens || !sectionAllowed('rules_digest', frame.key)) return [];
  const agent = `agent-${frame.policy.replaceAll('_', '-')}`;
  const { rules } = parsePromptFile(agent, (await io.ports.prompts.read(agent)).text);
  if (rules === undefined) return [];
  const { stability, cap } = sectionRow('rules_digest');
  const tokens = await io.ports.tokens.count(rules);
  if (tokens > cap || tokensIn(parts) + tokens > frame.room) return [];
  return [{ name: 'rules_digest', kind: 'section', stability, content: rules, tokens }];
}

/** Nothing is known of a model before there is a folder to start OpenCode in. */
export async function factsOf(io: StepIo, { worktree }: TicketSnapshot, member: string): Promise<ModelFacts> {
  return worktree === null ? {} : io.ports.agent.modelFacts({ member, directory: worktree });
}

export async function repairPrompt(
  io: StepIo,
  main: Assembled,
  problem: string,
  output: string,
): Promise<Assembled> {
  const shown =
    output.length <= longestOutput
      ? output
      : `${output.slice(0, longestOutput)}\n[… ${output.length - longestOutput} characters left out …]`;
  return bare(io, main, 'structured-repair', {
    problem: await withoutFound(io, problem),
    output: await withoutFound(io, shown),
  });
}

export async function shorterPrompt(io: StepIo, main: Assembled): Promise<Assembled> {
  const { text } = await bare(io, main, 'shorter-answer', {});
  return { ...main, text: `${main.text}\n\n${text}` };
}

export async function restPrompt(io: StepIo, main: Assembled, line: string): Promise<Assembled> {
  return bare(io, main, 'answer-rest', { line: await withoutFound(io, line.slice(-longestLine)) });
}

/** Exactly `continue please` (docs/decisions/003-retry-continue-and-cancel.md). */
export function continuePrompt(io: StepIo, main: Assembled): Promise<Assembled> {
  return bare(io, main, 'continue', {});
}

async function bare(
  io: StepIo,
  main: Assembled,
  name: string,
  inputs: Readonly<Record<string, string>>,
): Promise<Assembled> {
  const { file, override } = await readPrompt(io, name);
  const tokens = await io.ports.tokens.count(ownText(file, inputs));
  const { key, model } = main;
  const fixed = { key, file, ...override, inputs, budget: file.budget, model };
  const planned = planPrompt({ ...fixed, parts: [], reductions: [], tokens });
  const { price, calibration } = main.plan;
  return {
    ...main,
    ...planned,
    plan: {
      ...planned.plan,
      policy: main.policy,
      ...(price ? { price } : {}),
      ...(calibration === undefined ? {} : { calibration }),
    },
  };
}

function ownText(file: PromptFile, inputs: Readonly<Record<string, string>>): string {
  const instructions = renderPrompt(file, inputs);
  return `${instructions}\n\n${closingOf(file, instructions)}`.trimEnd();
}

async function readPrompt(
  io: StepIo,
  name: string,
): Promise<{ readonly file: PromptFile; readonly override: Pick<PromptText, 'override'> }> {
  const { text, ...override } = await io.ports.prompts.read(name);
  return { file: parsePromptFile(name, text), override };
}

async function sectionsOf(io: StepIo, ticket: TicketSnapshot, call: CallFrame): Promise<readonly Section[]> {
  const { contextKey: key } = call;
  // A session that continues has them already.
  const isNew = !call.session;
  const section = async (
    name: SectionName,
    content: () => Promise<string>,
    isWanted = true,
  ): Promise<readonly Section[]> =>
    isWanted && sectionAllowed(name, key) ? [{ name, content: await content() }] : [];
  const gathered = await Promise.all([
    typeof call.sections === 'function' ? call.sections(io) : (call.sections ?? []),
    section('repository_rules', () => rulesFor(io, ticket, call), isNew),
    section('ticket_handoff', () => receivedText(io), isNew),
    section('host', () => hostText(io)),
    section('decisions', async () => {
      const decided = await Promise.all(domainsOf(key).map((domain) => storedDecisions(io, domain)));
      return decided.map(decisionsText).filter(Boolean).join('\n\n');
    }),
  ]);
  const sections = gathered.flat();
  if (!sectionAllowed('user_context', key)) return sections;
  const stored = (await io.ports.store.artifact(io.ticket, 'user_context'))?.content ?? '';
  const pinned = await pinnedFor(io, sections);
  const told = sections
    .filter((section) => section.name === 'user_context')
    .map((section) => section.content);
  const content = [stored, ...pinned, ...told].filter((text) => text.trim() !== '').join('\n\n');
  return [
    ...sections.filter((section) => section.name !== 'user_context'),
    { name: 'user_context', content },
  ];
}

/** None for a prompt that lists them with their ids. */
async function pinnedFor(io: StepIo, sections: readonly Section[]): Promise<readonly string[]> {
  if (sections.some(({ name }) => name === 'added_context')) return [];
  return (await storedContext(io))
    .filter(({ mode, state }) => mode === 'pinned' && state !== 'withdrawn')
    .map(({ text }) => text);
}

/** A quick plan is a PRD with its beads. */
function domainsOf(key: ContextKey): readonly Domain[] {
  if (key === 'quick_plan') return [prdDocument.kind, beadsDocument.kind];
  return [councilKinds.find((kind) => key.startsWith(`${kind}_`)) ?? prdDocument.kind];
}

async function hostText(io: StepIo): Promise<string> {
  const facts = describeHost(await io.ports.workplace.facts());
  const report = await storedJson(io, 'preflight_report', PreflightReport);
  const special = (report?.checks ?? []).filter(
    ({ category, result }) => category === repositoryCategory && result === 'warning',
  );
  return [facts, ...special.map(({ name, message }) => `${name}: ${message}`)].join('\n');
}
