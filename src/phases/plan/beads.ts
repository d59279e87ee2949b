import * as z from 'zod';
import type { Section } from '../../context/sections.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { type Bead, BeadExpansion, Blueprint, reasonWithoutProof } from '../../domain/beads/bead.ts';
import { listed } from '../../domain/requirements/criteria.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Status } from '../../domain/workflow/workflow.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { storedDocument, yamlText, type StoreIo } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/panel/drafts.ts';
import { parseLines } from '../shared/structured/parseLines.ts';
import { placeOfBeads, saveBeads } from '../shared/ticket/saveBeads.ts';
import { hydrateBeads } from '../../domain/beads/readPlan.ts';
import { revisedPlan, changedBeads } from '../../domain/beads/revisedPlan.ts';
import { Prd, prdDocument, prdBody } from '../../domain/requirements/prd.ts';
import { planSubject } from '../../domain/links/subjects.ts';
import type { Resolution } from '../shared/coverage/coverageLoop.ts';
import { type AuditedAtGate, checkAgain } from '../shared/coverage/checkAgain.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import type { GateDocument } from '../shared/coverage/gateDocument.ts';
import { storedBeads } from '../shared/gate/storedBeads.ts';
import { unknownRefs, linkedPrd } from '../shared/ticket/linkedPrd.ts';
import { blueprintOf, reviseBlueprint } from './blueprint.ts';
import type { Revision } from '../shared/coverage/reviseCandidate.ts';
import { loadedBy } from '../../domain/guarded/guardedChanges.ts';
import { linksOf } from '../../domain/links/links.ts';
import { isProving } from '../../domain/proof/provingFiles.ts';
import { isSource } from '../../domain/proof/testDetection.ts';
import type { GateRule } from '../../domain/workflow/receipts.ts';
import { approvedChecks } from '../shared/approvedSetup.ts';
import { approvalOf } from '../shared/ticket/receipts.ts';

/** EXPANDING_BEADS: the blueprint becomes the bead plan (docs/decisions/025-bead-plan.md). */
export const expandBeads: HandlerDefinition<'expanded'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, beadsDocument.kind);
    await expandPlan(run, ticket, { key: 'expand', winner, sections, place: () => Promise.resolve(ticket) });
    return { exit: 'expanded' };
  },
};

/** Title and references may be repeated, but not changed. */
const Line = BeadExpansion.extend({ title: z.string().optional(), prdRefs: z.array(z.string()).optional() });
type Line = z.infer<typeof Line>;

interface Expansion {
  readonly key: string;
  readonly winner: string;
  readonly sections: readonly Section[];
  readonly place: (io: StepIo) => Promise<{ readonly status: Status; readonly attempt: number }>;
  /** The beads to expand; the others stay as the current plan has them. Undefined: all. */
  readonly only?: readonly string[] | undefined;
}

/** Turns the blueprint into beads: the model adds kind, labels, dependencies and files. */
async function expandPlan(
  run: Run,
  ticket: TicketSnapshot,
  { key, winner, sections, place, only }: Expansion,
): Promise<void> {
  const blueprint = await run.record(`${key}-blueprint`, Blueprint, async (io) => {
    return (await storedDocument(io, 'beads_blueprint', Blueprint)).document;
  });
  await ask(run, ticket, {
    key,
    contextKey: 'beads_expand',
    prompt: 'beads-expand',
    member: winner,
    sections: only ? [...sections, { name: 'to_expand', content: only.join('\n') }] : sections,
    parse: parseLines({ schema: Line, check: (lines) => expansionProblem(blueprint, lines, only) }),
    result: z.array(Line).readonly(),
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    accept: async (io, lines) => {
      const beads: readonly Bead[] = only
        ? revisedPlan(blueprint, wanted(lines, only), await io.ports.store.beads(io.ticket), ticket.id)
        : hydrateBeads(blueprint, lines, ticket.id);
      saveBeads(io, beads, await place(io));
    },
  });
}

/** Expands only the beads of `only` again. */
async function expandAgain(
  run: Run,
  ticket: TicketSnapshot,
  { key, winner, only }: Pick<Expansion, 'key' | 'winner' | 'only'>,
): Promise<void> {
  if (only?.length !== 0)
    return expandPlan(run, ticket, { key, winner, sections: [], place: placeOfBeads, only });
  await run.record(`${key}-without`, z.null(), async (io) => {
    const { document } = await storedDocument(io, 'beads_blueprint', Blueprint);
    const beads = revisedPlan(document, [], await io.ports.store.beads(io.ticket), ticket.id);
    saveBeads(io, beads, await placeOfBeads(io));
    return null;
  });
}

function wanted(lines: readonly Line[], only: readonly string[]): readonly Line[] {
  return lines.filter(({ id }) => only.includes(id));
}

/** Dependencies only on earlier beads, so that there can be no cycle. */
function expansionProblem(
  blueprint: Blueprint,
  all: readonly Line[],
  only?: readonly string[],
): string | undefined {
  const problems: string[] = [];
  const lines = only ? wanted(all, only) : all;
  const beads = only ? blueprint.beads.filter(({ id }) => only.includes(id)) : blueprint.beads;
  if (lines.length !== beads.length)
    problems.push(`There are ${lines.length} lines for ${beads.length} beads.`);
  beads.forEach((bead, place) => {
    const line = lines[place];
    const index = blueprint.beads.indexOf(bead);
    if (!line) return;
    if (line.id !== bead.id) {
      const wrong = `Line ${place + 1}: the id is "${line.id}"`;
      problems.push(`${wrong}, and the blueprint's bead there is "${bead.id}".`);
      return;
    }
    if (line.title !== undefined && line.title !== bead.title)
      problems.push(`${bead.id}: the title was changed.`);
    if (line.prdRefs !== undefined && line.prdRefs.join('\n') !== bead.prdRefs.join('\n'))
      problems.push(`${bead.id}: prdRefs were changed.`);
    const earlier = blueprint.beads.slice(0, index).map((other) => other.id);
    const odd = line.dependencies.blocked_by.filter((id) => !earlier.includes(id));
    const which = earlier.length === 0 ? 'It is the first one.' : `Earlier ones are ${listed(earlier)}.`;
    if (odd.length > 0)
      problems.push(`${bead.id}: blocked_by names ${odd.join(', ')}, which is no earlier bead. ${which}`);
  });
  return problems.length === 0 ? undefined : problems.slice(0, 10).join('\n');
}

/** The plan as it stands, edits included: the blueprint may be older. */
const audited: AuditedAtGate = {
  domain: beadsDocument.kind,
  present: storedBeads.present,
  state: () => async (io) => ({ beads: yamlText(blueprintOf(await io.ports.store.beads(io.ticket))) }),
  subject: () => async (io) => {
    const prd = (await storedDocument(io, prdDocument.kind, Prd)).document;
    return planSubject(prd, await io.ports.store.beads(io.ticket));
  },
};

/** The bead plan at its gate. A fix expands again what it changed (docs/decisions/024-coverage-loops.md). */
export const beadsGate: GateDocument<readonly Bead[]> = {
  ...storedBeads,
  problem: unknownRefs,
  rule: smallPlan,
  fixGaps: (run, ticket, { key, gaps, history }) =>
    extraFix(run, ticket, key, {
      ...audited,
      revise: (winner) => revisePlan(run, ticket, { key, winner, gaps, history }),
    }),
  checkAgain: (run, ticket, key) => checkAgain(run, ticket, key, audited),
};

/** Fixes of earlier versions recorded only whether anything changed, and expanded the whole plan. */
const Changed = z.object({ isChanged: z.boolean(), only: z.array(z.string()).optional() }).or(z.boolean());

async function revisePlan(
  run: Run,
  ticket: TicketSnapshot,
  { key, winner, gaps, history }: Pick<Revision, 'key' | 'winner' | 'gaps' | 'history'>,
): Promise<readonly Resolution[]> {
  const former = await run.record(`${key}-present`, z.string(), async (io) => {
    const { status, attempt } = await storedDocument(io, 'beads_blueprint', Blueprint);
    const content = yamlText(blueprintOf(await io.ports.store.beads(io.ticket)));
    io.save({ type: 'artifact', artifact: 'beads_blueprint', content, status, attempt });
    return content;
  });
  const resolutions = await reviseBlueprint(run, ticket, {
    key: `${key}-revise`,
    winner,
    gaps,
    history,
    sections: [],
    atGate: true,
  });
  const found = await run.record(`${key}-changed`, Changed, async (io) => {
    const { document } = await storedDocument(io, 'beads_blueprint', Blueprint);
    return {
      isChanged: yamlText(document) !== former,
      only: [...changedBeads(document, await io.ports.store.beads(io.ticket))],
    };
  });
  const { isChanged, only } = typeof found === 'boolean' ? { isChanged: found, only: undefined } : found;
  if (isChanged) await expandAgain(run, ticket, { key: `${key}-expand`, winner, only });
  return resolutions;
}

const mostFiles = 3;

/**
 * The rule for a bead plan: one bead of a few source files that meets a PRD which a person approved without
 * gaps, proved by commands that a person approved with an earlier setup. A plan agrees to changes of the
 * files that it names, so tests, and files that something else loads, are a person's decision.
 */
async function smallPlan(io: StoreIo, [bead, ...others]: readonly Bead[]): Promise<GateRule | undefined> {
  if (!bead || others.length > 0 || bead.targetFiles.length > mostFiles) return undefined;
  if (!bead.targetFiles.every(isPlain) || reasonWithoutProof(bead) !== '') return undefined;
  const known = await approvedChecks(io.ports.store, io.ticket);
  if (bead.testCommands.length === 0 || !bead.testCommands.every((command) => known.includes(command)))
    return undefined;
  const approval = await approvalOf(io, prdDocument.kind);
  const [prd, stored] = [await linkedPrd(io), await io.ports.store.artifact(io.ticket, prdDocument.kind)];
  if (!prd || approval?.approved_by !== 'user' || approval.with_gaps.length > 0) return undefined;
  if (approval.stored_content_sha256 !== stored?.info.sha256) return undefined;
  const { holes } = linksOf({ questions: [], prd: prdBody(prd), beads: [bead] });
  return holes.some(({ kind }) => planHoles.includes(kind)) ? undefined : 'one_bead';
}

/** Holes of the PRD itself were decided with it. */
const planHoles: readonly string[] = ['criterion', 'bead', 'command', 'unknownName'];

function isPlain(path: string): boolean {
  return isSource(path) && !isProving(path) && loadedBy(path) === undefined;
}
