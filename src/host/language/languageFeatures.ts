import { type LogOutputChannel, type TextDocument, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { languageKind } from '../../protocol/language.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import type { LanguageSide } from './languageClient.ts';

export interface LanguageFeatures {
  /** Ends the language server, and waits until it has ended. */
  end(): Promise<void>;
}

/**
 * Diagnostics, symbols and the like for documents of tickets. The client and its server are started when the
 * first such document is open, never before, and never in a workspace that isn't trusted: there nothing can
 * be edited.
 */
export function languageFeatures(log: LogOutputChannel, repositories: Repositories): LanguageFeatures {
  const lifetime = new DisposableStore();
  let side: Promise<LanguageSide | undefined> | undefined;
  const look = ({ uri }: TextDocument): void => {
    if (side || !workspace.isTrusted || languageKind(uri.scheme, uri.path) === undefined) return;
    side = start(log, repositories);
  };
  const lookAtAll = (): void => workspace.textDocuments.forEach(look);
  lifetime.add(workspace.onDidOpenTextDocument(look));
  lifetime.add(workspace.onDidGrantWorkspaceTrust(lookAtAll));
  lookAtAll();
  return {
    end: async () => {
      lifetime.dispose();
      await (await side)?.stop();
    },
  };
}

async function start(log: LogOutputChannel, repositories: Repositories): Promise<LanguageSide | undefined> {
  try {
    // A file of its own: the client is large, and most windows never open a document.
    const { startLanguageSide } = await import('./languageClient.ts');
    return await startLanguageSide(log, repositories);
  } catch (error) {
    log.error('language server', error instanceof Error ? error : String(error));
    return undefined;
  }
}
