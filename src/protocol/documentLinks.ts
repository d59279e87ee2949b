import * as z from 'zod';
import { CoverageRow } from '../domain/requirements/interview.ts';
import { TicketId } from '../domain/core/ids.ts';
import { holeTexts } from '../domain/links/holes.ts';
import type { LinkSources } from '../domain/links/links.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';

/**
 * Asks the editor for a ticket's link sources (`LinkedTicket` → `LinkAnswer`), because the server has no
 * database.
 */
export const linkSourcesRequest = 'beadsmith/linkSources';

/** A ticket may have changed (`LinksChanged`). */
export const linksChangedNotification = 'beadsmith/linksChanged';

/** A ticket by address. `repository`: its `repositoryKey`. */
export const LinkedTicket = z.object({ repository: z.string().min(1), ticket: TicketId });
export type LinkedTicket = z.infer<typeof LinkedTicket>;

/** A ticket, or all of a repository. */
export const LinksChanged = LinkedTicket.partial({ ticket: true });
export type LinksChanged = z.infer<typeof LinksChanged>;

const Texts = z.array(z.string());

/** The linked parts of existing documents. */
export const LinkAnswer = z
  .object({
    questions: z.array(z.object({ id: z.string(), prompt: z.string() })),
    prd: z
      .object({
        epics: z.array(
          z.object({
            id: z.string(),
            user_stories: z.array(
              z.object({ id: z.string(), interview_refs: Texts, acceptance_criteria: Texts }),
            ),
          }),
        ),
      })
      .optional(),
    beads: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          prdRefs: Texts,
          testCommands: Texts,
          unprovedReason: z.string().optional(),
          issueType: z.string(),
        }),
      )
      .optional(),
    audited: z.array(CoverageRow),
  })
  .nullable();

/** An answer for the wire; null without sources. */
export function linkAnswer(sources: LinkSources | undefined): z.infer<typeof LinkAnswer> {
  return LinkAnswer.safeParse(sources ?? null).data ?? null;
}

/** An answer from the wire, if valid. */
export function answeredSources(answer: unknown): LinkSources | undefined {
  const read = LinkAnswer.safeParse(answer).data;
  if (!read) return undefined;
  const { prd, beads, ...rest } = read;
  return { ...rest, ...(prd ? { prd } : {}), ...(beads ? { beads } : {}) };
}

/** Holes as problems; a bead without commands has another one. */
export const linkProblemTexts = {
  openAnswer: holeTexts.question,
  noSource: holeTexts.story,
  openCriterion: holeTexts.criterion,
  noCriterion: holeTexts.bead,
  unknownSource: holeTexts.unknownQuestion,
  unknownCriterion: holeTexts.unknownName,
} as const satisfies Readonly<Record<string, string>>;

/** CodeLens texts with `{name}`, joined with ` · `. */
export const codeLensTexts = {
  name: '{name}',
  from: 'from {names}',
  noSource: 'no source',
  leadsTo: 'leads to {names}',
  noStory: 'no story',
  noStoryBecause: 'no story: {reason}',
  oneBead: '1 bead',
  manyBeads: '{count} beads',
  noBead: 'no bead',
  meets: 'meets {names}',
  noCriterion: 'no criterion',
  oneCommand: '1 command',
  manyCommands: '{count} commands',
  noCommand: 'no command',
  noCommandBecause: 'no command: {reason}',
} as const;

/** A part of a CodeLens. */
export interface CodeLensPart {
  readonly code: keyof typeof codeLensTexts;
  readonly args: Readonly<Record<string, string>>;
}

/** A CodeLens, to be translated by the editor. `opens.kind`: a document of its ticket. */
export const CodeLensData = z.object({
  parts: z.array(
    z.object({
      code: z.custom<keyof typeof codeLensTexts>(
        (value) => typeof value === 'string' && Object.hasOwn(codeLensTexts, value),
      ),
      args: z.record(z.string(), z.string()),
    }),
  ),
  opens: z
    .object({ kind: z.custom<DocumentKind>((value) => typeof value === 'string'), items: Texts })
    .optional(),
});
export type CodeLensData = z.infer<typeof CodeLensData>;
