import assert from 'node:assert/strict';
import type { RequestContent } from '../../../../../src/domain/ticket/agentRequest.ts';
import { parseTarget } from '../../../../../src/views/commands/ticketTarget.ts';
import { documentTypes } from '../../../../../src/views/documents/documentTypes.ts';
import { factParts, factTarget } from '../../../../../src/views/tickets/tree/factItems.ts';
import type { BeadFact, Fact } from '../../../../../src/views/tickets/tree/facts.ts';
import { type ItemParts, toItem, tooltipOf } from '../../../../../src/views/tickets/tree/rowItems.ts';
import { Nodes } from '../../../../../src/views/tickets/tree/nodes.ts';

const node = new Nodes().fact({ root: '/sample', ticket: 'TST-1' }, 'key', {});
const parts = (fact: Fact, below: readonly Fact[] = []): ItemParts =>
  factParts(node, {
    key: 'key',
    fact,
    children: below.map((one, index) => ({ key: String(index), fact: one, children: [] })),
  });
const tooltip = (of: ItemParts): string => {
  const made = tooltipOf(of);
  return typeof made === 'string' ? made : made.value;
};
const spoken = (fact: Fact): string => toItem('id', parts(fact)).accessibilityInformation?.label ?? '';

const bead = (changes: Partial<BeadFact> = {}): BeadFact => ({
  kind: 'bead',
  bead: 'greet',
  title: 'Greet people',
  status: 'pending',
  iteration: 1,
  stage: null,
  verdict: null,
  offers: [],
  position: 2,
  total: 3,
  waitsFor: [],
  ...changes,
});
const artifact = {
  kind: 'artifact',
  artifact: 'prd',
  version: 2,
  archived: false,
  createdAt: 0,
  versions: 2,
} as const;
const ran = { command: 'npm test', exitCode: 0, signal: null, timedOut: false, durationMs: 1 };

describe('a line below a ticket', () => {
  for (const status of ['pending', 'in_progress', 'done', 'error'] as const)
    it(`says of a bead that is ${status} where it stands, and offers what can be done to it`, () => {
      const offers = status === 'done' ? (['acceptBead', 'rejectBead'] as const) : [];
      const made = parts(bead({ status, offers }));
      assert.equal(made.label, 'Greet people');
      assert.match(made.description ?? '', /^2\/3/);
      assert.equal(made.context, `${['bead', status, ...offers].join(';')};`);
      const state = { pending: 'pending', in_progress: 'in progress', done: 'done', error: 'failed' }[status];
      assert.ok(spoken(bead({ status })).startsWith(`Bead 2 of 3, Greet people, ${state}`));
      assert.ok(tooltip(made).startsWith(`greet\n${state}`));
    });

  it('says of a bead what it waits for, its iteration and stage, and what a person thinks of it', () => {
    assert.equal(parts(bead({ waitsFor: ['one', 'two'] })).description, '2/3 · depends on one, two');
    assert.equal(
      parts(bead({ status: 'in_progress', iteration: 2, stage: 'check' })).description,
      '2/3 · iteration 2 · Checking',
    );
    assert.equal(parts(bead({ status: 'done' })).description, '2/3', 'one try is the usual');
    assert.equal(parts(bead({ status: 'done', verdict: 'rejected' })).description, '2/3 · rejected by you');
    assert.equal(parts(bead({ status: 'done', verdict: 'accepted' })).icon, 'verified-filled');
  });

  for (const type of documentTypes)
    it(`opens ${type}, the version it stands for if that is an old one`, () => {
      const opened = (fact: Fact): string => parts(fact).uri?.toString() ?? '';
      const [current, old] = [
        { ...artifact, artifact: type },
        { ...artifact, artifact: type, archived: true },
      ];
      assert.match(opened(current), /^beadsmith:\/\/sample-[0-9a-f]{8}\/TST-1\/[a-z-]+\.[a-z]+$/);
      assert.equal(opened(old), `${opened(current)}?version=2`);
      assert.equal(opened({ ...current, kind: 'version' }), opened(old));
      // The editor itself would show Markdown as text.
      const isRendered = type === 'pull_request_report';
      assert.equal(parts(current).command?.command, isRendered ? 'beadsmith.showArtifact' : 'vscode.open');
      const [target] = (parts(old).command?.arguments ?? []) as readonly {
        readonly artifact?: string;
        readonly version?: number;
      }[];
      if (isRendered) assert.deepEqual([target?.artifact, target?.version], [type, 2]);
      assert.doesNotMatch(parts(current).label, /_/, 'it has a name for people');
    });

  it('names an archived document and its versions', () => {
    assert.equal(parts({ ...artifact, versions: 1, version: 1 }).description, '');
    assert.equal(parts(artifact).description, 'version 2');
    assert.equal(parts({ ...artifact, archived: true }).description, 'version 2 · archived');
    assert.match(parts({ ...artifact, kind: 'version', archived: true }).description ?? '', /^archived · /);
    assert.equal(parts({ ...artifact, artifact: 'prd_votes' }).label, 'PRD: votes');
    assert.equal(
      parts({ ...artifact, artifact: 'constructor' }).label,
      'Constructor',
      'a name that every object has',
    );
  });

  it('has the icon of a pause, not of an error, where a limit pauses the ticket', () => {
    const error = { code: 'BUDGET_EXHAUSTED', args: {}, continuable: true, diagnostics: {} } as const;
    const look = (isPause: boolean): unknown => {
      const { icon, color } = parts({ kind: 'error', error, isPause });
      return [icon, color];
    };
    assert.deepEqual(look(true), ['debug-pause', 'problemsWarningIcon.foreground']);
    assert.deepEqual(look(false), ['error', 'problemsErrorIcon.foreground']);
  });

  it('says of a file how much of it changed and where it is, and opens its diff of that bead', () => {
    const file = {
      kind: 'file',
      bead: 'greet',
      proof: [ran, { ...ran, exitCode: 1 }],
      path: 'src/export/csv.ts',
      oldPath: null,
      change: 'modified',
      binary: false,
      added: 12,
      deleted: 3,
    } as const;
    const { label, description, icon, command } = parts(file);
    assert.deepEqual([label, description, icon], ['csv.ts', '+12 −3 · src/export', 'diff-modified']);
    assert.equal(spoken(file), 'csv.ts, modified, 12 lines added, 3 deleted, src/export');
    assert.match(tooltip(parts(file)), /\nnpm test: passed\nnpm test: failed$/);
    assert.equal(command?.command, 'beadsmith.showFileDiff');
    const target = { root: '/sample', ticket: 'TST-1', bead: 'greet', file: 'src/export/csv.ts' };
    assert.deepEqual(command.arguments, [target]);
    assert.deepEqual(parseTarget(target), target);
    const { added: _added, deleted: _deleted, ...bare } = file;
    assert.equal(parts({ ...bare, path: 'a.png', binary: true }).description, 'binary');
    assert.equal(
      parts({ ...file, path: 'b.ts', oldPath: 'a.ts', change: 'renamed', added: 0, deleted: 0 }).description,
      'moved from a.ts',
    );
    assert.doesNotMatch(parts({ ...file, path: '$(error)\u202e.ts' }).label, /\$\(|\u202e/);
    const more = parts({ kind: 'moreFiles', bead: 'greet', count: 5 });
    assert.deepEqual([more.label, more.command?.command], ['And 5 more.', 'beadsmith.showDiff']);
  });

  it('says what an agent asks, offers to answer, and opens the page of the ticket', () => {
    const content: RequestContent = {
      kind: 'permission',
      permission: 'bash',
      patterns: [],
      command: 'rm -r\nbuild',
    };
    const asked = parts({ kind: 'request', content, offers: ['replyToAgent'] });
    assert.deepEqual(
      [asked.label, asked.description, asked.context],
      ['bash: rm -r build', 'Agent permission request', 'request;replyToAgent;'],
    );
    assert.deepEqual(
      [asked.command?.command, asked.command?.arguments],
      ['beadsmith.openTicket', [{ root: '/sample', ticket: 'TST-1' }]],
    );
  });

  it('is read to people without sight, has a context for menus, and a tooltip', () => {
    const facts: readonly Fact[] = [
      { kind: 'error', error: { code: 'NO_COMMITS', args: {}, continuable: false, diagnostics: {} } },
      { kind: 'noFiles' },
      { kind: 'details', news: '' },
      { kind: 'reviewNote', text: 'Mind the names.' },
    ];
    for (const fact of facts) {
      assert.ok(spoken(fact).length > 2 && !/undefined|_/.test(spoken(fact)), fact.kind);
      assert.match(parts(fact).context, /^[a-z]/, fact.kind);
      assert.ok(tooltip(parts(fact)).length > 0, fact.kind);
    }
  });

  it('is folded where something lies below, and tells commands what it is about', () => {
    assert.equal(parts(bead(), [{ kind: 'noFiles' }]).folded, true);
    assert.equal(parts(bead()).folded, undefined);
    assert.deepEqual(factTarget(bead()), { bead: 'greet' });
  });
});
