import { beadsDocument } from '../domain/documents/beads.ts';
import { interviewDocument } from '../domain/requirements/interview.ts';
import { prdDocument } from '../domain/requirements/prd.ts';
import { type BeadLink, linksOf, type Links, type LinkSources, ticketSource } from '../domain/links/links.ts';
import type { DocumentKind } from '../domain/workflow/rows.ts';
import { type CodeLensPart, codeLensTexts } from '../protocol/documentLinks.ts';
import { type LinkedPart, linkedText } from './linkedText.ts';
import type { Located, Span } from './yamlText.ts';

/** More names than these are counted. */
const mostNames = 4;
/** More of a reason doesn't fit over a line. */
const mostReason = 100;

/** A CodeLens over a place. `opens`: the items of another document of the ticket that it leads to. */
export interface LinkLens {
  readonly span: Span;
  readonly parts: readonly CodeLensPart[];
  readonly opens?: { readonly kind: DocumentKind; readonly items: readonly string[] };
}

type Said = Omit<LinkLens, 'span'>;

/**
 * Returns the links to the parts of a document and from them to others (docs/decisions/093-links.md).
 * `sources`: the ticket's documents as they are stored; this one counts as its text is now. Nothing is said
 * about a document that doesn't exist.
 */
export function lensesOf(kind: DocumentKind, located: Located, sources: LinkSources): readonly LinkLens[] {
  const text = linkedText(kind, located.value);
  if (!text) return [];
  const all = { ...sources, ...text.own };
  const links = linksOf(all);
  return text.parts.flatMap((part) =>
    saidOf(part, links, all).map((said) => ({ ...said, span: located.spanOf(part.path) })),
  );
}

/** Returns the text of a CodeLens, in English. */
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
  return [{ parts: [note === '' ? part('noStory') : part('noStoryBecause', { reason: short(note) })] }];
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
      parts: [noCommand ? part('noCommandBecause', { reason: short(reason) }) : commandsOf(commands.length)],
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

function short(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > mostReason ? `${line.slice(0, mostReason)}…` : line;
}

function part(code: CodeLensPart['code'], args: CodeLensPart['args'] = {}): CodeLensPart {
  return { code, args };
}
