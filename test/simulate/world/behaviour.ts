import * as z from 'zod';
import { sha256 } from '../../../src/base/sha256.ts';
import { Bead } from '../../../src/domain/beads/bead.ts';
import { newIteration, iterationKey, IterationResult } from '../../../src/domain/beads/iteration.ts';
import { getNextBead, isAllComplete, withInverseEdges } from '../../../src/domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { attemptRef, presquashRef } from '../../../src/domain/core/ids.ts';
import { councilOf } from '../../../src/domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../src/domain/ticket/ticket.ts';
import { beadStages } from '../../../src/domain/beads/beadStages.ts';
import { rowOf, statuses } from '../../../src/domain/workflow/workflow.ts';
import type { Behaviour } from '../../../src/engine/drive/runner.ts';
import type { HandlerResult } from '../../../src/engine/journal/transition.ts';
import type { Handlers, HandlerDefinition, Run, StepIo, StageHandlers } from '../../../src/engine/run/run.ts';
import { cancel } from '../../../src/phases/cancel.ts';
import { moveBuilders, receiptBuilders } from '../../../src/phases/actionChanges.ts';
import { ask } from '../../../src/phases/shared/ask/ask.ts';
import { endStraySessions } from '../../../src/phases/shared/ask/sessionNotes.ts';
import { takeUserContext } from '../../../src/phases/shared/ticket/ticketParts.ts';
import { artifactChange, toJson } from '../../../src/phases/shared/ticket/artifacts.ts';
import { refuseEntry, saveApprovalReceipt } from '../../../src/phases/shared/ticket/receipts.ts';
import { gatedArtifact } from './person.ts';
import { sampleBead } from '../../support/samples.ts';

/**
 * As much as the real handlers do with ports, without their documents. Engine, asking, stage machine, cancel
 * and receipts are the product's own.
 */
type Work = (run: Run, ticket: TicketSnapshot) => Promise<HandlerResult<string>>;

const special: Readonly<Record<string, Work>> = {
  draft,
  prepareLoop,
  approve: gate,
  interview: answers,
  quickAnswers: answers,
  coding,
  finalTest,
  manualQa,
  integrate,
  pullRequest,
  review,
  cleanup,
  preflight,
  prepareEnvironment,
  rest: async (run) => {
    await run.wait('rest', []);
    return { exit: 'never' };
  },
};

export function simulatedBehaviour(): Behaviour {
  const handlers: Record<string, HandlerDefinition<string>> = {};
  for (const status of statuses) {
    const { handler } = rowOf(status);
    handlers[handler] ??= { version: 1, run: special[handler] ?? plan };
  }
  return {
    handlers: handlers as unknown as Handlers,
    stages: {
      version: 1,
      table: beadStages,
      handlers: { code, check, finalize } satisfies Partial<StageHandlers>,
    },
    prepared: { cancel, undo_merge: cancel },
    changes: { receipts: receiptBuilders, rewind: () => [], moves: moveBuilders },
  };
}

/** The answer is what stands behind `answer:`. */
function put(
  run: Run,
  ticket: TicketSnapshot,
  key: string,
  options: { member?: string; place?: string; prompt?: string; limitMs?: number } = {},
) {
  const member = options.member ?? ticket.settings?.mainImplementer ?? '';
  return ask(run, ticket, {
    key,
    member,
    contextKey: 'capability_probe',
    prompt: options.prompt ?? 'task',
    result: z.string(),
    activeMs: options.limitMs ?? 600_000,
    inputs: { identity: `${run.runId} ${options.place ?? ''}${key}` },
    ...(options.member === undefined ? {} : { onProviderFailure: 'member' as const }),
    parse: (text) => {
      const value = /answer: (.*)/.exec(text)?.[1];
      return value === undefined ? { ok: false, problem: 'There is no answer in it.' } : { ok: true, value };
    },
  });
}

/**
 * A council where the table has one, else one model; its answer becomes the document of the status, and says
 * where it leads.
 */
async function plan(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await takeUserContext(run, ticket);
  const { exits, contexts } = rowOf(ticket.status);
  const isCouncil = contexts.some((key) => key.endsWith('_draft') || key.endsWith('_vote'));
  let answer: string;
  if (isCouncil && ticket.settings) {
    const members = councilOf(ticket.settings);
    const branches = members.map((member, index) => {
      const name = `m${String(index)}`;
      return [name, (branch: Run) => put(branch, ticket, 'draft', { member, place: `${name}/` })] as const;
    });
    const settled = Object.values(await run.all(Object.fromEntries(branches), { atOnce: 2 }));
    const valid = settled.flatMap((one) => (one.ok ? [one.value.value] : []));
    if (valid.length === 0)
      throw new BeadsmithError('QUORUM_NOT_MET', { valid: 0, needed: 1, what: 'draft', reasons: '' });
    answer = valid.join(' ');
  } else answer = (await put(run, ticket, 'ask')).value;
  const kind = gatedArtifact(ticket.status) ?? 'relevant_files';
  await run.record('save', z.null(), (io) => {
    io.save(artifactChange(ticket, kind, `${ticket.status} ${String(ticket.attempt)} ${answer}`));
    if (['EXPANDING_BEADS', 'PLANNING_QUICK'].includes(ticket.status))
      io.save({ type: 'beads', beads: beadsOf(answer) });
    return null;
  });
  const entered = await run.record('entered', z.number(), async (io) => {
    return (await io.ports.store.runs(io.ticket)).filter(
      ({ status, parent }) => status === ticket.status && parent === null,
    ).length;
  });
  return { exit: chosenExit(ticket, Object.keys(exits), answer, entered) };
}

/** No model makes it. */
async function prepareLoop(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await run.step('bead', z.null(), (io) => {
    io.save(artifactChange(ticket, 'beads', 'loop'));
    io.save({ type: 'beads', beads: [simulatedBead('loop', [])] });
    return Promise.resolve(null);
  });
  return { exit: 'ready' };
}

/** What leads back is taken once at most. */
function chosenExit(
  { status, settings }: TicketSnapshot,
  exits: readonly string[],
  answer: string,
  entered: number,
): string {
  if (status === 'SCANNING_RELEVANT_FILES') return settings?.depth === 'quick' ? 'quick' : 'ready';
  const [first = '', other] = exits;
  if (status === 'PLANNING_QUICK') return answer.startsWith('other') && entered === 1 ? 'questions' : first;
  return other !== undefined && answer.startsWith('other') && entered === 1 ? other : first;
}

/** Two to four, each of which may wait for earlier ones. */
function beadsOf(answer: string): Bead[] {
  const seed = sha256(answer);
  const count = 2 + (Number.parseInt(seed.slice(0, 2), 16) % 3);
  const ids = Array.from({ length: count }, (_none, place) => `bead-${String(place + 1)}`);
  const waits = (place: number): string[] =>
    ids.slice(0, place).filter((_id, other) => Number.parseInt(seed[place * 4 + other] ?? '0', 16) % 2 === 0);
  return withInverseEdges(ids.map((id, place) => simulatedBead(id, waits(place))));
}

function simulatedBead(id: string, blockedBy: readonly string[]): Bead {
  return sampleBead({
    id,
    testCommands: ['test'],
    dependencies: { blocked_by: [...blockedBy], blocks: [] },
    targetFiles: [`${id}.txt`],
  });
}

async function draft(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  const entry = await run.wait('decision', ['start']);
  if (entry === 'expired') throw new Error('A start never expires.');
  const { settings, limits } = entry.body;
  const branch = `ticket/${ticket.id}`;
  const started = await run.step(
    'start',
    z.object({ commit: z.string(), worktree: z.string() }),
    async (io) => {
      const commit = (await io.ports.git.resolve('refs/heads/main')) ?? '';
      await io.fence();
      const { path } = await io.ports.git.addWorktree({ ticket: ticket.id, branch, commit });
      return { commit, worktree: path };
    },
  );
  const exit = settings.depth === 'loop' ? 'loop' : 'start';
  return {
    exit,
    patch: {
      settings,
      limits,
      baseBranch: 'main',
      baseCommit: started.commit,
      branch,
      worktree: started.worktree,
    },
  };
}

/** An approval counts for the bytes that were seen. */
async function gate(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  const kind = gatedArtifact(ticket.status);
  if (!kind) throw new BeadsmithError('UNEXPECTED', { reason: `${ticket.status} has no document` });
  for (let turn = 1; ; turn++) {
    const entry = await run.wait(`decision-${String(turn)}`, [
      'approve',
      'edit',
      'regenerate',
      'fix_gaps',
      'check_again',
    ]);
    if (entry === 'expired') continue;
    const outcome = await run.step(
      `outcome-${String(turn)}`,
      z.enum(['approve', 'regenerate', 'stay']),
      async (io) => {
        const present = (await io.ports.store.artifact(io.ticket, kind))?.info.sha256 ?? '';
        if (entry.kind === 'regenerate') return 'regenerate';
        if (entry.kind === 'approve' && 'sha256' in entry.body && entry.body.sha256 === present) {
          saveApprovalReceipt(io, ticket, {
            artifact: 'prd',
            content_sha256: present,
            stored_content_sha256: present,
            with_gaps: [],
            reason: kind,
          });
          return 'approve';
        }
        if (entry.kind === 'edit' && 'content' in entry.body && entry.body.baseSha256 === present) {
          io.save(artifactChange(ticket, kind, entry.body.content));
          return 'stay';
        }
        refuseEntry(io, entry, 'STALE_APPROVAL', { artifact: kind });
        return 'stay';
      },
    );
    if (outcome !== 'stay') return { exit: outcome };
  }
}

async function answers(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  for (let batch = 1; ; batch++) {
    await put(run, ticket, `batch-${String(batch)}`);
    const entry = await run.wait(`answers-${String(batch)}`, ['answer', 'skip']);
    if (entry === 'expired') continue;
    await run.record(`keep-${String(batch)}`, z.null(), (io) => {
      io.save(artifactChange(ticket, 'interview_session', { batch, entry: entry.id }));
      return null;
    });
    if (entry.kind === 'skip' && ticket.status === 'WAITING_INTERVIEW_ANSWERS') return { exit: 'skip_all' };
    if (batch === 2 || entry.kind === 'skip') return { exit: 'complete' };
  }
}

async function preflight(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await run.step('head', z.string(), (io) => io.ports.git.head(ticket.worktree ?? ''));
  await put(run, ticket, 'probe');
  return { exit: 'passed' };
}

async function prepareEnvironment(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await takeUserContext(run, ticket);
  await put(run, ticket, 'prepare', { prompt: 'coding' });
  await run.step(
    'command',
    z.number().nullable(),
    async (io) => (await command(io, ticket, 'set up')).exitCode,
  );
  return { exit: 'ready' };
}

function command(io: StepIo, ticket: TicketSnapshot, text: string) {
  return io.ports.process.run(text, { cwd: ticket.worktree ?? '', timeoutMs: 60_000, signal: io.signal });
}

async function coding(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  const worktree = ticket.worktree ?? '';
  await run.step('recover', z.null(), async (io) => {
    await endStraySessions(io, run.runId);
    await resetKeeping(io, worktree, `refs/beadsmith/${ticket.id}/_recover/${run.id('recover').slice(0, 8)}`);
    for (const bead of await io.ports.store.beads(io.ticket))
      if (bead.status !== 'done' && bead.status !== 'pending')
        io.save({ type: 'bead', id: bead.id, set: { status: 'pending', iteration: bead.iteration + 1 } });
    return null;
  });
  for (let turn = 1; ; turn++) {
    await run.take(`requests-${String(turn)}`, ['context', 'changes', 'suggest_edit']);
    const selected = await run.record(`select-${String(turn)}`, Bead.nullable(), async (io) => {
      const beads = await io.ports.store.beads(io.ticket);
      const next = getNextBead(beads);
      if (!next && !isAllComplete(beads)) throw new BeadsmithError('BEAD_DEADLOCK', { beads: '' });
      if (next) io.save({ type: 'bead', id: next.id, set: { status: 'in_progress' } });
      return next ?? null;
    });
    if (!selected) return { exit: 'complete' };
    const { end } = await run.child(
      iterationKey(selected),
      IterationResult,
      'kickoff',
      toJson(newIteration(selected, ticket.settings?.mainImplementer ?? '', [])),
    );
    if (end === 'rejected') {
      if (selected.iteration >= 6)
        throw new BeadsmithError('BEAD_RETRY_BUDGET_EXHAUSTED', {
          bead: selected.id,
          iterations: 6,
          reason: '',
        });
      await run.step(`reject-${String(turn)}`, z.null(), async (io) => {
        await resetKeeping(io, worktree, attemptRef(ticket.id, selected.id, selected.iteration));
        io.save({
          type: 'bead',
          id: selected.id,
          set: { status: 'pending', iteration: selected.iteration + 1 },
        });
        return null;
      });
    } else
      await run.record(`accept-${String(turn)}`, z.null(), (io) => {
        io.save({ type: 'bead', id: selected.id, set: { status: 'done' } });
        return null;
      });
  }
}

async function resetKeeping(io: StepIo, worktree: string, ref: string): Promise<void> {
  const head = await io.ports.git.head(worktree);
  await io.ports.git.keep(worktree, ref, 'what was left');
  await io.fence();
  await io.ports.git.resetHard(worktree, head);
}

const code: StageHandlers['code'] = async (run, ticket, { bead, visit }) => {
  const { session } = await put(run, ticket, 'code', { prompt: 'coding', limitMs: 300_000 });
  const nothing = {
    marker: null,
    devRecord: null,
    problem: '',
    failure: null,
    interrupted: false,
    acknowledged: [],
    pass: 1,
    ended: null,
  };
  return { exit: 'done', output: { ...nothing, visit: visit + 1, session, problem: `of ${bead.id}` } };
};

const check: StageHandlers['check'] = async (run, ticket, { bead }) => {
  const worktree = ticket.worktree ?? '';
  const made = await run.step(
    'candidate',
    z.object({ start: z.string(), sha: z.string().nullable(), tree: z.string() }),
    async (io) => {
      const start = await io.ports.git.head(worktree);
      const trailers = { Ticket: ticket.id, Bead: bead.id, Iteration: String(bead.iteration) };
      const ref = `refs/beadsmith/${ticket.id}/candidate/${bead.id}`;
      const sha = await io.ports.git.candidate(worktree, {
        start,
        message: `bead(${bead.id})`,
        trailers,
        paths: [],
        ref,
      });
      await io.note({ candidate: sha });
      return { start, sha, tree: await io.ports.git.writeTree(worktree) };
    },
  );
  const passed = await run.step(
    'test',
    z.boolean(),
    async (io) => (await command(io, ticket, `test ${made.tree}`)).exitCode === 0,
  );
  const state = {
    evidence: [],
    leftOut: [],
    checks: [],
    pivoted: false,
    problem: passed ? '' : 'red',
    failure: null,
    passes: [],
    ended: null,
  };
  return { exit: passed ? 'passed' : 'failed', output: { ...state, candidate: made.sha, tree: made.tree } };
};

const finalize: StageHandlers['finalize'] = async (run, ticket, { candidate }) => {
  await run.step('adopt', z.null(), async (io) => {
    const worktree = ticket.worktree ?? '';
    await io.fence();
    if (candidate !== null) await io.ports.git.adopt(worktree, candidate, await io.ports.git.head(worktree));
    return null;
  });
  return { exit: 'done', output: {} };
};

async function finalTest(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await run.step('test', z.boolean(), async (io) => {
    const tree = await io.ports.git.treeOf(await io.ports.git.head(ticket.worktree ?? ''));
    return (await command(io, ticket, `test ${tree}`)).exitCode === 0;
  });
  return { exit: ticket.settings?.manualQaEnabled ? 'passed_qa' : 'passed' };
}

async function manualQa(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  return changesOr(run, ticket, ['qa', 'skip', 'changes', 'suggest_edit'], () => 'passed');
}

/** A decision ends the status; a request becomes a bead. */
async function changesOr(
  run: Run,
  ticket: TicketSnapshot,
  kinds: readonly ('qa' | 'skip' | 'changes' | 'suggest_edit' | 'merge' | 'close')[],
  exitOf: (kind: string) => string,
): Promise<HandlerResult<string>> {
  const entry = await run.wait('decision', kinds);
  if (entry === 'expired') throw new Error('A decision never expires.');
  if (entry.kind !== 'changes' && entry.kind !== 'suggest_edit') {
    await run.step('results', z.string(), async (io) => io.ports.git.head(ticket.worktree ?? ''));
    return { exit: exitOf(entry.kind) };
  }
  const beads = await run.record('beads', z.array(Bead), async (io) => [
    ...(await io.ports.store.beads(io.ticket)),
  ]);
  const fix = simulatedBead(`bead-${String(beads.length + 1)}`, []);
  return { exit: 'changes', changes: [{ type: 'beads', beads: [...beads, fix] }] };
}

async function integrate(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await run.step('keep', z.null(), async (io) => {
    await io.ports.git.keep(
      ticket.worktree ?? '',
      presquashRef(ticket.id, ticket.attempt),
      'before integration',
    );
    return null;
  });
  return { exit: 'integrated' };
}

async function pullRequest(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await put(run, ticket, 'text');
  await run.step('publish', z.string(), async (io) => {
    const commit = await io.ports.git.head(ticket.worktree ?? '');
    const found = await io.ports.forge.find(ticket.id);
    if (found?.commit === commit) return found.location;
    await io.fence();
    const request = {
      ticket: ticket.id,
      title: '',
      body: '',
      branch: ticket.branch ?? '',
      base: 'main',
      commit,
    };
    return (await io.ports.forge.publish(request)).location;
  });
  return { exit: 'ready' };
}

async function review(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  const result = await changesOr(run, ticket, ['merge', 'close', 'changes', 'suggest_edit'], (kind) => kind);
  if (result.exit === 'merge')
    await run.step('merge', z.string(), async (io) => {
      const commit = await io.ports.git.head(ticket.worktree ?? '');
      await io.fence();
      return io.ports.git.merge({ base: 'main', commit, message: ticket.id });
    });
  return result;
}

async function cleanup(run: Run, ticket: TicketSnapshot): Promise<HandlerResult<string>> {
  await run.step('release', z.null(), async (io) => {
    await io.ports.workplace.release(ticket.id);
    return null;
  });
  return { exit: 'cleaned' };
}
