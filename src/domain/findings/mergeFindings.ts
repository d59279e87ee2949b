import { canonicalJson } from '../../base/json.ts';
import { idOf, type ReviewPlace, standingOf } from './checkClaims.ts';
import { wordsOf } from './dismissal.ts';
import type { Ballot, Finding, Severity } from './finding.ts';

/** Findings of one persona, checked by the engine. */
export interface Spoken {
  readonly persona: string;
  readonly findings: readonly Finding[];
}

/** The ballots of one persona in the second round. */
export interface Voted {
  readonly persona: string;
  readonly ballots: readonly Ballot[];
}

/** Lines that are so near belong to one place. */
const nearLines = 5;
/** The part of their words that two claims of different categories have to share. */
const sameWords = 0.5;
const severities: readonly Severity[] = ['high', 'medium', 'low'];

/**
 * Makes one finding of what several personas found at one place (docs/decisions/134-parties.md): in the same
 * file, on near lines, and of the same category or in much the same words. It has the words of the worst and
 * surest of them, and all who claimed it. The result depends on no order. What one persona claims twice stays
 * two findings, and what the engine doesn't believe is never merged into what it believes.
 */
export function mergeFindings(spoken: readonly Spoken[], place: ReviewPlace): readonly Finding[] {
  const claims = spoken.flatMap(({ persona, findings }) => findings.map((finding) => ({ persona, finding })));
  const sorted = claims
    .map((one) => ({ ...one, order: orderOf(one.finding) + one.persona }))
    .toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
  const groups: { readonly lead: Finding; readonly personas: string[]; test: Finding['test'] }[] = [];
  for (const { persona, finding } of sorted) {
    const group = groups.find(({ lead, personas }) => !personas.includes(persona) && isSame(lead, finding));
    if (!group) groups.push({ lead: finding, personas: [persona], test: finding.test });
    else {
      group.personas.push(persona);
      group.test ??= finding.test;
    }
  }
  return groups.map(({ lead, personas, test }, index) => ({
    ...lead,
    ...(test ? { test } : {}),
    id: idOf(place, index),
    personas: personas.toSorted(),
    votes: personas.length,
  }));
}

/**
 * Decides what becomes of the findings of a party. Kept is what two are for, what is severe and quotes code
 * that is there, and what a test confirmed; kept findings are fixed by severity as those of one reviewer are,
 * and all others are noted. With `isSolo` there is nobody to agree, so that every one is kept.
 */
export function decideFindings(
  findings: readonly Finding[],
  voted: readonly Voted[],
  { isSolo }: { readonly isSolo: boolean },
): readonly Finding[] {
  const believed = findings.filter(({ doubt }) => doubt === null).length;
  return findings.map((finding) => {
    const ballots = voted.flatMap(({ persona, ballots: all }) =>
      all
        .filter((ballot) => ballot.finding === finding.id)
        .map(({ vote, reason }) => ({ persona, vote, reason })),
    );
    const votes = votesFor(finding, ballots);
    const decided = { ...finding, votes, ...(voted.length > 0 ? { ballots } : {}) };
    if (finding.doubt !== null) return { ...decided, standing: 'unfounded' as const };
    if (finding.confirmed) return { ...decided, standing: 'fix' as const };
    const isKept = isSolo || votes >= 2 || finding.severity === 'high';
    return { ...decided, standing: isKept ? standingOf(finding, believed) : 'noted' };
  });
}

/** Counts the votes for a finding. Those who claimed it are for it; the last word of each counts. */
function votesFor({ personas = [] }: Finding, ballots: NonNullable<Finding['ballots']>): number {
  const said = new Map(ballots.map(({ persona, vote }) => [persona, vote]));
  const raisers = personas.filter((persona) => said.get(persona) !== 'reject').length;
  return (
    raisers + [...said].filter(([persona, vote]) => vote === 'confirm' && !personas.includes(persona)).length
  );
}

/** Findings as the second round gets them: nothing in them tells who claimed what, or how many did. */
export function anonymous(findings: readonly Finding[]): readonly Finding[] {
  return findings.map(({ personas: _personas, votes: _votes, ballots: _ballots, ...finding }) => finding);
}

function orderOf(finding: Finding): string {
  const { file, severity, confidence, line } = finding;
  const digits = (value: number): string => String(value).padStart(12, '0');
  const { id: _, ...claim } = finding;
  return [
    file,
    severities.indexOf(severity),
    digits(1_000 - Math.round(confidence * 1_000)),
    digits(line ?? 0),
    canonicalJson(claim),
  ].join('\n');
}

function isSame(a: Finding, b: Finding): boolean {
  if (a.file !== b.file || (a.doubt === null) !== (b.doubt === null)) return false;
  if (a.line === null || b.line === null ? a.line !== b.line : Math.abs(a.line - b.line) > nearLines)
    return false;
  return wordsOf(a.category) === wordsOf(b.category) || likeness(a.claim, b.claim) >= sameWords;
}

/** The words that two texts share, as a part of all their words. */
function likeness(a: string, b: string): number {
  const [one, other] = [new Set(wordsOf(a).split(' ')), new Set(wordsOf(b).split(' '))];
  return one.intersection(other).size / Math.max(1, one.union(other).size);
}
