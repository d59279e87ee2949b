import assert from 'node:assert/strict';
import { toBeadsmithError } from '../../src/domain/errors.ts';
import { inboxBodies } from '../../src/domain/inbox.ts';
import { rowOf } from '../../src/domain/workflow/workflow.ts';
import type { StepRow } from '../../src/engine/ports/storePort.ts';
import { openRecording, type RecordedRun, type RecordedTicket } from './recordedTicket.ts';
import { readRecording, type Recording, recordings } from './recording.ts';
import { childrenOf, replayable, replayRun } from './replayRun.ts';

/** What a replay says; "as recorded" when there is nothing to say. */
async function verdictOf(ticket: RecordedTicket, run: RecordedRun, again?: readonly RecordedRun[]): Promise<string> {
  return replayRun(ticket, run, again).then(
    () => 'as recorded',
    (error: unknown) => `${run.row.id}: ${toBeadsmithError(error).code}: ${toBeadsmithError(error).message}`,
  );
}

describe('recorded journals', () => {
  it('are there for a council with a failed iteration, and for changes that a review asked for', () => {
    assert.deepEqual(
      ['council', 'solo-changes'].filter((name) => !recordings().includes(name)),
      [],
    );
    const council = openRecording(readRecording('council'));
    assert.ok(council.runs.some(({ row }) => row.parent !== null && row.exit === 'rejected'));
    const solo = openRecording(readRecording('solo-changes'));
    assert.ok(solo.runs.some(({ row }) => row.status === 'CODING' && row.snapshot.entry.by === 'changes'));
  });

  for (const name of recordings())
    describe(name, () => {
      let recording: Recording;
      let ticket: RecordedTicket;
      before(() => {
        recording = readRecording(name);
        ticket = openRecording(recording);
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
          const between = next !== undefined && next !== 'self' && next !== 'previous' && next !== to && Object.values(rowOf(next).exits).includes(to);
          if (!between) assert.equal(next, to, `${from} by ${by}`);
        }
      });

      it('can still read what people sent', () => {
        assert.ok(recording.inbox.length > 0);
        for (const { kind, body } of recording.inbox) assert.deepEqual(inboxBodies[kind].safeParse(body).error, undefined, kind);
      });

      /** Replays once for every step of every run and iteration, with that step changed; answers which change nobody noticed. */
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
          for (const [index, child] of children.entries()) {
            await replay(child, (changed) => verdictOf(ticket, run, children.with(index, changed)));
          }
        }
        assert.ok(changes > 100);
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
