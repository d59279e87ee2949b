import {
  type CompletionItem,
  CompletionItemKind,
  createConnection,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type Location,
  ProposedFeatures,
  type Range,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parseAddress } from '../protocol/documents.ts';
import { languageKind, problemTexts, type ProblemData } from '../protocol/language.ts';
import { completionsAt } from './completions.ts';
import type { Item } from '../domain/documents/document.ts';
import type { LineCache } from './jsonLines.ts';
import type { Located, Span } from './located.ts';
import { definitionOf, idAt, type Model, readModel, usesOf } from './model.ts';
import { type Problem, problemsOf } from './problems.ts';

/** Nobody reads a problem while they type; milliseconds. */
const pauseMs = 150;

interface Open {
  readonly version: number;
  readonly model: Model;
  readonly cache: LineCache;
}

const connection = createConnection(ProposedFeatures.all);
const documents = new TextDocuments(TextDocument);
const open = new Map<string, Open>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ['"', ' ', ':'] },
    definitionProvider: true,
    documentSymbolProvider: true,
    foldingRangeProvider: true,
    hoverProvider: true,
    referencesProvider: true,
  },
}));

documents.onDidChangeContent(({ document: { uri } }) => {
  clearTimeout(timers.get(uri));
  timers.set(
    uri,
    setTimeout(() => void publish(uri), pauseMs),
  );
});
documents.onDidClose(({ document: { uri } }) => {
  clearTimeout(timers.get(uri));
  timers.delete(uri);
  open.delete(uri);
  void connection.sendDiagnostics({ uri, diagnostics: [] });
});

connection.onCompletion((params): CompletionItem[] =>
  at(params, [], ({ model, document, offset }) =>
    completionsAt(model, offset).map(({ text, about, span }) => ({
      label: text,
      kind: about === '' ? CompletionItemKind.EnumMember : CompletionItemKind.Reference,
      detail: about,
      textEdit: { newText: text, range: rangeOf(document, span) },
    })),
  ),
);
connection.onHover((params): Hover | null =>
  at(params, null, ({ model, document, offset }) => {
    const named = idAt(model, offset);
    const found = named && definitionOf(model, named.id);
    // Plain text, because titles come from outside.
    return found
      ? { contents: { kind: 'plaintext', value: `${named.id}: ${found.item.title}` }, range: rangeOf(document, named.span) }
      : null;
  }),
);
connection.onDefinition((params): Location | null =>
  at(params, null, ({ model, document, offset }) => {
    const named = idAt(model, offset);
    const found = named && definitionOf(model, named.id);
    return found ? { uri: document.uri, range: rangeOf(document, found.span) } : null;
  }),
);
connection.onReferences((params): Location[] =>
  at(params, [], ({ model, document, offset }) => {
    const named = idAt(model, offset);
    if (!named) return [];
    const own = params.context.includeDeclaration ? definitionOf(model, named.id)?.span : undefined;
    return [...(own ? [own] : []), ...usesOf(model, named.id)].map((span) => ({ uri: document.uri, range: rangeOf(document, span) }));
  }),
);
connection.onDocumentSymbol(({ textDocument }): DocumentSymbol[] => {
  const found = modelOf(textDocument.uri);
  return found ? found.model.items.map((item) => symbolOf(found.document, found.model, item)) : [];
});
connection.onFoldingRanges(({ textDocument }): FoldingRange[] => {
  const found = modelOf(textDocument.uri);
  if (!found) return [];
  return found.model.located.foldable().flatMap((span) => {
    const { start, end } = rangeOf(found.document, span);
    return end.line > start.line ? [{ startLine: start.line, endLine: end.line }] : [];
  });
});

documents.listen(connection);
connection.listen();

interface Place {
  readonly model: Model;
  readonly document: TextDocument;
  readonly offset: number;
}

function at<T>({ textDocument, position }: TextDocumentPositionParams, nothing: T, answer: (place: Place) => T): T {
  const found = modelOf(textDocument.uri);
  return found ? answer({ ...found, offset: found.document.offsetAt(position) }) : nothing;
}

/** What is known of an open document now; undefined for one we know nothing of. */
function modelOf(uri: string): { readonly model: Model; readonly document: TextDocument } | undefined {
  const document = documents.get(uri);
  const address = URL.parse(uri);
  const kind = address ? languageKind(address.protocol.slice(0, -1), decodeURIComponent(address.pathname)) : undefined;
  if (!document || !kind) return undefined;
  const known = open.get(uri);
  if (known?.version === document.version) return { model: known.model, document };
  const cache = known?.cache ?? new Map<string, Located>();
  const model = readModel(kind, document.getText(), cache);
  open.set(uri, { version: document.version, model, cache });
  return { model, document };
}

async function publish(uri: string): Promise<void> {
  const found = modelOf(uri);
  const address = URL.parse(uri);
  if (!found || !address) return;
  const { protocol, host, pathname, search } = address;
  const parts = { scheme: protocol.slice(0, -1), authority: host, path: decodeURIComponent(pathname), query: search.slice(1) };
  const place = parseAddress(parts);
  // What is stored can't be changed, so no problems are reported for it.
  const problems = place?.version === undefined ? problemsOf(found.model.kind, found.model.located, place?.ticket) : [];
  await connection.sendDiagnostics({
    uri,
    version: found.document.version,
    diagnostics: problems.map((problem) => diagnosticOf(found.document, problem)),
  });
}

function diagnosticOf(document: TextDocument, { code, args, severity, span }: Problem): Diagnostic {
  return {
    range: rangeOf(document, span),
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'Beadsmith',
    code,
    message: problemTexts[code].replace(/\{(\w+)\}/g, (hole, name: string) => args[name] ?? hole),
    data: { code, args } satisfies ProblemData,
  };
}

const symbolKinds = {
  epic: SymbolKind.Module,
  story: SymbolKind.Method,
  bead: SymbolKind.Object,
  question: SymbolKind.Field,
  step: SymbolKind.Event,
  check: SymbolKind.Boolean,
} as const satisfies Record<Item['kind'], SymbolKind>;

function symbolOf(document: TextDocument, model: Model, item: Item): DocumentSymbol {
  const selectionRange = rangeOf(document, model.located.spanOf([...item.path, 'id']));
  const whole = model.located.wholeOf(item.path);
  return {
    name: item.id === '' ? item.title || '…' : item.id,
    detail: item.id === '' ? '' : item.title,
    kind: symbolKinds[item.kind],
    range: whole ? rangeOf(document, whole) : selectionRange,
    selectionRange,
    children: item.children.map((child) => symbolOf(document, model, child)),
  };
}

function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
