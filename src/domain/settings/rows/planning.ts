import * as z from 'zod';
import { foldRules } from '../../conversation/fold.ts';
import { TicketPrefix } from '../../core/ids.ts';
import { attempts, seconds, type SettingObject, type SettingRows } from './row.ts';

const coverage = { store: 'settings', group: 'planning', setting: 'coverage' } as const;

/** The tickets whose gates are passed where nothing is to be decided. */
export const PassGates = z.enum(['off', 'quick', 'always']);
export type PassGates = z.infer<typeof PassGates>;

/**
 * A person's settings of GitHub. `failedChecks`: they decide, or failed checks run again once and are then
 * fixed. `issueComments`: what the issue of an imported ticket gets.
 */
export const GithubSettings = z.object({
  watch: z.boolean().default(true),
  failedChecks: z.enum(['ask', 'auto']).default('ask'),
  issueComments: z.enum(['off', 'milestones']).default('off'),
});
export type GithubSettings = z.infer<typeof GithubSettings>;

const github = { store: 'person', group: 'planning', setting: 'github' } as const;

/** Settings of "Planning and Gates". */
export const planningRows = {
  interviewQuestions: {
    store: 'settings',
    group: 'planning',
    schema: attempts(0, 50, 50),
    about: 'The maximum number of interview questions.',
    option: 'questions',
  },
  passGates: {
    store: 'settings',
    group: 'planning',
    // docs/decisions/190-gates-by-policy.md
    schema: PassGates.default('quick'),
    about:
      'Controls whether a gate that leaves you nothing to decide is passed without you. A receipt says by which rule.',
    choices: {
      off: { label: 'Off', about: 'Every gate waits for you.' },
      quick: { label: 'Quick Tickets', about: 'Gates of quick tickets are passed.' },
      always: { label: 'Always', about: 'Gates of all tickets are passed.' },
    },
    option: 'pass-gates',
    tags: ['advanced'],
  },
  'github.watch': {
    ...github,
    property: 'watch',
    // docs/decisions/205-waiting-for-the-forge.md
    schema: GithubSettings.shape.watch,
    about:
      'Controls whether the published pull request of a ticket is checked while the ticket waits for its review. A ticket whose pull request was merged there is completed.',
  },
  'github.failedChecks': {
    ...github,
    property: 'failedChecks',
    // docs/decisions/211-checks-come-back.md
    schema: GithubSettings.shape.failedChecks,
    about:
      'Controls what happens when checks of a published pull request fail. A fix is pushed only after the checks of the ticket passed.',
    choices: {
      ask: { about: 'You run the failed checks again, or have them fixed.' },
      auto: {
        about:
          'Failed checks run again once, then an agent fixes them and the fix is pushed to the pull request. After three fixes, you decide.',
      },
    },
  },
  'github.issueComments': {
    ...github,
    property: 'issueComments',
    // docs/decisions/178-issues-stay-linked.md
    schema: GithubSettings.shape.issueComments,
    about:
      'Controls whether the issue that a ticket was imported from gets a comment when the plan is approved, when there is a pull request, and at the end.',
    choices: {
      off: { about: 'Nothing is posted on issues.' },
      milestones: { about: 'One short comment for each of the three, as you.' },
    },
  },
  manualQaEnabled: {
    store: 'settings',
    group: 'planning',
    setting: 'manualQa',
    schema: z.boolean().default(false),
    about: 'Controls whether Beadsmith asks for manual QA, with a checklist, before it integrates changes.',
    option: 'qa',
    tags: ['advanced'],
  },
  agentQuestions: {
    store: 'settings',
    group: 'planning',
    setting: 'agentQuestions',
    property: 'mode',
    // docs/decisions/015-agent-requests.md
    schema: z.enum(['pause', 'deny', 'timed']).default('timed'),
    about:
      'Controls whether coding agents can ask you questions. What an agent decides on its own is recorded as an assumption and listed in the pull request.',
    choices: {
      pause: { about: 'The ticket waits until you answer.' },
      deny: { about: "Agents can't ask. They decide on their own." },
      timed: { about: 'Agents wait for your answer for a limited time, then decide on their own.' },
    },
  },
  aiQuestionWindow: {
    store: 'settings',
    group: 'planning',
    setting: 'agentQuestions',
    property: 'window',
    schema: seconds(300, 60, 3_600),
    unit: 'seconds',
    about:
      'How long an agent waits for your answer before it decides on its own, in seconds. Applies to the mode `timed`.',
  },
  freezeApprovedTests: {
    store: 'settings',
    group: 'planning',
    setting: 'freezeTests',
    schema: z.boolean().default(false),
    about:
      'Controls whether only you can change tests that the approved bead plan names and that existed when it was approved. A bead that changes one fails.',
    option: 'freeze-tests',
    tags: ['advanced'],
  },
  coverageFollowUpBudgetPercent: {
    ...coverage,
    property: 'followUpPercent',
    schema: attempts(0, 100, 20),
    about:
      'The maximum number of follow-up questions that a coverage check can add, as a percentage of `#beadsmith.interviewQuestions#`.',
  },
  maxCoveragePasses: {
    ...coverage,
    property: 'interviewPasses',
    schema: attempts(1, 10, 2),
    about: 'The maximum number of coverage checks of the interview.',
  },
  maxPrdCoveragePasses: {
    ...coverage,
    property: 'prdPasses',
    schema: attempts(2, 20, 5),
    about: 'The maximum number of coverage checks of the PRD before its open gaps are shown to you.',
    option: 'prd-passes',
  },
  maxBeadsCoveragePasses: {
    ...coverage,
    property: 'beadPasses',
    schema: attempts(2, 20, 5),
    about: 'The maximum number of coverage checks of the bead plan before its open gaps are shown to you.',
    option: 'beads-passes',
  },
  structuredRetryCount: {
    store: 'settings',
    group: 'planning',
    setting: 'limits.repairs',
    schema: attempts(0, 5, 1),
    about: "How often an answer that can't be read is returned to the model for correction.",
    option: 'repairs',
    tags: ['advanced'],
  },
  previewPrompts: {
    store: 'settings',
    group: 'planning',
    schema: z.enum(['off', 'coding', 'all']).default('off'),
    about:
      'Controls which prompts wait for you before they are sent. You see the whole text, and can leave out parts of it.',
    choices: {
      off: { label: 'Off', about: 'Prompts are sent without waiting.' },
      coding: { label: 'Coding', about: 'Prompts that let an agent change files wait for you.' },
      all: { label: 'All', about: 'Every prompt waits for you.' },
    },
    option: 'preview-prompts',
    tags: ['advanced'],
  },
  promptOrder: {
    store: 'settings',
    group: 'planning',
    schema: z.enum(['stable', 'recency', 'seed']).default('stable'),
    about: 'The order of the parts of a coding prompt.',
    choices: {
      stable: {
        label: 'Stable',
        about: 'Parts that stay the same come first, so that providers can cache them.',
      },
      recency: { label: 'Recency', about: 'Parts that changed longest ago come first.' },
      seed: {
        label: 'Seed',
        about: 'The preamble first, then added context, the change, the area, and the task.',
      },
    },
    option: 'prompt-order',
    tags: ['advanced'],
  },
  longConversations: {
    store: 'settings',
    group: 'planning',
    schema: z.enum(foldRules).default('either'),
    about:
      "Controls when old turns are removed from a model's conversation. The model continues in a fresh session, with its last turns whole and the older ones without tool output.",
    choices: {
      either: { label: 'By Tokens or Messages', about: 'When either of the next two rules applies.' },
      tokens: {
        label: 'By Tokens',
        about: "When the conversation exceeds 15 % of a prompt's budget. Its last two turns are kept.",
      },
      messages: {
        label: 'By Messages',
        about:
          'At least 25 messages and 5,000 tokens at a time, while 25 messages and 7,500 tokens are kept.',
      },
      off: { label: 'Never', about: 'Conversations are kept whole.' },
    },
    option: 'long-conversations',
    tags: ['advanced'],
  },
  promptFolder: {
    store: 'machine',
    group: 'planning',
    schema: z.string().default(''),
    about:
      'The absolute path of a folder with your own prompts, for all repositories. Each file replaces the built-in prompt of the same name; *Override Prompt…* copies one there. If empty, `beadsmith/prompts` in your configuration folder is used.',
    tags: ['advanced'],
  },
  ticketPrefix: {
    store: 'repository',
    group: 'planning',
    schema: TicketPrefix.optional(),
    about:
      'The prefix of new ticket IDs: 2 to 5 capital letters or digits, starting with a letter. If empty, the prefix is derived from the folder name.',
    invalid: 'Use 2 to 5 capital letters or digits, starting with a letter.',
    tags: ['advanced'],
  },
} as const satisfies SettingRows;

/** Settings of this group with several values. */
export const planningObjects = {
  agentQuestions: {
    group: 'planning',
    about: 'Controls whether coding agents can ask you questions.',
    tags: ['advanced'],
  },
  github: {
    group: 'planning',
    about: 'How closely tickets follow their pull requests and issues on GitHub.',
    tags: ['advanced'],
  },
  coverage: {
    group: 'planning',
    about: 'How thoroughly the interview, the PRD and the bead plan are checked for gaps.',
    tags: ['advanced'],
  },
} as const satisfies Readonly<Record<string, SettingObject>>;
