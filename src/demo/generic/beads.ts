import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { Blueprint, type BlueprintBead } from '../../domain/beads/bead.ts';
import { PrdDraft } from '../../domain/requirements/prd.ts';
import { BeadId } from '../../domain/core/ids.ts';
import { readDocument, readItems, readRecords, textField, yamlFence } from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { winningDraft } from './council.ts';
import { noteFiles } from './noteFiles.ts';
import { resolutions, ticketWishes } from './prd.ts';
import { slugOf, ticketFacts } from './ticketFacts.ts';

export function beadsDraft(chat: ParsedChat): string {
  return yamlFence({ beads: genericBeads(chat) });
}

export function beadsRefine(chat: ParsedChat): string {
  const winner = winningDraft(chat.parts, (value) => Blueprint.safeParse(value).data);
  return yamlFence({ beads: winner?.beads ?? genericBeads(chat), changes: [] });
}

export function beadsRevise(chat: ParsedChat): string {
  const present = Blueprint.safeParse({ beads: readRecords(chat.parts.get('beads'), 'beads') }).data;
  return yamlFence({
    beads: present?.beads ?? genericBeads(chat),
    changes: [],
    gap_resolutions: resolutions(readItems(chat.parts.get('gaps')), 'already_covered'),
  });
}

/** One JSON line a bead of the blueprint; each bead waits for the one before it. */
export function beadsExpand(
  chat: ParsedChat,
  targets: Readonly<Record<string, readonly string[]>> = {},
): string {
  const listed = readRecords(chat.parts.get('beads_draft'), 'beads').map((bead) => textField(bead, 'id'));
  const ids = listed.length > 0 ? listed : genericBeads(chat).map(({ id }) => id);
  return ids
    .map((id, index) =>
      JSON.stringify({
        id,
        issueType: 'task',
        labels: ['scripted'],
        dependencies: { blocked_by: ids.slice(Math.max(0, index - 1), index) },
        targetFiles: targets[id] ?? Object.values(noteFiles(id)),
      }),
    )
    .join('\n');
}

/** Whole beads for what a person wants changed: one an observation. */
export function fixBeads(chat: ParsedChat): string {
  const { parts } = chat;
  const existing = new Set(readRecords(parts.get('beads'), 'beads').map((bead) => textField(bead, 'id')));
  const told = parts.get('observations') ?? parts.get('user_note') ?? parts.get('user_context');
  const wishes = observations(told);
  const beads = (wishes.length > 0 ? wishes : ['Look at the change again']).map((wish) => {
    const base = `fix-${slugOf(wish).slice(0, 24).replace(/-+$/, '')}-${sha256(wish).slice(0, 6)}`;
    let id = base;
    for (let copy = 2; existing.has(id); copy++) id = `${base}-${String(copy)}`;
    existing.add(id);
    return {
      ...noteBead(id, `Fix: ${wish}`.slice(0, 300), wish),
      issueType: 'qa-fix',
      labels: ['scripted', 'qa-fix'],
      dependencies: { blocked_by: [] },
      targetFiles: Object.values(noteFiles(id)),
    };
  });
  return yamlFence({ beads });
}

/** A bead for each story of the PRD, three at most; without a PRD for each wish of the ticket. */
export function genericBeads(
  { parts }: ParsedChat,
  prd: PrdDraft | undefined = PrdDraft.safeParse(readDocument(parts.get('prd'))).data,
): z.input<typeof BlueprintBead>[] {
  const { title, description, slug } = ticketFacts(parts);
  const stories = prd?.epics.flatMap((epic) => epic.user_stories) ?? [];
  // Three beads at most; the last one stands for all further stories.
  const refsAt = (place: number): readonly string[] =>
    stories.slice(place, place === 2 ? undefined : place + 1).map(({ id }) => id);
  const wishes =
    stories.length > 0
      ? stories.slice(0, 3).map(({ title: text }, place) => ({ text, ref: refsAt(place) }))
      : undefined;
  return (wishes ?? ticketWishes(title, description).map((text) => ({ text, ref: [] }))).map(
    ({ text, ref }, index) => ({
      ...noteBead(`note-${slug}-${String(index + 1)}`, text.slice(0, 300), text),
      prdRefs: ref.filter((name) => name !== ''),
    }),
  );
}

function noteBead(id: string, title: string, wish: string): z.input<typeof BlueprintBead> {
  const files = noteFiles(BeadId.parse(id));
  return {
    id,
    title,
    prdRefs: [],
    description: `Write ${files.module}, which exports what the ticket asks for as a note, and ${files.test}, which tests it.\n\n${wish}`,
    contextGuidance: {
      patterns: ['Plain ES modules without dependencies.'],
      anti_patterns: ['Do not touch other files.'],
    },
    acceptanceCriteria: [
      `${files.module} exports a note with a title and a summary.`,
      `${files.test} passes.`,
    ],
    tests: [`The note's title and summary are what the bead says.`],
    testCommands: [`node --test ${files.test}`],
  };
}

/** Observations come as `Finding 1 (file):` and a text each, as a list of any kind, or as a paragraph. */
function observations(text: string | undefined): readonly string[] {
  const findings = [
    ...`${text ?? ''}\n\nFinding`.matchAll(/^Finding \d+[^\n]*:\n([\s\S]*?)(?=\n+Finding)/gm),
  ].map((match) => firstLine(match[1] ?? ''));
  if (findings.length > 0) return findings;
  const value = readDocument(text);
  const items = Array.isArray(value) ? value : [];
  const texts = z
    .array(z.object({ text: z.string() }).or(z.object({ observation: z.string() })))
    .safeParse(items).data;
  if (texts && texts.length > 0)
    return texts.map((item) => firstLine('text' in item ? item.text : item.observation));
  return readItems(text).slice(0, 5);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
