import * as z from 'zod';
import type { Section } from '../../../context/sections.ts';
import { newContextEntry } from '../../../domain/prompts/contextEntries.ts';
import { councilKinds } from '../../../domain/documents/workDocuments.ts';
import type { Decision } from '../../../domain/loss/decisions.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { Settings } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import { rowOf } from '../../../domain/workflow/workflow.ts';
import { asEdited, contextChange, storedContext, saveDecisions } from './contextEntries.ts';
import type { Run } from '../../../engine/run/run.ts';

interface TicketParts {
  readonly settings: Settings;
  readonly worktree: string;
  readonly branch: string;
  readonly baseBranch: string;
}

/** Throws WORKTREE_LOST or UNEXPECTED for a ticket that was never started. */
export function ticketParts(ticket: TicketSnapshot): TicketParts {
  const { settings, worktree, branch, baseBranch } = ticket;
  if (worktree === null) throw new BeadsmithError('WORKTREE_LOST', { path: '(none)' });
  if (settings === null || branch === null || baseBranch === null) {
    throw new BeadsmithError('UNEXPECTED', { reason: `${ticket.id} has no settings, branch or base branch` });
  }
  return { settings, worktree, branch, baseBranch };
}

/**
 * Keeps what is meant for longer as entries, which `ask` and beads add, and as a decision what is said while
 * a document is planned.
 */
export async function takeUserContext(run: Run, ticket: TicketSnapshot): Promise<readonly Section[]> {
  const entries = await run.take('user-context', ['context']);
  // There is no bead that could be done, so that what is for one applies to all.
  const standing = entries.flatMap(({ id, body: { text, scope }, postedAt }) =>
    scope === 'once' ? [] : [newContextEntry({ id, text, author: 'user', mode: 'pinned', at: postedAt })],
  );
  if (standing.length > 0) {
    await run.record('keep-user-context', z.null(), async (io) => {
      io.save(contextChange(ticket, [...(await storedContext(io)), ...standing]));
      return null;
    });
  }
  const domain = councilKinds.find((kind) => kind === rowOf(ticket.status).document);
  if (domain && entries.length > 0) {
    await run.record('keep-decisions', z.null(), async (io) => {
      const notes = entries.map(({ id, body: { text }, postedAt }): Decision => {
        const at = new Date(postedAt).toISOString();
        return { source: 'note', at, text, wrote: [], entry: id };
      });
      await saveDecisions(io, ticket, domain, notes);
      return null;
    });
  }
  const once = entries
    .filter(({ body }) => body.scope === 'once')
    .map(({ id, body: { text }, postedAt }) =>
      newContextEntry({ id, text, author: 'user', mode: 'once', at: postedAt }),
    );
  if (once.length === 0) return [];
  const texts = await run.record('context-as-edited', z.array(z.string()), async (io) =>
    (await asEdited(io, once)).map(({ text }) => text),
  );
  return [{ name: 'user_context', content: texts.join('\n\n') }];
}
