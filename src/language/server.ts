import {
  CodeLensRefreshRequest,
  CompletionItemKind,
  DiagnosticSeverity,
  SymbolKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeLens,
  type CompletionItem,
  type Connection,
  type Diagnostic,
  type DocumentSymbol,
  type FoldingRange,
  type Hover,
  type Location,
  type Range,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  LinksChanged,
  linksChangedNotification,
  linkSourcesRequest,
  type CodeLensData,
  type LinkedTicket,
} from '../protocol/documentLinks.ts';
import { parseAddress, type DocumentPlace } from '../protocol/documents.ts';
import { languageKind, problemTexts, type ProblemData } from '../protocol/language.ts';
import { completionsAt, definitionOf, idAt, readModel, usesOf, type Model } from './model.ts';
import type { Item } from '../domain/documents/base/document.ts';
import type { LineCache, Located, Span } from './located.ts';
import { codeLensesOf, codeLensText, linkedText, type LinkedPart } from './links.ts';
import { linkProblems, problemsOf, type Problem } from './problems.ts';
import { TicketSources } from './ticketSources.ts';

/** In milliseconds, while a person types. */
const pauseMs = 150;

interface Open {
  readonly version: number;
  readonly model: Model;
  readonly cache: LineCache;
}

/** Serves tickets' documents to an editor. */
export function serve(connection: Connection): void {
  const documents = new TextDocuments(TextDocument);
  const open = new Map<string, Open>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  let refreshesCodeLenses = false;
  const sources = new TicketSources(
    (ticket) => connection.sendRequest<unknown>(linkSourcesRequest, ticket),
    ({ repository, ticket }) => {
      for (const uri of documents.keys()) {
        const place = placeOf(uri);
        if (place?.repository === repository && place.ticket === ticket) publishSoon(uri);
      }
      if (refreshesCodeLenses) connection.sendRequest(CodeLensRefreshRequest.type).catch(() => undefined);
    },
  );

  connection.onInitialize(({ capabilities }) => {
    refreshesCodeLenses = capabilities.workspace?.codeLens?.refreshSupport === true;
    return {
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        codeLensProvider: { resolveProvider: false },
        completionProvider: { triggerCharacters: ['"', ' ', ':'] },
        definitionProvider: true,
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        hoverProvider: true,
        referencesProvider: true,
      },
    };
  });

  connection.onNotification(linksChangedNotification, (params: unknown) => {
    const changed = LinksChanged.safeParse(params);
    if (changed.success) sources.askAgain(changed.data);
  });

  documents.onDidChangeContent(({ document: { uri } }) => publishSoon(uri));
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    open.delete(uri);
    sources.keepOnly(documents.keys().flatMap((left) => linkedTicket(left) ?? []));
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  connection.onCodeLens(async ({ textDocument: { uri } }): Promise<CodeLens[]> => {
    const ticket = modelOf(uri) && linkedTicket(uri);
    const known = ticket && (await sources.whenAnswered(ticket));
    // It may have changed meanwhile.
    const found = modelOf(uri);
    if (!known || !found) return [];
    return codeLensesOf(found.model.kind, found.model.located, known).map(({ span, parts, opens }) => ({
      range: rangeOf(found.document, span),
      command: { title: codeLensText(parts), command: '' },
      data: {
        parts: [...parts],
        ...(opens ? { opens: { kind: opens.kind, items: [...opens.items] } } : {}),
      } satisfies CodeLensData,
    }));
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
      // Plain, because titles come from outside.
      return found
        ? {
            contents: { kind: 'plaintext', value: `${named.id}: ${found.item.title}` },
            range: rangeOf(document, named.span),
          }
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
      return [...(own ? [own] : []), ...usesOf(model, named.id)].map((span) => ({
        uri: document.uri,
        range: rangeOf(document, span),
      }));
    }),
  );
  connection.onDocumentSymbol(({ textDocument }): DocumentSymbol[] => {
    const found = modelOf(textDocument.uri);
    if (!found) return [];
    const criteria =
      linkedText(found.model.kind, found.model.located.value)?.parts.filter(
        ({ kind }) => kind === 'criterion',
      ) ?? [];
    return found.model.items.map((item) => symbolOf(found, item, criteria));
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

  function publishSoon(uri: string): void {
    clearTimeout(timers.get(uri));
    timers.set(
      uri,
      setTimeout(() => void publish(uri), pauseMs),
    );
  }

  function at<T>(
    { textDocument, position }: TextDocumentPositionParams,
    nothing: T,
    answer: (place: Place) => T,
  ): T {
    const found = modelOf(textDocument.uri);
    return found ? answer({ ...found, offset: found.document.offsetAt(position) }) : nothing;
  }

  /** Undefined for other documents. */
  function modelOf(uri: string): { readonly model: Model; readonly document: TextDocument } | undefined {
    const document = documents.get(uri);
    const address = URL.parse(uri);
    const kind = address
      ? languageKind(address.protocol.slice(0, -1), decodeURIComponent(address.pathname))
      : undefined;
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
    if (!found) return;
    const { model, document } = found;
    await connection.sendDiagnostics({
      uri,
      version: document.version,
      diagnostics: problemsIn(uri, model).map((problem) => diagnosticOf(document, problem)),
    });
  }

  /** Not for stored versions, which can't be changed. */
  function problemsIn(uri: string, { kind, located }: Model): readonly Problem[] {
    const place = placeOf(uri);
    if (place?.version !== undefined) return [];
    const ticket = linkedTicket(uri);
    const known = ticket && sources.now(ticket);
    return [
      ...problemsOf(kind, located, place?.ticket),
      ...(known ? linkProblems(kind, located, known) : []),
    ];
  }
}

/** Undefined for worktrees' copies and others. */
function placeOf(uri: string): DocumentPlace | undefined {
  const address = URL.parse(uri);
  if (!address) return undefined;
  const { protocol, host, pathname, search } = address;
  return parseAddress({
    scheme: protocol.slice(0, -1),
    authority: host,
    path: decodeURIComponent(pathname),
    query: search.slice(1),
  });
}

/** Not for stored versions: their links are unknown. */
function linkedTicket(uri: string): LinkedTicket | undefined {
  const place = placeOf(uri);
  return place && place.version === undefined
    ? { repository: place.repository, ticket: place.ticket }
    : undefined;
}

interface Place {
  readonly model: Model;
  readonly document: TextDocument;
  readonly offset: number;
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

/** The outline names criteria, which have no ids. */
function symbolOf(
  { document, model }: Omit<Place, 'offset'>,
  item: Item,
  criteria: readonly LinkedPart[],
): DocumentSymbol {
  const selectionRange = rangeOf(document, model.located.spanOf([...item.path, 'id']));
  const whole = model.located.wholeOf(item.path);
  const own = criteria.filter(
    ({ path }) =>
      item.kind === 'story' && path.slice(0, item.path.length).every((part, at) => part === item.path[at]),
  );
  return {
    name: item.id === '' ? item.title || '…' : item.id,
    detail: item.id === '' ? '' : item.title,
    kind: symbolKinds[item.kind],
    range: whole ? rangeOf(document, whole) : selectionRange,
    selectionRange,
    children: [
      ...item.children.map((child) => symbolOf({ document, model }, child, criteria)),
      ...own.map(({ id, path }): DocumentSymbol => {
        const range = rangeOf(document, model.located.spanOf(path));
        return {
          name: id,
          detail: document.getText(range),
          kind: SymbolKind.Property,
          range,
          selectionRange: range,
        };
      }),
    ],
  };
}

function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
