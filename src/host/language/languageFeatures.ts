import { type LogOutputChannel, type TextDocument, workspace } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { languageKind } from '../../protocol/language.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import type { LanguageSide } from './languageClient.ts';

interface LanguageFeatures {
  end(): Promise<void>;
}

/** Language features of tickets' documents, started with the first open one in a trusted workspace. */
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
    // The client is large, and rarely needed.
    const { startLanguageSide } = await import('./languageClient.ts');
    return await startLanguageSide(log, repositories);
  } catch (error) {
    log.error('language server', error instanceof Error ? error : String(error));
    return undefined;
  }
}
