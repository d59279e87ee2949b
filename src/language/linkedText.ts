import { isRecord } from '../base/json.ts';
import { beadsDocument } from '../domain/documents/beads.ts';
import { type Listed, listOf, textIn } from '../domain/documents/base/check.ts';
import type { Path } from '../domain/documents/base/document.ts';
import { interviewDocument } from '../domain/requirements/interview.ts';
import { prdDocument } from '../domain/requirements/prd.ts';
import type { LinkSources } from '../domain/links/links.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';

/** A part of a document where links begin or end. `path`: what of it is marked. */
export interface LinkedPart {
  readonly kind: 'question' | 'story' | 'criterion' | 'bead';
  readonly id: string;
  readonly path: Path;
  /** The place that names its sources: the list, or its id if it has none. */
  readonly source: Path;
  /** Its sources, name by name. */
  readonly names: readonly { readonly name: string; readonly path: Path }[];
}

/** The parts of a text that links are computed from. `own` replaces what is stored of the document. */
export interface LinkedText {
  readonly parts: readonly LinkedPart[];
  readonly own: Partial<LinkSources>;
}

/** Reads what links are made of, as far as it can be read; undefined for documents that have none. */
export function linkedText(kind: DocumentKind, value: unknown): LinkedText | undefined {
  switch (kind) {
    case interviewDocument.kind:
      return interviewText(value);
    case prdDocument.kind:
      return prdText(value);
    case beadsDocument.kind:
      return planText(value);
    default:
      return undefined;
  }
}

function interviewText(value: unknown): LinkedText {
  const questions = listOf(value, ['questions']).filter(hasId);
  return {
    parts: questions.map((question) => partOf('question', question)),
    own: {
      questions: questions.map(({ value: question }) => ({
        id: textIn(question, 'id'),
        prompt: textIn(question, 'prompt'),
      })),
    },
  };
}

function prdText(value: unknown): LinkedText {
  const epics = listOf(value, ['epics']).map((epic) => ({
    epic: epic.value,
    stories: listOf(epic.value, ['user_stories'], epic.path).filter(hasId),
  }));
  return {
    parts: epics.flatMap(({ stories }) =>
      stories.flatMap((story): readonly LinkedPart[] => {
        const id = textIn(story.value, 'id');
        const criteria = listOf(story.value, ['acceptance_criteria'], story.path).map(
          ({ path }, place): LinkedPart => {
            return { kind: 'criterion', id: `${id}.AC${String(place + 1)}`, path, source: path, names: [] };
          },
        );
        return [partOf('story', story, 'interview_refs'), ...criteria];
      }),
    ),
    own: {
      prd: {
        epics: epics.map(({ epic, stories }) => ({
          id: textIn(epic, 'id'),
          user_stories: stories.map(({ value: story }) => ({
            id: textIn(story, 'id'),
            interview_refs: textsIn(story, 'interview_refs'),
            // One that isn't a text still has its place.
            acceptance_criteria: listOf(story, ['acceptance_criteria']).map(({ value: text }) =>
              typeof text === 'string' ? text : '',
            ),
          })),
        })),
      },
    },
  };
}

function planText(value: unknown): LinkedText {
  const beads = listOf(value, []).filter(hasId);
  return {
    parts: beads.map((bead) => partOf('bead', bead, 'prdRefs')),
    own: {
      beads: beads.map(({ value: bead }) => ({
        id: textIn(bead, 'id'),
        title: textIn(bead, 'title'),
        issueType: textIn(bead, 'issueType'),
        prdRefs: textsIn(bead, 'prdRefs'),
        testCommands: textsIn(bead, 'testCommands'),
        unprovedReason: textIn(bead, 'unprovedReason') || textIn(bead, 'testCommandReason'),
      })),
    },
  };
}

function hasId({ value }: Listed): boolean {
  return textIn(value, 'id') !== '';
}

function partOf(kind: LinkedPart['kind'], { value, path }: Listed, refs?: string): LinkedPart {
  const named = refs === undefined ? [] : listOf(value, [refs], path);
  const hasRefs = refs !== undefined && isRecord(value) && Object.hasOwn(value, refs);
  return {
    kind,
    id: textIn(value, 'id'),
    path: [...path, 'id'],
    source: [...path, hasRefs ? refs : 'id'],
    names: named.flatMap((one) =>
      typeof one.value === 'string' ? [{ name: one.value, path: one.path }] : [],
    ),
  };
}

function textsIn(value: unknown, key: string): readonly string[] {
  return listOf(value, [key]).flatMap(({ value: text }) => (typeof text === 'string' ? [text] : []));
}
