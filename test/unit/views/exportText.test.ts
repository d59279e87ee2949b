import assert from 'node:assert/strict';
import type { TicketDetail } from '../../../src/protocol/api.ts';
import { exportText } from '../../../src/views/exportText.ts';
import { ticketView } from '../../support/fakeClient.ts';
import { bead } from '../adapters/store/samples.ts';

describe('exportText', () => {
  const detail = {
    ticket: {
      ...{ id: 'TST-1', title: 'Add `CSV` <b>', description: 'Why\n```\ncode\n```', priority: 2, baseBranch: 'main', branch: null },
      ...{ createdAt: 0, updatedAt: 1_000 },
    },
    view: ticketView({ label: 'Coding' }),
    error: null,
  } as unknown as TicketDetail;

  it('holds what was asked for, the progress, each document word by word, and the runs', () => {
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
    const text = exportText({ detail, beads: [{ ...bead('one'), status: 'done' }], runs: [{ ...run, error: null, iterations: [] }] }, [
      { title: 'PRD', file: 'prd.yaml', version: 3, sha256: 'f'.repeat(64), content: 'epics: []\n' },
    ]);
    assert.match(text, /^# TST-1 Add \\`CSV\\` \\<b\\>\n/);
    assert.match(text, /- Base branch: main\n/);
    assert.doesNotMatch(text, /- Branch:/);
    assert.match(text, /- \[x\] `one` Bead one \(done, iteration 1\)/);
    assert.match(text, /## PRD\n\nprd\.yaml, version 3, SHA-256 `f+`\n\n```yaml\nepics: \[\]\n```/);
    assert.match(text, /Coding, attempt 2, complete/);
  });

  it('lets no text end its own fence', () => {
    assert.match(exportText({ detail, beads: [], runs: [] }, []), /\n````\nWhy\n```\ncode\n```\n````\n/);
  });
});
