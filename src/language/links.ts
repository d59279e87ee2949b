import { isRecord } from '../base/json.ts';
import { oneLine } from '../base/oneLine.ts';
import { beadsDocument } from '../domain/documents/beads.ts';
import { listOf, textIn, type Listed } from '../domain/documents/base/check.ts';
import type { Path } from '../domain/documents/base/document.ts';
import { interviewDocument } from '../domain/requirements/interview.ts';
import { prdDocument } from '../domain/requirements/prd.ts';
import { linksOf, ticketSource, type LinkSources, type BeadLink, type Links } from '../domain/links/links.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { codeLensTexts, type CodeLensPart } from '../protocol/documentLinks.ts';
import type { Located, Span } from './located.ts';

/** A linked part. `path`: its mark. */
export interface LinkedPart {
  readonly kind: 'question' | 'story' | 'criterion' | 'bead';
  readonly id: string;
  readonly path: Path;
  /** The list of its sources, or its id. */
  readonly source: Path;
  readonly names: readonly { readonly name: string; readonly path: Path }[];
}

/** Linked parts. `own` replaces the stored document. */
interface LinkedText {
  readonly parts: readonly LinkedPart[];
  readonly own: Partial<LinkSources>;
}

/** Undefined for documents without links. */
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
            // Others keep their place.
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

const mostNames = 4;
const mostReason = 101;

/** A CodeLens. `opens`: items of another document. */
interface LinkCodeLens {
  readonly span: Span;
  readonly parts: readonly CodeLensPart[];
  readonly opens?: { readonly kind: DocumentKind; readonly items: readonly string[] };
}

type Said = Omit<LinkCodeLens, 'span'>;

/**
 * A document's links (docs/decisions/093-links.md). `sources`: the stored documents; this one's current text
 * replaces its own.
 */
export function codeLensesOf(
  kind: DocumentKind,
  located: Located,
  sources: LinkSources,
): readonly LinkCodeLens[] {
  const text = linkedText(kind, located.value);
  if (!text) return [];
  const all = { ...sources, ...text.own };
  const links = linksOf(all);
  return text.parts.flatMap((part) =>
    saidOf(part, links, all).map((said) => ({ ...said, span: located.spanOf(part.path) })),
  );
}

export function codeLensText(parts: readonly CodeLensPart[]): string {
  return parts
    .map(({ code, args }) =>
      codeLensTexts[code].replaceAll(/\{(\w+)\}/g, (hole, name: string) => args[name] ?? hole),
    )
    .join(' · ');
}

function saidOf({ kind, id }: LinkedPart, links: Links, sources: LinkSources): readonly Said[] {
  switch (kind) {
    case 'question':
      return sources.prd ? ofQuestion(id, links) : [];
    case 'story':
      return [
        ...(sources.questions.length > 0 ? ofStory(id, links) : []),
        ...(sources.beads ? [ofBeads(beadsMeeting(id, links), true)] : []),
      ];
    case 'criterion': {
      const { parts, ...rest } = ofBeads(beadsMeeting(id, links), false);
      return sources.beads ? [{ ...rest, parts: [part('name', { name: id }), ...parts] }] : [];
    }
    case 'bead':
      return ofBead(id, links, sources);
  }
}

function ofQuestion(id: string, { questions }: Links): readonly Said[] {
  const { stories = [], note = '' } = questions.find((question) => question.id === id) ?? {};
  if (stories.length > 0)
    return [
      {
        parts: [part('leadsTo', { names: listed(stories) })],
        opens: { kind: prdDocument.kind, items: stories },
      },
    ];
  return [
    {
      parts: [note === '' ? part('noStory') : part('noStoryBecause', { reason: oneLine(note, mostReason) })],
    },
  ];
}

function ofStory(id: string, { criteria }: Links): readonly Said[] {
  const names = criteria.find(({ story }) => story === id)?.questions;
  if (!names) return [];
  const items = names.filter((name) => name !== ticketSource);
  const parts = [names.length === 0 ? part('noSource') : part('from', { names: listed(names) })];
  return [items.length === 0 ? { parts } : { parts, opens: { kind: interviewDocument.kind, items } }];
}

function ofBeads(beads: readonly BeadLink[], withCommands: boolean): Said {
  if (beads.length === 0) return { parts: [part('noBead')] };
  const parts = [
    counted(beads.length, 'oneBead', 'manyBeads'),
    ...(withCommands ? [commandsOf(new Set(beads.flatMap(({ commands }) => commands)).size)] : []),
  ];
  return { parts, opens: { kind: beadsDocument.kind, items: beads.map(({ id }) => id) } };
}

function ofBead(id: string, { beads }: Links, { prd, beads: planned = [] }: LinkSources): readonly Said[] {
  const { criteria = [], commands = [], reason = '' } = beads.find((bead) => bead.id === id) ?? {};
  const isFix = planned.some((bead) => bead.id === id && bead.issueType === 'qa-fix');
  const meets: readonly Said[] =
    criteria.length > 0
      ? [
          {
            parts: [part('meets', { names: listed(criteria) })],
            opens: { kind: prdDocument.kind, items: criteria },
          },
        ]
      : prd && !isFix
        ? [{ parts: [part('noCriterion')] }]
        : [];
  const noCommand = commands.length === 0 && reason !== '';
  return [
    ...meets,
    {
      parts: [
        noCommand
          ? part('noCommandBecause', { reason: oneLine(reason, mostReason) })
          : commandsOf(commands.length),
      ],
    },
  ];
}

function beadsMeeting(id: string, { criteria, beads }: Links): readonly BeadLink[] {
  const met = new Set(
    criteria
      .filter((criterion) => criterion.id === id || criterion.story === id)
      .map((criterion) => criterion.id),
  );
  return beads.filter((bead) => bead.criteria.some((criterion) => met.has(criterion)));
}

function commandsOf(count: number): CodeLensPart {
  return count === 0 ? part('noCommand') : counted(count, 'oneCommand', 'manyCommands');
}

function counted(count: number, one: CodeLensPart['code'], many: CodeLensPart['code']): CodeLensPart {
  return count === 1 ? part(one) : part(many, { count: String(count) });
}

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return [...names.slice(0, mostNames), ...(more > 0 ? [`+${String(more)}`] : [])].join(', ');
}

function part(code: CodeLensPart['code'], args: CodeLensPart['args'] = {}): CodeLensPart {
  return { code, args };
}
