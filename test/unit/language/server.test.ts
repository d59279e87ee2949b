import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { stringify } from 'yaml';
import {
  type CodeLens,
  type Connection,
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  type DocumentSymbol,
  ProposedFeatures,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serve } from '../../../src/language/server.ts';
import {
  CodeLensData,
  linksChangedNotification,
  linkSourcesRequest,
} from '../../../src/protocol/documentLinks.ts';
import { documentAddress } from '../../../src/protocol/documents.ts';
import { until } from '../../support/until.ts';

const story = (id: string, interview_refs: string[]) => ({
  id,
  interview_refs,
  acceptance_criteria: ['It greets.'],
});
const questions = [{ id: 'Q01', prompt: 'Who is greeted?' }];
const epics = [{ id: 'EPIC-1', user_stories: [story('US-1-1', ['Q01'])] }];
const bead = {
  id: 'greet',
  title: 'Greet',
  prdRefs: ['US-1-1'],
  testCommands: ['node --test'],
  issueType: 'task',
};
const nothing = { questions: [], audited: [] };

/** In this process, with an editor that answers as told. */
describe('the links that the language server shows', () => {
  let editor: ProtocolConnection;
  let server: Connection;
  /** Undefined: it fails. */
  let answer: unknown;
  let asked: unknown[];
  let refreshed: number;
  const published: PublishDiagnosticsParams[] = [];

  async function start(answersLinks: boolean): Promise<void> {
    const [up, down] = [new PassThrough(), new PassThrough()];
    server = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(up),
      new StreamMessageWriter(down),
    );
    serve(server);
    editor = createProtocolConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    editor.onNotification(
      'textDocument/publishDiagnostics',
      (params: PublishDiagnosticsParams) => void published.push(params),
    );
    editor.onRequest('workspace/codeLens/refresh', () => {
      refreshed++;
      return null;
    });
    if (answersLinks)
      editor.onRequest(linkSourcesRequest, (params: unknown) => {
        asked.push(params);
        if (answer === undefined) throw new TypeError('The store is closed.');
        return answer;
      });
    editor.listen();
    const capabilities = { workspace: { codeLens: { refreshSupport: true } } };
    await editor.sendRequest('initialize', { processId: null, rootUri: null, capabilities });
    await editor.sendNotification('initialized', {});
  }

  beforeEach(() => {
    published.length = 0;
    asked = [];
    refreshed = 0;
    answer = { ...nothing, questions, prd: { epics }, beads: [bead] };
  });
  afterEach(() => {
    editor.dispose();
    server.dispose();
  });

  function uriOf(type: string, version?: number): string {
    const address = documentAddress('/sample', 'TST-1', type, version);
    assert.ok(address);
    return `${address.scheme}://${address.authority}${address.path}${address.query === '' ? '' : `?${address.query}`}`;
  }

  async function open(uri: string, text: string): Promise<void> {
    await editor.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  }

  function codeLensesOf(uri: string): Promise<CodeLens[]> {
    return editor.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  }

  function last(uri: string): readonly Diagnostic[] | undefined {
    return published.findLast((one) => one.uri === uri)?.diagnostics;
  }

  function linkCodes(uri: string): readonly unknown[] {
    const codes = [
      'openAnswer',
      'noSource',
      'openCriterion',
      'noCriterion',
      'unknownSource',
      'unknownCriterion',
    ];
    return (last(uri) ?? []).map(({ code }) => code).filter((code) => codes.includes(String(code)));
  }

  const prd = (refs: string[]) =>
    stringify({ artifact: 'prd', epics: [{ id: 'EPIC-1', user_stories: [story('US-1-1', refs)] }] });

  it('stand over the parts of a document, with where they lead, in English and as codes', async () => {
    await start(true);
    const uri = uriOf('prd');
    await open(uri, prd(['Q01']));
    const codeLenses = await codeLensesOf(uri);
    assert.deepEqual(
      codeLenses.map(({ command }) => command),
      ['from Q01', '1 bead · 1 command', 'US-1-1.AC1 · 1 bead'].map((title) => ({ title, command: '' })),
    );
    assert.deepEqual(CodeLensData.parse(codeLenses[0]?.data), {
      parts: [{ code: 'from', args: { names: 'Q01' } }],
      opens: { kind: 'interview', items: ['Q01'] },
    });
    assert.deepEqual(
      [...new Set(asked.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one) as unknown),
      [{ repository: new URL(uri).host, ticket: 'TST-1' }],
    );
    assert.equal(asked.length, 1, 'it is asked once');
  });

  it('are problems where a name does not exist or nothing leads on, in the sentences of the matrix', async () => {
    await start(true);
    answer = { ...nothing, questions, prd: { epics } };
    const uri = uriOf('prd');
    await open(uri, prd(['Q09']));
    await until(() => linkCodes(uri).length > 0, 'the links are checked');
    assert.deepEqual(linkCodes(uri), ['noSource', 'unknownSource']);
    const unknown = last(uri)?.find(({ code }) => code === 'unknownSource');
    assert.equal(
      unknown?.message,
      'The story US-1-1 names Q09 in interview_refs, which is no question of the interview.',
    );
    assert.deepEqual([unknown.severity, unknown.source], [1, 'Beadsmith']);
  });

  it('follow the ticket: what changed is asked for again, and shown', async () => {
    await start(true);
    answer = { ...nothing, prd: { epics } };
    const uri = uriOf('prd');
    await open(uri, prd(['Q01']));
    assert.deepEqual(await codeLensesOf(uri), []);
    answer = { ...nothing, prd: { epics }, beads: [] as unknown[] };
    const before = refreshed;
    await editor.sendNotification(linksChangedNotification, {
      repository: new URL(uri).host,
      ticket: 'TST-1',
    });
    await until(
      () => refreshed > before && linkCodes(uri).includes('openCriterion'),
      'the new answer is shown',
    );
    assert.equal((await codeLensesOf(uri))[0]?.command?.title, 'no bead');
    const after = refreshed;
    await editor.sendNotification(linksChangedNotification, { repository: new URL(uri).host });
    await until(() => asked.length === 3, 'it is asked again');
    await editor.sendNotification(linksChangedNotification, { repository: 'another', ticket: 'TST-1' });
    await editor.sendNotification(linksChangedNotification, 'nonsense');
    await codeLensesOf(uri);
    assert.deepEqual(
      [asked.length, refreshed],
      [3, after],
      'nobody else is asked, and what is the same is not shown again',
    );
  });

  it('are none where the editor does not answer, fails, or answers nonsense; the other problems are reported as ever', async () => {
    for (const [answers, odd] of [
      [false],
      [true, undefined],
      [true, null],
      [true, 7],
      [true, { questions: 'none' }],
    ] as const) {
      await start(answers);
      answer = odd;
      const uri = uriOf('prd');
      await open(uri, prd(['Q09']));
      assert.deepEqual(await codeLensesOf(uri), []);
      await until(() => last(uri) !== undefined, 'its problems are reported');
      assert.ok(last(uri)?.some(({ code }) => code === 'missing'));
      assert.deepEqual(linkCodes(uri), []);
      published.length = 0;
      editor.dispose();
      server.dispose();
    }
    await start(true);
  });

  it('are none in a stored version, in a copy in a worktree, and in documents without links', async () => {
    await start(true);
    const copy = 'file:///sample.worktrees/TST-1/.ticket/prd.yaml';
    for (const uri of [uriOf('prd', 3), copy, uriOf('relevant_files')]) {
      await open(uri, prd(['Q09']));
      assert.deepEqual(await codeLensesOf(uri), []);
    }
    await until(() => last(copy) !== undefined, 'the copy is checked');
    assert.deepEqual([linkCodes(copy), linkCodes(uriOf('prd', 3))], [[], []]);
  });

  it('have criteria in the outline by the name that beads call them', async () => {
    await start(true);
    const uri = uriOf('prd');
    await open(uri, prd(['Q01']));
    const [epic] = await editor.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', {
      textDocument: { uri },
    });
    const [first] = epic?.children?.[0]?.children ?? [];
    assert.deepEqual(
      [first?.name, first?.detail, first?.selectionRange.start.line],
      ['US-1-1.AC1', 'It greets.', 8],
    );
  });
});
