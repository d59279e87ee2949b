import assert from 'node:assert/strict';
import { redact } from '../../../../src/base/redact.ts';
import { checked } from '../../../../src/protocol/checks.ts';
import { type Report, reportText } from '../../../../src/views/support/reportText.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const report: Report = {
  versions: { Beadsmith: '0.1.0', System: 'linux 6 x64' },
  settings: { 'beadsmith.worktreeFolder': '"/home/ann/thing.worktrees"' },
  checks: [{ title: 'This machine', checks: [checked('git', 'pass', 'GIT_READY', { version: '2.50' })] }],
  log: [
    { at: 0, level: 'info', text: 'TST-1: DRAFT → CODING (start)', detail: '' },
    {
      at: 1,
      level: 'warn',
      text: 'beadsmith.approve: INVALID_ARTIFACT',
      detail: 'CANARY of a document\n``` and a fence',
    },
  ],
  tickets: [
    {
      repository: 'the repository',
      listed: [
        {
          view: ticketView({
            id: 'TST-1',
            title: 'CANARY of a title',
            status: 'BLOCKED_ERROR',
            beadsTotal: 3,
          }),
          error: 'DISK_FULL',
        },
      ],
      more: 7,
    },
  ],
  journals: [],
};
const nothing = { details: false, titles: false };

describe('reportText', () => {
  it('holds facts: versions, settings, checks, the log, and tickets by id, status and code', () => {
    const text = reportText(report, nothing);
    for (const part of [
      'Beadsmith: 0.1.0',
      'beadsmith.worktreeFolder: "/home/ann/thing.worktrees"',
      'pass git: GIT_READY git 2.50',
      '1970-01-01T00:00:00.000Z info  TST-1: DRAFT → CODING (start)',
      'TST-1: BLOCKED_ERROR, blocked by DISK_FULL, 0 of 3 beads, changed 1970-01-01T00:00:00.001Z',
      'and 7 more',
    ])
      assert.ok(text.includes(part), part);
  });

  it('holds no title and no text of tickets, models or commands unless it is wanted', () => {
    assert.doesNotMatch(reportText(report, nothing), /CANARY/);
    assert.match(reportText(report, { ...nothing, titles: true }), /CANARY of a title/);
    assert.match(reportText(report, { ...nothing, details: true }), /CANARY of a document/);
    assert.match(
      reportText({ ...report, journals: [{ ticket: 'TST-1', lines: ['{"seq":1}'] }] }, nothing),
      /## Journal of TST-1\n\n```text\n\{"seq":1\}/,
    );
  });

  it('lets nothing from outside end its fence, and stays whole when it is redacted', () => {
    const text = reportText(report, { details: true, titles: true });
    assert.match(text, /````text\n.*\n.*\n {4}\| CANARY of a document\n {4}\| ``` and a fence\n````/);
    const places = { home: '/home/ann', user: 'ann', repositories: ['/home/ann/thing'] };
    assert.match(redact(text, { places }), /worktreeFolder: "<repository>\.worktrees"/);
  });
});
