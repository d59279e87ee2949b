import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import {
  type ContextEntry,
  contextMode,
  contextText,
  delivered,
  isDue,
  type IterationOutcome,
  newContextEntry,
  requeued,
  settled,
} from '../../domain/prompts/contextEntries.ts';
import { inboxBodies } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, readNotes } from '../shared/ticket/artifacts.ts';
import { asEdited, contextChange, storedContext } from '../shared/ticket/contextEntries.ts';
import { tell } from '../../engine/run/tell.ts';

/** People's context on its way from the inbox to iterations (docs/decisions/141-context-inbox.md). */
interface ContextInbox {
  /** The texts for the bead's prompt. `dropped`: a file with context was taken since the last turn. */
  deliver(bead: Bead, turn: number, dropped: boolean): Promise<readonly string[]>;
  settle(bead: Bead, turn: number, outcome: IterationOutcome): Promise<void>;
}

const Texts = z.array(z.string());
/** `open`: entries are left that an iteration may get. */
const Delivery = z.object({ texts: Texts, open: z.boolean() });

/** Queues again what was delivered to an iteration that never ended. */
export async function openContextInbox(run: Run, ticket: TicketSnapshot): Promise<ContextInbox> {
  let open = await run.record('context-left', z.boolean(), async (io) => {
    const stored = await storedContext(io);
    const once = readNotes((await io.ports.store.artifact(ticket.id, 'user_context_once'))?.content);
    const now = io.ports.clock.now();
    // Earlier versions kept only the texts.
    const earlier = once.map((text, place) =>
      newContextEntry({ id: `earlier-${String(place + 1)}`, text, author: 'user', mode: 'once', at: now }),
    );
    if (once.length > 0) io.save(artifactChange(ticket, 'user_context_once', []));
    const entries = [...stored.map(requeued), ...earlier];
    if (entries.some((entry, place) => entry !== stored[place])) io.save(contextChange(ticket, entries));
    return entries.some(isOpen);
  });
  return {
    deliver: async (bead, turn, dropped) => {
      const taken = await run.take(`context:${String(turn)}`, ['context']);
      if (taken.length === 0 && !dropped && !open) return [];
      const added = taken.map(({ id, body, postedAt }) => {
        const { text, scope } = inboxBodies.context.parse(body);
        return newContextEntry({ id, text, author: 'user', mode: contextMode(scope), at: postedAt });
      });
      const delivery = await run.record(`context:${String(turn)}:deliver`, Delivery, async (io) => {
        const entries = [...(await storedContext(io)), ...(await asEdited(io, added))];
        const due = entries.filter((entry) => isDue(entry, bead));
        const after = entries.map((entry) => (due.includes(entry) ? delivered(entry, bead) : entry));
        io.save(contextChange(ticket, after));
        return { texts: due.map(contextText), open: after.some(isOpen) };
      });
      ({ open } = delivery);
      return delivery.texts;
    },
    settle: async (bead, turn, outcome) => {
      if (!open) return;
      open = await run.record(`context:${String(turn)}:settle`, z.boolean(), async (io) => {
        const entries = await storedContext(io);
        const after = entries.map((entry) => (hasIt(entry, bead) ? settled(entry, outcome) : entry));
        io.save(contextChange(ticket, after));
        return after.some(isOpen);
      });
    },
  };
}

function isOpen({ state }: ContextEntry): boolean {
  return state !== 'consumed' && state !== 'withdrawn';
}

function hasIt({ deliveredIn }: ContextEntry, { id, iteration }: Bead): boolean {
  return deliveredIn.some((place) => place.bead === id && place.iteration === iteration);
}

export async function wantsRestart(io: StepIo): Promise<boolean> {
  const pending = await io.ports.store.inbox(io.ticket, { pending: true });
  return pending.some(
    ({ kind, body }) => kind === 'context' && inboxBodies.context.safeParse(body).data?.interrupt === true,
  );
}

/** Takes the file `context.txt`, once also over a crash: it is renamed by the step's key. */
export async function takeDroppedContext(io: StepIo, ticket: TicketSnapshot): Promise<boolean> {
  const taken = await io.ports.workplace.takeContext(ticket.id, io.key);
  if (taken === undefined) return false;
  if ('refused' in taken) {
    tell(io, `${taken.path} is not used as context: ${taken.refused}`);
    return false;
  }
  const { id, text } = taken;
  const entry = newContextEntry({ id, text, author: 'context.txt', mode: 'once', at: io.ports.clock.now() });
  io.save(contextChange(ticket, [...(await storedContext(io)), entry]));
  return true;
}
