import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { sha256 } from '../../../../src/base/sha256.ts';
import type { ArtifactInfo } from '../../../../src/domain/ticket/artifacts.ts';
import type { TicketDetail } from '../../../../src/protocol/api.ts';
import { exportedFiles, ExportManifest, overview } from '../../../../src/protocol/export/exportedFiles.ts';
import type { CallTexts, LogLine } from '../../../../src/protocol/history.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { bead } from '../../../support/storeContract/samples.ts';
import { sampleArtifact, sampleCall } from '../../../support/samples.ts';

const artifact = (id: number, type: string, version = 1, archived = false): ArtifactInfo =>
  sampleArtifact({ id, type, version, archived, status: 'DRAFT' });
const line = (number: number): LogLine => ({
  number,
  at: number,
  source: 'engine',
  level: 'info',
  text: String(number),
});

function client(artifacts: readonly ArtifactInfo[]): FakeClient {
  const made = new FakeClient();
  made.ticket = () =>
    Promise.resolve({
      ticket: {
        id: 'TST-1',
        title: 'A',
        description: '',
        priority: 1,
        baseBranch: null,
        branch: null,
        createdAt: 0,
        updatedAt: 0,
      },
      view: ticketView(),
      error: null,
    } as unknown as TicketDetail);
  made.artifacts = () => Promise.resolve(artifacts);
  made.artifact = (_ticket, type, version) => {
    const info = artifacts.find((one) => one.type === type && one.version === version);
    return Promise.resolve(info && { info, content: `${type} v${String(version)}` });
  };
  made.beads = () => Promise.resolve({ beads: [bead('one')], sha256: '' });
  return made;
}

async function exported(from: FakeClient): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for await (const { path, content } of exportedFiles(from, 'TST-1', 0)) {
    assert.ok(!files.has(path), path);
    files.set(path, content);
  }
  return files;
}

describe('an export', () => {
  it('holds present documents, earlier versions, evidence and diffs, each in its place', async () => {
    const files = await exported(
      client([
        artifact(1, 'prd', 1, true),
        artifact(2, 'prd', 2),
        artifact(3, 'bead_diff:one'),
        artifact(4, 'bead_execution:one'),
      ]),
    );
    assert.equal(files.get('documents/prd.yaml'), 'prd v2');
    assert.equal(files.get('versions/prd.v1.yaml'), 'prd v1');
    assert.equal(files.get('diffs/one.diff'), 'bead_diff:one v1');
    assert.equal(files.get('evidence/execution/one.json'), 'bead_execution:one v1');
    assert.match(files.get('beads.jsonl') ?? '', /"id":"one"/);
    assert.match(files.get('README.md') ?? '', /\(<documents\/prd\.yaml>\), version 2/);
  });

  it('holds the pull request as it is stored, not as the editor shows it', async () => {
    const files = await exported(client([artifact(1, 'pull_request_report')]));
    assert.equal(files.get('documents/pull-request-report.json'), 'pull_request_report v1');
  });

  it('holds what every model was sent and answered, the whole log in the order of time, and the journal as it is stored', async () => {
    const from = client([]);
    const call: CallTexts = {
      ...sampleCall({ id: 'c', run: 'r', step: 's', member: 'p/m@high', prompt: 'prd-draft' }),
      startedAt: 0,
      endedAt: 1,
      estimatedTokens: 2,
      input: 'asked',
      output: 'answered',
      plan: '{"a":1}',
    };
    from.history.pastCalls = [call];
    from.history.log = (_ticket, { before }) =>
      Promise.resolve(
        before === undefined
          ? { lines: [line(3), line(4)], total: 4, earlier: 3 }
          : { lines: [line(1), line(2)], total: 4, earlier: null },
      );
    from.history.entries = [
      { seq: 1, at: 0, epoch: 1, prevHash: '', hash: 'h', entry: { kind: 'ticket.created' } },
    ];
    const files = await exported(from);
    assert.equal(files.get('calls/0001-prd-draft-p-m@high.input.md'), 'asked');
    assert.equal(files.get('calls/0001-prd-draft-p-m@high.output.md'), 'answered');
    assert.deepEqual(
      files.get('log.ndjson')?.match(/"number":\d/g),
      [1, 2, 3, 4].map((number) => `"number":${String(number)}`),
    );
    assert.equal(files.get('journal.ndjson'), `${JSON.stringify(from.history.entries[0])}\n`);
  });

  it('holds no secret that anything of the ticket held, and stays readable as what it is', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const from = client([artifact(1, 'prd'), artifact(2, 'approval_receipt')]);
    from.artifact = (_ticket, type) => {
      const content =
        type === 'prd' ? `title: ${token}\nlast: true\n` : JSON.stringify({ reason: token, last: true });
      return Promise.resolve({ info: artifact(1, type), content });
    };
    from.history.entries = [
      { seq: 1, at: 0, epoch: 1, prevHash: '', hash: token, entry: { kind: 'ticket.created' } },
    ];
    const files = await exported(from);
    assert.ok([...files.values()].every((content) => !content.includes(token)));
    assert.deepEqual(parse(files.get('documents/prd.yaml') ?? ''), {
      title: '(redacted github)',
      last: true,
    });
    const receipt = [...files].find(([path]) => path.includes('approval'))?.[1] ?? '';
    assert.deepEqual(JSON.parse(receipt), { reason: '(redacted github)', last: true });
  });

  it('holds decisions about secrets in prompts without what their hashes could be guessed with', async () => {
    const from = client([artifact(1, 'prompt_secrets_receipt')]);
    from.artifact = (_ticket, type) =>
      Promise.resolve({ info: artifact(1, type), content: '{\n  "salt": "grain",\n  "decisions": []\n}\n' });
    const files = await exported(from);
    assert.ok([...files.values()].some((content) => content.includes('"decisions": []')));
    assert.ok([...files.values()].every((content) => !content.includes('grain')));
  });

  it('ends with a list of every file and its hash', async () => {
    const files = await exported(client([artifact(1, 'prd')]));
    assert.equal([...files.keys()].at(-1), 'export.json');
    const manifest = ExportManifest.parse(JSON.parse(files.get('export.json') ?? ''));
    const listed = manifest['files'] as readonly { readonly path: string; readonly sha256: string }[];
    assert.deepEqual(
      listed,
      [...files].slice(0, -1).map(([path, content]) => ({ path, sha256: sha256(content) })),
    );
  });

  it('never leaves its folder, and names nothing as some system would refuse', async () => {
    const types = [
      'bead_diff:../../x',
      'skip_receipt:a:b',
      'skip_receipt:A:b',
      'skip_receipt:a-b',
      'nonsense:\n',
      'bead_review:..',
    ];
    const files = await exported(client(types.map((type, at) => artifact(at + 1, type))));
    const lower = [...files.keys()].map((path) => path.toLowerCase());
    assert.equal(new Set(lower).size, lower.length);
    for (const path of lower) assert.match(path, /^(?:[\w@+-][\w.@+-]*\/)*[\w@+-][\w.@+-]*$/);
  });
});

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
        approvals: [
          {
            artifact: 'beads',
            title: 'Beads',
            by: 'policy',
            at: '2026-01-01',
            reason: 'Passed by policy: one small bead.',
            gaps: [],
          },
        ],
      },
      [{ type: 'prd', path: 'documents/prd.yaml', version: 3, sha256: 'f'.repeat(64) }],
    );
    assert.match(text, /^# TST-1 Add \\`CSV\\` \\<b\\>\n/);
    assert.match(text, /- Base branch: main\n/);
    assert.doesNotMatch(text, /- Branch:/);
    assert.match(text, /- \[x\] `one` Bead one \(done, iteration 1\)/);
    assert.match(text, /- \[prd\]\(<documents\/prd\.yaml>\), version 3, SHA-256 `f+`/);
    assert.match(text, /Coding, attempt 2, complete/);
    assert.match(text, /## Approvals\n\n- 2026-01-01: Beads: passed by policy: one small bead\./);
  });

  it('lets no text end its own fence', () => {
    assert.match(
      overview({ detail, beads: [], runs: [], approvals: [] }, []),
      /\n````\nWhy\n```\ncode\n```\n````\n/,
    );
  });
});
