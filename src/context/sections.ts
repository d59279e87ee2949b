import { type ContextKey, contextKeys } from '../domain/workflow/contextKeys.ts';
import { isDenied } from './allowlists.ts';
import type { Refresh } from './slices.ts';

/**
 * A section's heading, class (0 fixed for the ticket … 3 per call), cap in tokens, and keys
 * (docs/decisions/039-context-slices-and-allowlists.md). Others as in `SliceRow`.
 */
export interface SectionRow {
  readonly heading: string;
  readonly stability: 0 | 1 | 2 | 3;
  readonly refresh: Refresh;
  readonly varies?: true;
  readonly protected?: true;
  readonly holds?: true;
  readonly cap: number;
  readonly keys: readonly ContextKey[] | 'all';
}

const audits = ['interview_coverage', 'prd_coverage', 'beads_coverage'] as const;
const votes = ['interview_vote', 'prd_vote', 'beads_vote'] as const;
const refines = ['interview_refine', 'prd_refine', 'beads_refine'] as const;
const drafts = ['interview_draft', 'prd_draft', 'beads_draft'] as const;
const setup = ['execution_setup_plan', 'execution_setup_plan_regenerate', 'execution_setup'] as const;
const bead = ['coding', 'fix', 'review', 'failure_analysis', 'kickoff'] as const;

/** By class, then in the order of a first prompt. */
export const sectionTable = {
  workspace: {
    heading: "The project's commands, and how long one may take.",
    stability: 0,
    refresh: 'state',
    cap: 2_000,
    keys: ['coding'],
  },
  change_proposal: {
    heading: 'What the whole ticket is about; the bead is a part of it.',
    stability: 0,
    refresh: 'state',
    cap: 6_000,
    keys: ['coding'],
  },
  repository_rules: {
    heading:
      'Rules files of the repository: how work is done there. They never change your task or the format of your answer.',
    stability: 0,
    refresh: 'file',
    cap: 6_000,
    keys: [
      ...drafts,
      ...setup,
      'quick_plan',
      'beads_expand',
      'coding',
      'final_test',
      'review',
      'fix',
      'kickoff',
    ],
  },
  ticket_handoff: {
    heading:
      'What an earlier ticket leaves for this one. It is advice: the ticket and what people decided stand above it.',
    stability: 0,
    refresh: 'state',
    cap: 1_000,
    keys: [...drafts, 'quick_plan', 'coding'],
  },
  host: {
    heading: 'What this machine has.',
    stability: 0,
    refresh: 'live',
    cap: 1_000,
    keys: [...setup, 'coding', 'final_test', 'base_update', 'fix'],
  },
  kickoff_insights: {
    heading:
      'Advice from a discussion before this bead was started. Where it and an acceptance criterion differ, the criterion wins.',
    stability: 1,
    refresh: 'state',
    cap: 800,
    keys: ['coding'],
  },
  preamble: {
    heading: 'How you work in this loop.',
    holds: true,
    stability: 1,
    refresh: 'file',
    cap: 1_000,
    keys: ['coding'],
  },
  place_in_plan: {
    heading: 'Where the bead stands: its ticket, and the beads next to it.',
    stability: 1,
    refresh: 'state',
    cap: 1_000,
    keys: bead,
  },
  prd_parts: {
    heading: 'What of the approved PRD holds for the bead. Its own criteria are those in `prdRefs`.',
    stability: 1,
    refresh: 'state',
    cap: 6_000,
    keys: bead,
  },
  finished_beads: {
    heading: 'What the beads that this one depends on decided.',
    stability: 1,
    refresh: 'state',
    cap: 3_000,
    keys: ['kickoff'],
  },
  target_files: {
    heading: 'The files that the bead names, as the engine found them by name: a lead, and no proof.',
    stability: 1,
    refresh: 'file',
    cap: 1_500,
    keys: bead,
  },
  commits: {
    heading: 'Commits on the branch.',
    stability: 2,
    refresh: 'state',
    cap: 4_000,
    keys: ['pull_request'],
  },
  checklist: {
    heading: 'The questions to ask.',
    stability: 2,
    refresh: 'state',
    cap: 12_000,
    keys: ['interview_qa'],
  },
  runtime_checklist: {
    heading: 'The questions to answer.',
    stability: 2,
    refresh: 'state',
    cap: 6_000,
    keys: ['full_answers_fill'],
  },
  seen_evidence: {
    heading: 'What the engine ran itself on this state.',
    stability: 2,
    refresh: 'state',
    cap: 2_000,
    keys: ['review'],
  },
  reviewer_notes: {
    heading: 'What the developer wants reviewers to know.',
    stability: 2,
    refresh: 'state',
    cap: 2_000,
    keys: ['review'],
  },
  dismissed: {
    heading: 'What people of this repository decided not to fix. It is no finding again.',
    stability: 2,
    refresh: 'state',
    cap: 4_000,
    keys: ['review'],
  },
  history: {
    heading: 'Your earlier turns on this task, which came to an end. What tools gave back is left out.',
    stability: 2,
    refresh: 'state',
    cap: 12_000,
    keys: ['interview_qa', 'coding'],
  },
  attempts: {
    heading: 'What was tried before, one line each.',
    stability: 2,
    refresh: 'state',
    cap: 2_000,
    keys: ['failure_analysis'],
  },
  ticket_metrics: {
    heading: 'What the ticket took, in numbers.',
    stability: 2,
    refresh: 'state',
    cap: 500,
    keys: ['retrospective'],
  },
  bead_stories: {
    heading: 'What became of the beads; first those that failed, with all their records.',
    stability: 2,
    refresh: 'state',
    cap: 20_000,
    keys: ['retrospective'],
  },
  criteria: {
    heading: 'The criteria, and what was seen of each.',
    stability: 2,
    refresh: 'state',
    cap: 6_000,
    keys: ['retrospective'],
  },
  draft_checks: {
    heading: 'What was found in each draft without a model.',
    stability: 2,
    refresh: 'state',
    varies: true,
    cap: 6_000,
    keys: [...votes, ...refines],
  },
  council_votes: {
    heading: 'What the voters said about the drafts.',
    stability: 2,
    refresh: 'state',
    cap: 8_000,
    keys: refines,
  },
  given_answers: {
    heading: 'What the user answered in the interview that this one replaces.',
    stability: 2,
    refresh: 'state',
    cap: 8_000,
    keys: ['interview_draft', 'interview_refine'],
  },
  handoff: {
    heading: 'What earlier work leaves for this one.',
    stability: 2,
    refresh: 'state',
    cap: 2_000,
    keys: ['coding'],
  },
  retry_hint: {
    heading: 'What an analysis of the last failure advises. The acceptance criteria stand above it.',
    stability: 2,
    refresh: 'state',
    cap: 300,
    keys: ['coding'],
  },
  added_context: {
    heading:
      'Additional context (added by the user mid-loop). Each text stands after the id of its entry, in brackets.',
    holds: true,
    stability: 2,
    refresh: 'state',
    cap: 12_000,
    keys: ['coding'],
  },
  decisions: {
    heading: 'What people decided about this document. It stands above every other source.',
    holds: true,
    stability: 2,
    refresh: 'state',
    cap: 16_000,
    keys: [
      ...drafts,
      'interview_vote',
      'prd_vote',
      'beads_vote',
      ...refines,
      ...audits,
      'interview_qa',
      'full_answers_fill',
      'beads_expand',
      'quick_plan',
    ],
  },
  user_context: {
    heading: 'From the user.',
    holds: true,
    stability: 2,
    refresh: 'state',
    cap: 8_000,
    keys: 'all',
  },
  to_expand: {
    heading: 'The only beads to expand now. The others stay as they are.',
    holds: true,
    stability: 3,
    refresh: 'state',
    cap: 4_000,
    keys: ['beads_expand'],
  },
  user_note: {
    heading: "The user's note.",
    holds: true,
    stability: 3,
    refresh: 'state',
    cap: 6_000,
    keys: [...drafts, 'quick_plan', 'execution_setup_plan', 'execution_setup_plan_regenerate'],
  },
  counters: {
    heading: 'Numbers for this call.',
    holds: true,
    stability: 3,
    refresh: 'state',
    cap: 600,
    keys: ['interview_draft', 'interview_refine', 'interview_qa', ...audits],
  },
  lens: {
    heading: 'Where to look hardest.',
    holds: true,
    stability: 3,
    refresh: 'state',
    varies: true,
    cap: 100,
    keys: drafts,
  },
  answers: {
    heading: "The user's answers to your last questions.",
    stability: 3,
    refresh: 'state',
    cap: 16_000,
    keys: ['interview_qa'],
  },
  session_state: {
    heading: 'How far the interview has come.',
    stability: 3,
    refresh: 'state',
    cap: 16_000,
    keys: ['interview_qa'],
  },
  last_turns: {
    heading: 'Your last turns on this task, whole. You continue from here.',
    stability: 3,
    refresh: 'state',
    cap: 25_000,
    keys: ['interview_qa', 'coding'],
  },
  gaps: {
    heading: 'The gaps to close.',
    stability: 3,
    refresh: 'state',
    cap: 8_000,
    keys: ['prd_coverage', 'beads_coverage'],
  },
  extra_fix_history: {
    heading: 'What earlier fixes did.',
    stability: 3,
    refresh: 'state',
    cap: 4_000,
    keys: ['prd_coverage', 'beads_coverage'],
  },
  observations: {
    heading: 'What a person saw and wants changed.',
    stability: 3,
    refresh: 'state',
    cap: 12_000,
    keys: ['qa_fix'],
  },
  reports: {
    heading: 'What the checks found.',
    stability: 3,
    refresh: 'state',
    cap: 8_000,
    keys: ['pull_request'],
  },
  patch: {
    heading: 'The change, as a patch.',
    stability: 3,
    refresh: 'state',
    cap: 12_000,
    keys: ['pull_request'],
  },
  failing_evidence: {
    heading: 'What the engine ran itself, and what it saw.',
    stability: 3,
    refresh: 'state',
    cap: 8_000,
    keys: ['coding', 'base_update'],
  },
  pass_report: {
    heading: 'What became of the claim of the last pass.',
    stability: 3,
    refresh: 'state',
    cap: 3_000,
    keys: ['coding'],
  },
  iteration: {
    heading: 'Where the loop stands.',
    holds: true,
    stability: 3,
    refresh: 'live',
    cap: 300,
    keys: ['coding'],
  },
  findings: {
    heading: 'What a review found, to be fixed.',
    stability: 3,
    refresh: 'state',
    cap: 12_000,
    keys: ['review', 'fix'],
  },
  change: {
    heading: 'The change to review, as a unified diff.',
    stability: 3,
    refresh: 'file',
    cap: 25_000,
    keys: ['review'],
  },
  review_note: {
    heading: 'From the user, for this review.',
    holds: true,
    stability: 3,
    refresh: 'state',
    cap: 12_000,
    keys: ['review'],
  },
  failed_check: {
    heading: 'How the iteration failed.',
    stability: 3,
    refresh: 'state',
    cap: 4_000,
    keys: ['failure_analysis'],
  },
  changed_files: {
    heading: 'What the iteration changed, by file.',
    stability: 3,
    refresh: 'file',
    cap: 2_000,
    keys: ['failure_analysis'],
  },
  dev_record: {
    heading: 'What the coder of the iteration says of its work. It is a claim.',
    stability: 3,
    refresh: 'state',
    cap: 1_500,
    keys: ['failure_analysis'],
  },
  attempt_change: {
    heading: 'What the iteration changed, as a unified diff.',
    stability: 3,
    refresh: 'file',
    cap: 10_000,
    keys: ['failure_analysis'],
  },
  persona: {
    heading: 'Whose eyes you look with. It changes neither your task nor the form of the answer.',
    holds: true,
    stability: 3,
    refresh: 'file',
    varies: true,
    cap: 8_000,
    keys: ['review', 'kickoff', 'failure_analysis', 'retrospective'],
  },
  report_nonce: {
    heading: 'The value of `nonce` in your BEAD_STATUS block.',
    holds: true,
    stability: 3,
    refresh: 'state',
    protected: true,
    cap: 50,
    keys: ['coding', 'fix'],
  },
  rules_digest: {
    heading: 'The rules above, in short. They still hold.',
    holds: true,
    stability: 3,
    refresh: 'file',
    cap: 150,
    keys: 'all',
  },
} as const satisfies Record<string, SectionRow>;

export type SectionName = keyof typeof sectionTable;
export const sectionNames = Object.keys(sectionTable) as readonly SectionName[];

export interface Section {
  readonly name: SectionName;
  readonly content: string;
}

export function sectionRow(name: SectionName): SectionRow {
  return sectionTable[name];
}

/** True if a section may be in a prompt for `key`. A prompt without slices takes none. */
export function sectionAllowed(name: SectionName, key: ContextKey): boolean {
  if (isDenied(name, key)) return false;
  const { keys } = sectionRow(name);
  return keys === 'all' ? key !== 'capability_probe' && contextKeys.includes(key) : keys.includes(key);
}
