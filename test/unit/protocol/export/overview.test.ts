import assert from 'node:assert/strict';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { overview } from '../../../../src/protocol/export/exportedFiles.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { bead } from '../../adapters/store/samples.ts';

describe('overview', () => {
  const detail = {
    ticket: {
      id: 'TST-1',
      title: 'Add `CSV` <b>',
      description: 'Why\n```\ncode\n```',
      priority: 2,
      baseBranch: 'main',
      branch: null,
      createdAt: 0,
      updatedAt: 1_000,
    },
    view: ticketView({ label: 'Coding' }),
    error: null,
  } as unknown as TicketDetail;

  it('holds what was asked for, the progress, the runs, and where each document is', () => {
    const run = {
      id: 'r',
      status: 'CODING',
      label: 'Coding',
      attempt: 2,
      state: 'closed',
      exit: 'complete',
      startedAt: 0,
      endedAt: 9,
    } as const;
    const text = overview(
      {
        detail,
        beads: [{ ...bead('one'), status: 'done' }],
        runs: [{ ...run, error: null, iterations: [] }],
      },
      [{ type: 'prd', path: 'documents/prd.yaml', version: 3, sha256: 'f'.repeat(64) }],
    );
    assert.match(text, /^# TST-1 Add \\`CSV\\` \\<b\\>\n/);
    assert.match(text, /- Base branch: main\n/);
    assert.doesNotMatch(text, /- Branch:/);
    assert.match(text, /- \[x\] `one` Bead one \(done, iteration 1\)/);
    assert.match(text, /- \[prd\]\(<documents\/prd\.yaml>\), version 3, SHA-256 `f+`/);
    assert.match(text, /Coding, attempt 2, complete/);
  });

  it('lets no text end its own fence', () => {
    assert.match(overview({ detail, beads: [], runs: [] }, []), /\n````\nWhy\n```\ncode\n```\n````\n/);
  });
});
