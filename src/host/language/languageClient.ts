import { fileURLToPath } from 'node:url';
import { type Diagnostic, l10n, type LogOutputChannel } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { documentScheme } from '../../protocol/schemes.ts';
import { copyGlobs, ProblemData, problemTexts } from '../../protocol/language.ts';

export interface LanguageSide {
  stop(): Promise<void>;
}

/** Starts the language server in a process of its own and connects the editor to it. It ends with the editor, in whatever way that ends. */
export async function startLanguageSide(log: LogOutputChannel): Promise<LanguageSide> {
  const module = fileURLToPath(new URL('language.cjs', import.meta.url));
  const server = { module, transport: TransportKind.ipc };
  const client = new LanguageClient('beadsmith', 'Beadsmith', server, {
    documentSelector: [{ scheme: documentScheme }, ...copyGlobs.map((pattern) => ({ scheme: 'file', pattern }))],
    outputChannel: log,
    middleware: { handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(inTheirLanguage)) },
  });
  await client.start();
  return { stop: () => client.stop() };
}

/** The server knows no language but English; what it says goes along as a code with its arguments. */
function inTheirLanguage(diagnostic: Diagnostic): Diagnostic {
  const data = ProblemData.safeParse(Reflect.get(diagnostic, 'data'));
  if (data.success) diagnostic.message = l10n.t(problemTexts[data.data.code], data.data.args);
  return diagnostic;
}
