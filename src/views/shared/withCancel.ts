import { l10n, ProgressLocation, window } from 'vscode';

/**
 * `tell` says how many things are done, or what is being done. What is thrown after a cancel is the work's
 * way to end: undefined then.
 */
export async function withCancel<T>(
  title: string,
  work: (signal: AbortSignal, tell: (progress: number | string) => void) => Promise<T>,
): Promise<T | undefined> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const stop = new AbortController();
      const listening = token.onCancellationRequested(() => stop.abort());
      try {
        return await work(stop.signal, (at) =>
          progress.report({ message: typeof at === 'number' ? l10n.t('{0} done', at) : at }),
        );
      } catch (error) {
        if (stop.signal.aborted) return undefined;
        throw error;
      } finally {
        listening.dispose();
      }
    },
  );
}
