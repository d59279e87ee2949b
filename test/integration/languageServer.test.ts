import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  type CodeLens,
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type Location,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { documentAddress } from '../../src/protocol/documents.ts';
import { beadLine, prdText } from '../unit/language/samples.ts';
import { until } from '../support/until.ts';

const main = join(import.meta.dirname, '../../src/language/main.ts');

/** Spoken to as the editor does. */
describe('the language server', function () {
  this.timeout(30_000);
  let server: ChildProcess;
  let editor: ProtocolConnection;
  const published: PublishDiagnosticsParams[] = [];

  before(async () => {
    const started = spawn(process.execPath, [main, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    server = started;
    editor = createProtocolConnection(
      new StreamMessageReader(started.stdout),
      new StreamMessageWriter(started.stdin),
    );
    editor.onNotification(
      'textDocument/publishDiagnostics',
      (params: PublishDiagnosticsParams) => void published.push(params),
    );
    editor.listen();
    await editor.sendRequest('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    await editor.sendNotification('initialized', {});
  });
  beforeEach(() => (published.length = 0));

  after(async () => {
    await editor.sendRequest('shutdown');
    const ended = once(server, 'exit');
    await editor.sendNotification('exit');
    assert.deepEqual(await ended, [0, null], 'it ends when it is told to');
    editor.dispose();
  });

  function uriOf(type: string, version?: number): string {
    const address = documentAddress('/sample', 'TST-1', type, version);
    assert.ok(address);
    return `${address.scheme}://${address.authority}${address.path}${address.query === '' ? '' : `?${address.query}`}`;
  }

  async function open(uri: string, text: string, version = 1): Promise<readonly Diagnostic[]> {
    await editor.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version, text },
    });
    return diagnosed(uri, version);
  }

  async function change(uri: string, version: number, text: string): Promise<readonly Diagnostic[]> {
    await editor.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    });
    return diagnosed(uri, version);
  }

  async function diagnosed(uri: string, version: number): Promise<readonly Diagnostic[]> {
    const found = await until(
      () => published.find((one) => one.uri === uri && one.version === version),
      `version ${String(version)} is checked`,
    );
    return found.diagnostics;
  }

  /** As the editor counts. */
  function at(text: string, piece: string, from = 0): { readonly line: number; readonly character: number } {
    const before = text.slice(0, text.indexOf(piece, from)).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  }

  async function close(uri: string): Promise<void> {
    await editor.sendNotification('textDocument/didClose', { textDocument: { uri } });
    await until(
      () => published.some((one) => one.uri === uri && one.version === undefined),
      'its problems are gone',
    );
  }

  it('marks what is wrong with a PRD, in place, and nothing once it is right', async () => {
    const uri = uriOf('prd');
    const wrong = prdText().replace('status: draft', 'status: done');
    const [problem, ...others] = await open(uri, wrong);
    assert.deepEqual(others, []);
    assert.deepEqual(problem?.range, {
      start: at(wrong, 'done'),
      end: at(wrong, '\n', wrong.indexOf('done')),
    });
    assert.deepEqual([problem.severity, problem.source, problem.code], [1, 'Beadsmith', 'schema']);
    assert.deepEqual(await change(uri, 2, prdText()), []);
    await close(uri);
  });

  for (const [name, marked] of [
    ['Windows line ends', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    [
      'letters of two units before the place',
      (text: string) => text.replace('Nobody is greeted.', '🙂🙂 is greeted.'),
    ],
  ] as const)
    it(`finds the same places in a text with ${name}`, async () => {
      const uri = uriOf('prd');
      const text = marked(prdText().replace('US-1-2', 'US-1-1'));
      const [problem, ...others] = await open(uri, text);
      assert.deepEqual([problem?.code, others.length], ['duplicateId', 0]);
      const start = at(text, 'US-1-1', text.lastIndexOf('- id: US-1-1'));
      assert.deepEqual(problem?.range, {
        start,
        end: { line: start.line, character: start.character + 'US-1-1'.length },
      });
      await close(uri);
    });

  it('marks a broken line of a plan, and checks the others; also with Windows line ends', async () => {
    const uri = uriOf('beads');
    const text = `${beadLine('one')}\r\n{"id": "two",}\r\n${beadLine('three', ['gone'])}\r\n`;
    const problems = await open(uri, text);
    assert.deepEqual(
      problems.map(({ code, range }) => [code, range.start.line]),
      [
        ['syntax', 1],
        ['unknownBead', 2],
      ],
    );
    assert.deepEqual([problems[1]?.code, problems[1]?.severity], ['unknownBead', 1]);
    await close(uri);
  });

  it('says what an id stands for, leads to it, and lists where it is named', async () => {
    const uri = uriOf('beads');
    const text = `${beadLine('one', [], ['two'])}\n${beadLine('two', ['one'])}\n`;
    assert.deepEqual(await open(uri, text), []);
    const params = { textDocument: { uri }, position: at(text, 'one', text.lastIndexOf('"one"')) };
    const hover = await editor.sendRequest<Hover>('textDocument/hover', params);
    assert.deepEqual(hover.contents, { kind: 'plaintext', value: 'one: Bead one' });
    const definition = await editor.sendRequest<Location>('textDocument/definition', params);
    assert.deepEqual([definition.uri, definition.range.start], [uri, at(text, '"one"')]);
    const references = await editor.sendRequest<Location[]>('textDocument/references', {
      ...params,
      context: { includeDeclaration: true },
    });
    assert.deepEqual(
      references.map(({ range }) => range.start.line),
      [0, 1],
    );
    const nowhere = { textDocument: { uri }, position: at(text, 'Bead one') };
    assert.equal(await editor.sendRequest('textDocument/hover', nowhere), null);
    await close(uri);
  });

  it('completes ids and values where they belong, and replaces what is typed', async () => {
    const uri = uriOf('beads');
    const plan = [beadLine('one'), beadLine('two').replace('"blocked_by":[]', '"blocked_by":["o"]')].join(
      '\n',
    );
    await open(uri, plan);
    const position = at(plan, '"]', plan.indexOf('["o'));
    const items = await editor.sendRequest<CompletionItem[]>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    assert.deepEqual(
      items.map(({ label, detail, textEdit }) => [
        label,
        detail,
        textEdit && 'range' in textEdit && textEdit.range.start,
      ]),
      [['one', 'Bead one', { ...position, character: position.character - 1 }]],
    );
    await close(uri);
  });

  it('shows where a story comes from, and what is missing, where the editor says what else the ticket has', async () => {
    const uri = uriOf('prd');
    assert.deepEqual(await open(uri, prdText()), []);
    assert.deepEqual(await editor.sendRequest('textDocument/codeLens', { textDocument: { uri } }), []);
    await close(uri);
    published.length = 0;
    const answers = editor.onRequest('beadsmith/linkSources', () => ({
      questions: [{ id: 'Q01', prompt: 'Who?' }],
      audited: [],
    }));
    await editor.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: prdText() },
    });
    const shown = await editor.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    assert.deepEqual(
      shown.map(({ command }) => command?.title),
      ['no source', 'no source'],
    );
    await until(() => published.at(-1)?.diagnostics.length === 2, 'the links are checked');
    assert.deepEqual(
      published.at(-1)?.diagnostics.map(({ code, severity }) => [code, severity]),
      [
        ['noSource', 2],
        ['noSource', 2],
      ],
    );
    answers.dispose();
    await close(uri);
  });

  it('finds nothing wrong with what is stored: nobody can change it', async () => {
    const uri = uriOf('prd', 3);
    assert.deepEqual(await open(uri, 'hello: ['), []);
    await close(uri);
  });

  it('checks a copy in a worktree, says nothing of files that aren’t ours, and continues after both', async () => {
    const copy = 'file:///home/ada/sample.worktrees/TST-1/.ticket/prd.yaml';
    assert.equal((await open(copy, 'hello'))[0]?.code, 'schema');
    const foreign = {
      textDocument: { uri: 'file:///etc/hosts.yaml', languageId: 'yaml', version: 1, text: 'hello: [' },
    };
    await editor.sendNotification('textDocument/didOpen', foreign);
    assert.equal(
      await editor.sendRequest('textDocument/hover', { ...foreign, position: { line: 0, character: 0 } }),
      null,
    );
    assert.deepEqual(await editor.sendRequest('textDocument/documentSymbol', foreign), []);
    await close(copy);
    assert.ok(!published.some(({ uri }) => uri === foreign.textDocument.uri));
  });
});
