import * as z from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { Blueprint, type BlueprintBead } from '../../domain/beads/bead.ts';
import { BeadId, ticketIdPattern } from '../../domain/core/ids.ts';
import { PrdDraft } from '../../domain/requirements/prd.ts';
import {
  readDocument,
  readItems,
  readRecords,
  tagged,
  textField,
  yamlFence,
} from '../script/documentText.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import type { PromptParts } from '../script/promptParts.ts';
import { winningDraft } from './council.ts';
import { noteFiles } from './noteFiles.ts';

interface TicketFacts {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly slug: string;
}

/** Reads `ABC-12: title`, an empty line and the description, or any other text. */
export function ticketFacts(parts: PromptParts): TicketFacts {
  const text = (parts.get('ticket_details') ?? '').trim();
  const [first = '', ...rest] = text.split('\n');
  const head = new RegExp(`^(${ticketIdPattern}): (.*)$`).exec(first.trim());
  const title = (head?.[2] ?? first.replace(/^#+\s*/, '')).trim().slice(0, 200) || 'Untitled ticket';
  return { id: head?.[1] ?? 'TKT-1', title, description: rest.join('\n').trim(), slug: slugOf(title) };
}

/** Kebab-case of at most 40 characters; a hash if there are no Latin letters. */
function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return words === '' ? `t${sha256(text).slice(0, 8)}` : words;
}

export function prdDraft({ parts, model }: ParsedChat): string {
  return yamlFence(genericPrd(parts, model));
}

export function prdRefine({ parts, model }: ParsedChat): string {
  const winner = winningDraft(parts, (value) => PrdDraft.safeParse(value).data);
  return yamlFence({ ...(winner ?? genericPrd(parts, model)), changes: [] });
}

export function prdRevise({ parts, model }: ParsedChat): string {
  const present = PrdDraft.safeParse(readDocument(parts.get('prd'))).data ?? genericPrd(parts, model);
  const gaps = readItems(parts.get('gaps'));
  return yamlFence({
    ...present,
    risks: [...present.risks, ...gaps.map((gap) => `Noted by the scripted model: ${gap}`)],
    changes: [],
    gap_resolutions: resolutions(gaps, 'updated_prd'),
  });
}

function resolutions(gaps: readonly string[], action: 'updated_prd' | 'already_covered'): unknown[] {
  const listed = gaps.length > 0 ? gaps : ['(no gap was named)'];
  return listed.map((gap) => ({
    gap,
    action: gaps.length > 0 ? action : 'already_covered',
    rationale: 'Written down where a reader will look for it.',
    affected_items: [],
  }));
}

function genericPrd(parts: PromptParts, model: string): PrdDraft {
  const { title, description } = ticketFacts(parts);
  const asked = readRecords(parts.get('full_answers') ?? parts.get('interview'), 'questions').map(
    (question) => textField(question, 'id'),
  );
  const wishes = ticketWishes(title, description);
  return {
    product: {
      problem_statement: `${title}. (Written by the scripted model ${model} from the ticket alone.)`,
      target_users: ['The people who use and maintain this repository'],
    },
    scope: { in_scope: [...wishes], out_of_scope: ['Changes to existing files'] },
    technical_requirements: {
      architecture_constraints: ['New files only, below beadsmith-notes/.'],
      tooling_assumptions: ['Node 20 or later runs the tests.'],
    },
    epics: [
      {
        id: 'EPIC-1',
        title,
        objective: 'A small tested note for every wish of the ticket.',
        implementation_steps: ['Write a module and its test for each story.'],
        user_stories: wishes.map((wish, index) => ({
          id: `US-1-${String(index + 1)}`,
          title: wish,
          interview_refs: index === 0 && asked.length > 0 ? asked : ['ticket'],
          acceptance_criteria: [`A module records "${wish}" and its test passes.`],
          implementation_steps: ['Write the module.', 'Write its test.', 'Run the test.'],
          verification: { required_commands: [] },
        })),
      },
    ],
    risks: ['The scripted model understands nothing; its work is a stand-in.'],
  };
}

/** Bullets of the description, three at most, else the title. */
function ticketWishes(title: string, description: string): readonly string[] {
  const bullets = description
    .split('\n')
    .map((line) => /^\s*(?:[-*]|\d+[.)])\s+(\S.*)$/.exec(line)?.[1]?.trim())
    .filter((line) => line !== undefined)
    .map((line) => line.slice(0, 120));
  const wishes = [...new Set(bullets)].slice(0, 3);
  return wishes.length > 0 ? wishes : [title.slice(0, 120)];
}

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

/** Each bead waits for the one before it. */
export function beadsExpand(chat: ParsedChat): string {
  const listed = readRecords(chat.parts.get('beads_draft'), 'beads').map((bead) => textField(bead, 'id'));
  const ids = listed.length > 0 ? listed : genericBeads(chat).map(({ id }) => id);
  return ids.map((id, index) => JSON.stringify({ id, ...expansion(id, ids[index - 1]) })).join('\n');
}

/** One bead per story, each after the one before it. */
export function quickPlan(chat: ParsedChat): string {
  const prd = genericPrd(chat.parts, chat.model);
  const beads = genericBeads(chat, prd);
  return tagged('QUICK_PLAN', {
    prd,
    beads: beads.map((bead, index) => ({ ...bead, ...expansion(bead.id, beads[index - 1]?.id) })),
  });
}

function expansion(id: string, blocker?: string) {
  return {
    issueType: 'task',
    labels: ['scripted'],
    dependencies: { blocked_by: blocker === undefined ? [] : [blocker] },
    targetFiles: Object.values(noteFiles(id)),
  };
}

/** One bead per observation. */
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
      ...expansion(id),
      issueType: 'qa-fix',
      labels: ['scripted', 'qa-fix'],
    };
  });
  return yamlFence({ beads });
}

/** One bead per story, or per wish of the ticket without a PRD. */
function genericBeads(
  { parts }: ParsedChat,
  prd: PrdDraft | undefined = PrdDraft.safeParse(readDocument(parts.get('prd'))).data,
): z.input<typeof BlueprintBead>[] {
  const { title, description, slug } = ticketFacts(parts);
  const stories = prd?.epics.flatMap((epic) => epic.user_stories) ?? [];
  const texts =
    stories.length > 0 ? stories.slice(0, 3).map((story) => story.title) : ticketWishes(title, description);
  return texts.map((text, place) => ({
    ...noteBead(`note-${slug}-${String(place + 1)}`, text.slice(0, 300), text),
    // The third bead stands for all further stories.
    prdRefs: stories
      .slice(place, place === 2 ? undefined : place + 1)
      .map(({ id }) => id)
      .filter((id) => id !== ''),
  }));
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

/** `Finding 1 (file):` with a text, a list of any kind, or a paragraph. */
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
