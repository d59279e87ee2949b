import * as z from 'zod';
import { holeTexts } from '../domain/links/holes.ts';

const Texts = z.array(z.string()).readonly();
const Evidence = z.object({ commit: z.string(), tests: Texts });

/** A ticket's links on the wire. */
export const TicketLinks = z.object({
  questions: z
    .array(z.object({ id: z.string(), text: z.string(), stories: Texts, note: z.string() }))
    .readonly(),
  criteria: z
    .array(z.object({ id: z.string(), text: z.string(), story: z.string(), questions: Texts, beads: Texts }))
    .readonly(),
  beads: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        criteria: Texts,
        commands: Texts,
        reason: z.string(),
        evidence: Evidence.optional(),
      }),
    )
    .readonly(),
  holes: z
    .array(
      z.object({
        kind: z.custom<keyof typeof holeTexts>(
          (kind) => typeof kind === 'string' && Object.hasOwn(holeTexts, kind),
        ),
        id: z.string(),
        name: z.string().optional(),
      }),
    )
    .readonly(),
});
