import { canonicalJson } from '../../base/json.ts';
import { idOf, type ReviewPlace, standingOf } from './checkClaims.ts';
import { likeness, wordsOf } from './dismissal.ts';
import type { Ballot, Finding, Severity } from './finding.ts';

/** One persona's checked findings. */
export interface Spoken {
  readonly persona: string;
  readonly findings: readonly Finding[];
}

/** One persona's ballots. */
export interface Voted {
  readonly persona: string;
  readonly ballots: readonly Ballot[];
}

const nearLines = 5;
const sameWords = 0.5;
const severities: readonly Severity[] = ['high', 'medium', 'low'];

/**
 * Merges personas' findings at one place (docs/decisions/134-parties.md), in any order: same file, near
 * lines, and same category or similar words. The worst and surest wording wins.
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
 * Decides about a party's findings: kept are those with two votes, severe, or confirmed; `isSolo` keeps all.
 * Kept ones are fixed by severity, others noted.
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

/** Claimants vote for it; each one's last word counts. */
function votesFor({ personas = [] }: Finding, ballots: NonNullable<Finding['ballots']>): number {
  const said = new Map(ballots.map(({ persona, vote }) => [persona, vote]));
  const raisers = personas.filter((persona) => said.get(persona) !== 'reject').length;
  return (
    raisers + [...said].filter(([persona, vote]) => vote === 'confirm' && !personas.includes(persona)).length
  );
}

/** Findings without claimants and votes, for the second round. */
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
