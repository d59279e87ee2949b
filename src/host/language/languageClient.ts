import { fileURLToPath } from 'node:url';
import { type Diagnostic, l10n, type LogOutputChannel } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { linkSourcesRequest, linksChangedNotification } from '../../protocol/documentLinks.ts';
import { documentScheme } from '../../protocol/schemes.ts';
import { copyGlobs, ProblemData, problemTexts } from '../../protocol/language.ts';
import { codeLensCommand } from '../../views/documents/codeLensCommand.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { LinkSide } from './linkSide.ts';

export interface LanguageSide {
  stop(): Promise<void>;
}

/** Starts the language server as a process that ends with the editor. */
export async function startLanguageSide(
  log: LogOutputChannel,
  repositories: Repositories,
): Promise<LanguageSide> {
  const module = fileURLToPath(new URL('language.cjs', import.meta.url));
  const server = { module, transport: TransportKind.ipc };
  const client = new LanguageClient('beadsmith', 'Beadsmith', server, {
    documentSelector: [
      { scheme: documentScheme },
      ...copyGlobs.map((pattern) => ({ scheme: 'file', pattern })),
    ],
    outputChannel: log,
    middleware: {
      handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(inTheirLanguage)),
      provideCodeLenses: async (document, token, next) => {
        const codeLenses = await next(document, token);
        for (const codeLens of codeLenses ?? []) {
          const command = codeLensCommand(document.uri, Reflect.get(codeLens, 'data'));
          if (command) codeLens.command = command;
        }
        return codeLenses;
      },
    },
  });
  const logError = (what: string, error: unknown): void =>
    log.error(what, error instanceof Error ? error : String(error));
  const links = new LinkSide({
    repositories,
    logError,
    changed: (what) => {
      client
        .sendNotification(linksChangedNotification, what)
        .catch((error: unknown) => logError('links', error));
    },
  });
  client.onRequest(linkSourcesRequest, (params: unknown) => links.answer(params));
  await client.start();
  return {
    stop: () => {
      links.dispose();
      return client.stop();
    },
  };
}

/** The server only knows English, so it sends codes with arguments. */
function inTheirLanguage(diagnostic: Diagnostic): Diagnostic {
  const data = ProblemData.safeParse(Reflect.get(diagnostic, 'data'));
  if (data.success) diagnostic.message = l10n.t(problemTexts[data.data.code], data.data.args);
  return diagnostic;
}
