import * as z from 'zod';
import { filled, type Words } from '../core/errors.ts';
import {
  bylineOf,
  ForgeThread,
  type ForgeThreads,
  isOpenThread,
  shownHash,
  strangersOf,
} from './forgeThread.ts';

/**
 * A thread of a pull request for lists. `place`: empty for the whole. `isStranger`: someone without write
 * access wrote in it. `sha256`: of all that is shown here, which a fix of a stranger's comment carries.
 */
export const ThreadRow = ForgeThread.pick({ id: true, outdated: true }).extend({
  place: z.string(),
  state: z.enum(['open', 'resolved', 'said']),
  canResolve: z.boolean(),
  isStranger: z.boolean(),
  sha256: z.string(),
  comments: z.array(z.object({ author: z.string(), at: z.string(), text: z.string(), isCut: z.boolean() })),
});
export type ThreadRow = z.infer<typeof ThreadRow>;

/** Rows of a pull request's threads: the open ones first, then what is said about the whole. */
export function threadRows(
  { threads }: Pick<ForgeThreads, 'threads'>,
  words: Words = filled,
): readonly ThreadRow[] {
  const order = ['open', 'said', 'resolved'];
  return threads
    .map((thread) => threadRow(thread, words))
    .toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

function threadRow(thread: ForgeThread, words: Words): ThreadRow {
  const { id, place, outdated, node, comments } = thread;
  return {
    id,
    outdated,
    place: place ? [place.path, ...(place.lines ? [String(place.lines.line)] : [])].join(':') : '',
    state: isOpenThread(thread) ? 'open' : id.startsWith('r') ? 'resolved' : 'said',
    canResolve: node !== null && isOpenThread(thread),
    isStranger: strangersOf(thread).length > 0,
    sha256: shownHash(thread),
    comments: comments.map((one) => ({
      author: bylineOf(one, words),
      at: one.at,
      text: one.text,
      isCut: one.isCut,
    })),
  };
}

/** A row's state and place in words, for lists. */
export function rowText({ id, place, state, outdated }: ThreadRow): string {
  const parts = [state === 'said' ? 'comment' : state, ...(outdated ? ['outdated'] : [])];
  return `${id}  ${place === '' ? 'pull request' : place}  ${parts.join(', ')}`;
}
