import assert from 'node:assert/strict';
import { logLine } from '../../../../src/app/tickets/logPages.ts';
import { eventLine } from '../../../../src/cli/output/textOutput.ts';
import type { TicketEvent } from '../../../../src/domain/core/events.ts';
import { eventLog } from '../../../../src/host/logging/log.ts';

type StageEvent = Extract<TicketEvent, { readonly type: 'stage' }>;
const about = {
  type: 'stage',
  ticket: 'TST-1',
  at: 1,
  bead: 'greet',
  iteration: 2,
  stage: 'check',
  label: 'Checking',
} as const;
const started: StageEvent = { ...about, state: 'started', exit: null, error: null, skipped: false, ms: 0 };
const done: StageEvent = { ...started, state: 'done', exit: 'problems', ms: 2_340 };
const error = { code: 'SESSION_LOST', message: 'The session is gone.' } as const;
const skipped: StageEvent = { ...started, state: 'failed', error, skipped: true, ms: 100 };

describe('a stage of an iteration', () => {
  it('is a line of the command line, which passes by while it runs', () => {
    assert.deepEqual(eventLine(started), { text: 'TST-1   bead greet, iteration 2: Checking', live: true });
    assert.deepEqual(eventLine(done), {
      text: 'TST-1   bead greet, iteration 2: Checking: problems found (2.3 s)',
      live: false,
    });
    assert.equal(
      eventLine(skipped)?.text,
      'TST-1   bead greet, iteration 2: Checking failed and is skipped (0.1 s): SESSION_LOST: The session is gone.',
    );
  });

  it('is a line of the log: an error when it ends the iteration, a warning when the iteration continues', () => {
    const levels = [started, done, skipped, { ...skipped, skipped: false }].map(
      (event) => logLine(1, event).level,
    );
    assert.deepEqual(levels, ['info', 'info', 'warning', 'error']);
  });

  it('is in the log of the extension without what a model wrote', () => {
    assert.deepEqual(eventLog(skipped), {
      level: 'warn',
      text: 'TST-1: a bead, iteration 2: Checking failed and is skipped (0.1 s): SESSION_LOST',
      detail: 'The session is gone.',
    });
    assert.equal(eventLog(done)?.level, 'debug');
  });
});
