import type { Check, CheckGroup } from '../../protocol/checks.ts';
import { checked, failedCheck } from '../../protocol/checks.ts';
import type { Workbench } from '../shared/workbench.ts';

type Subjects = Pick<Workbench, 'repositories' | 'support'>;

/**
 * `tell` gets the number of checked things, and what was found so far. Undefined when the signal was aborted:
 * what is under way then ends by itself.
 */
export async function runChecks(
  { repositories, support }: Subjects,
  titles: { readonly machine: string; readonly repository: (name: string) => string },
  signal: AbortSignal,
  tell: (count: number, groups: readonly CheckGroup[]) => void,
): Promise<readonly CheckGroup[] | undefined> {
  let count = 0;
  const groups: CheckGroup[] = [];
  const look = async (title: string, checks: AsyncIterable<Check>): Promise<boolean> => {
    const found: Check[] = [];
    groups.push({ title, checks: found });
    const isDone = await eachUntil(checks, signal, (check) => {
      found.push(check);
      tell(++count, groups);
    }).catch((error: unknown) => {
      found.push(failedCheck('settings', error));
      return true;
    });
    return isDone;
  };
  if (!(await look(titles.machine, support.checkMachine()))) return undefined;
  for (const entry of repositories.entries) {
    const title = titles.repository(entry.name);
    if (entry.kind === 'failed') groups.push({ title, checks: [failedCheck('repository', entry.error)] });
    else if (!(await look(title, entry.repository.check()))) return undefined;
  }
  const { state } = repositories;
  if (state === 'noFolder' || state === 'noRepository')
    groups.push({
      title: titles.repository(''),
      checks: [checked('repository', 'skip', state === 'noFolder' ? 'NO_FOLDER' : 'NO_REPOSITORY')],
    });
  return groups;
}

/** Hands on what comes, until the signal is aborted: then false, without waiting for what comes next. */
async function eachUntil<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  take: (item: T) => void,
): Promise<boolean> {
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => stopped.resolve(undefined);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      // Nobody waits for it any more once the signal is aborted.
      next.catch(() => undefined);
      const result = await Promise.race([stopped.promise, next]);
      if (result === undefined) return false;
      if (result.done === true) return true;
      take(result.value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
