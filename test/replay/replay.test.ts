import assert from 'node:assert/strict';
import { toBeadsmithError } from '../../src/domain/core/errors.ts';
import { inboxBodies } from '../../src/domain/ticket/inbox.ts';
import { rowOf } from '../../src/domain/workflow/workflow.ts';
import type { StepRow } from '../../src/engine/ports/storePort.ts';
import { openRecording, type RecordedRun, type RecordedTicket } from './recordedTicket.ts';
import { readRecording, type Recording, recordings } from './recording.ts';
import { childrenOf, replayable, replayRun } from './replayRun.ts';

/** Whether a run was continued after a budget had ended its step. */
function goesOn({ journal }: RecordedTicket, { row }: RecordedRun): boolean {
  return journal.some(({ entry }) => entry.kind === 'run.continued' && entry.run === row.id);
}

/** What a replay says; "as recorded" when there is nothing to say. */
async function verdictOf(ticket: RecordedTicket, run: RecordedRun, again?: readonly RecordedRun[]): Promise<string> {
  return replayRun(ticket, run, again).then(
    () => 'as recorded',
    (error: unknown) => `${run.row.id}: ${toBeadsmithError(error).code}: ${toBeadsmithError(error).message}`,
  );
}

describe('recorded journals', () => {
  const opened = new Map<string, RecordedTicket>();
  /** Opened once: filling a database takes longer than a replay. */
  const ticketOf = (name: string): RecordedTicket => {
    const ticket = opened.get(name) ?? openRecording(readRecording(name));
    opened.set(name, ticket);
    return ticket;
  };

  /** Whether an iteration of a run has such a step. */
  const has = (ticket: RecordedTicket, run: RecordedRun, key: RegExp): boolean =>
    childrenOf(ticket, run).some(({ steps }) => steps.some((step) => key.test(step.key)));
  /** Whether a person sent this. */
  const wasSent = (name: string, kind: string): boolean => readRecording(name).inbox.some((entry) => entry.kind === kind);

  /**
   * What today's handlers are led through. When a version was raised, `kinds.ts` records a kind again; the
   * older recording stays for what it still shows.
   */
  const kinds: Readonly<Record<string, (run: RecordedRun, ticket: RecordedTicket, name: string) => boolean>> = {
    'a ticket that is planned quickly': ({ row }) => row.status === 'PLANNING_QUICK' && row.exit === 'ready',
    'a ticket that is merged': ({ row }) => row.status === 'WAITING_PR_REVIEW' && row.exit === 'merge',
    'a loop': ({ row }) => row.status === 'PREPARING_LOOP' && row.exit === 'ready',
    'a loop of two passes': (run, ticket) => has(ticket, run, /^check:2\/pass$/),
    'a council': ({ row }) => row.status === 'COUNCIL_VOTING_PRD' && row.exit === 'winner',
    'a party before a bead is coded, and one that reviews it': (run, ticket) => has(ticket, run, /^kickoff:/) && has(ticket, run, /^review:/),
    'a party that looks back': ({ row, steps }) => row.status === 'WRITING_RETROSPECTIVE' && steps.length > 0,
    'a failed iteration and its analysis': (run, ticket) =>
      has(ticket, run, /^analyse:1\/analysis$/) && childrenOf(ticket, run).some(({ row }) => row.exit === 'rejected'),
    'changes that a review asked for': ({ row }) => row.status === 'CODING' && row.snapshot.entry.by === 'changes',
    'an update from a base that conflicts': ({ row, steps }, _ticket, name) =>
      row.status === 'INTEGRATING_CHANGES' && row.snapshot.entry.by === 'update_base' && steps.length > 3 && wasSent(name, 'question_reply'),
    'a pause by a budget': (run, ticket, name) => goesOn(ticket, run) && wasSent(name, 'limits') && wasSent(name, 'resume'),
  };

  for (const [kind, isShown] of Object.entries(kinds))
    it(`lead today's handlers through ${kind}`, () => {
      const found = recordings().filter((name) => replayable(ticketOf(name)).some((run) => isShown(run, ticketOf(name), name)));
      assert.ok(found.length > 0, 'record it again: node test/replay/kinds.ts');
    });

  for (const name of recordings())
    describe(name, () => {
      let recording: Recording;
      let ticket: RecordedTicket;
      before(() => {
        recording = readRecording(name);
        ticket = ticketOf(name);
      });

      it('gives the same hash for every entry', () => {
        assert.equal(ticket.brokenAt, undefined);
        assert.ok(recording.journal.length > 100);
        assert.equal(recording.journal[0]?.prevHash, '');
        for (const [index, row] of recording.journal.slice(1).entries()) assert.equal(row.prevHash, recording.journal[index]?.hash);
      });

      it('notices an entry that was changed afterwards', () => {
        const journal = recording.journal.map((row) => (row.seq === 50 ? { ...row, at: row.at + 1 } : row));
        assert.equal(openRecording({ ...recording, journal }).brokenAt, 50);
      });

      it('takes every handler through what it did then, without touching anything', async () => {
        const runs = replayable(ticket);
        assert.ok(runs.length > 0, 'no handler has the version of this recording any more');
        for (const run of runs) assert.equal(await verdictOf(ticket, run), 'as recorded');
      });

      it('takes every iteration of a bead through what it did then', async () => {
        for (const run of replayable(ticket)) assert.equal(await verdictOf(ticket, run, childrenOf(ticket, run)), 'as recorded');
      });

      it('leads every exit to the status it led to', () => {
        const moves = ticket.journal.flatMap(({ entry }) => (entry.kind === 'status' ? [entry] : []));
        assert.ok(moves.length > 0);
        for (const { from, to, by } of moves) {
          const row = rowOf(from);
          const action = row.actions[by as keyof typeof row.actions];
          const next = row.exits[by] ?? action?.to;
          // A status may have been put in between since, as long as it leads on to where the ticket went.
          const between = next !== undefined && next !== 'self' && next !== 'previous' && next !== 'asPrevious' && next !== to && Object.values(rowOf(next).exits).includes(to);
          if (!between) assert.equal(next, to, `${from} by ${by}`);
        }
      });

      it('can still read what people sent', () => {
        assert.ok(recording.inbox.length > 0);
        for (const { kind, body } of recording.inbox) assert.deepEqual(inboxBodies[kind].safeParse(body).error, undefined, kind);
      });

      /**
       * Replays once for every step of every run and iteration, with that step changed; answers which change
       * nobody noticed.
       */
      const eachStep = async (change: (step: StepRow) => StepRow | undefined): Promise<readonly string[]> => {
        const unnoticed: string[] = [];
        let changes = 0;
        const replay = async (of: RecordedRun, verdict: (changed: RecordedRun) => Promise<string>): Promise<void> => {
          for (const [index, step] of of.steps.entries()) {
            const changed = change(step);
            if (!changed) continue;
            changes++;
            const said = await verdict({ ...of, steps: of.steps.with(index, changed) });
            if (!said.includes('REPLAY_MISMATCH')) unnoticed.push(`${of.row.id} ${step.key}: ${said}`);
          }
        };
        for (const run of replayable(ticket)) {
          await replay(run, (changed) => verdictOf(ticket, changed));
          const children = childrenOf(ticket, run);
          for (const child of children) {
            await replay(child, (changed) => verdictOf(ticket, run, [changed]));
          }
        }
        assert.ok(changes > (recording.journal.length > 400 ? 100 : 40), String(changes));
        return unnoticed;
      };

      it('notices any key that a handler calls otherwise now', async () => {
        assert.deepEqual(await eachStep((step) => ({ ...step, key: `${step.key}-renamed` })), []);
      });

      it('notices any result whose schema is another one now', async () => {
        const other = (step: StepRow): StepRow | undefined =>
          step.state === 'done' ? { ...step, result: typeof step.result === 'string' ? 7 : 'another' } : undefined;
        assert.deepEqual(await eachStep(other), []);
      });

      it('notices a recorded step that nobody asks for any more', async () => {
        const [run] = replayable(ticket);
        const [step] = run?.steps ?? [];
        assert.ok(run && step);
        const verdict = await verdictOf(ticket, { ...run, steps: [...run.steps, { ...step, key: 'dropped' }] });
        assert.match(verdict, /REPLAY_MISMATCH.*dropped/);
      });

      it('notices an exit that is another one now', async () => {
        for (const run of replayable(ticket))
          assert.match(await verdictOf(ticket, { ...run, row: { ...run.row, exit: 'elsewhere' } }), /REPLAY_MISMATCH.*elsewhere/);
      });
    });
});
