import * as z from 'zod';
import { MemberText } from '../../council/council.ts';
import { PersonaId } from '../../core/ids.ts';
import { attempts, type SettingObject, type SettingRows } from './row.ts';

/** Settings of "Review". */
export const reviewRows = {
  review: {
    store: 'settings',
    group: 'review',
    // docs/decisions/132-cold-review.md; `completeSettings` resolves `auto`.
    schema: z.enum(['auto', 'off', 'standard', 'party']).default('auto'),
    about:
      'Controls whether another model reviews each bead before it is done. It sees the change, but not how the bead was coded.',
    choices: {
      auto: {
        label: 'Automatic',
        about: '`standard` if the ticket has two models or more, otherwise `off`.',
      },
      off: { label: 'Off', about: 'Beads are done when their checks pass.' },
      standard: {
        label: 'Standard',
        about:
          'One model reviews. Its findings are checked against the change, fixed in a new session, and reviewed again.',
      },
      party: {
        label: 'Party',
        about:
          "Several personas review, each in its own session, and then confirm or reject each other's findings.",
      },
    },
    option: 'review',
  },
  reviewer: {
    store: 'settings',
    group: 'review',
    schema: z.union([z.literal(''), MemberText]).default(''),
    about:
      'The model that reviews beads, as `provider/model` or `provider/model@variant`. If empty, a council member reviews, if possible from another provider than `#beadsmith.mainImplementer#`.',
    invalid: 'Use the form provider/model or provider/model@variant.',
    option: 'reviewer',
    placeholder: 'PROVIDER/MODEL',
    tags: ['advanced'],
  },
  personas: {
    store: 'settings',
    group: 'review',
    setting: 'party',
    property: 'personas',
    schema: z.array(PersonaId).max(4).default([]),
    about:
      'The personas of every party, by file name, four at most. If empty, each kind of party has its own.',
    invalid: 'A persona is named in kebab-case, with 40 characters at most.',
    option: 'persona',
    placeholder: 'ID',
  },
  partyMode: {
    store: 'settings',
    group: 'review',
    setting: 'party',
    property: 'mode',
    schema: z.enum(['parallel', 'solo']).default('parallel'),
    about:
      'Controls whether each persona of a party has its own session, or one model plays all of them in one session.',
    choices: {
      parallel: { label: 'Parallel', about: 'Each persona has its own session.' },
      solo: {
        label: 'Solo',
        about: "One model plays all personas in one session. Cheaper, but their opinions aren't independent.",
      },
    },
    option: 'party-mode',
  },
  partyRounds: {
    store: 'settings',
    group: 'review',
    setting: 'party',
    property: 'rounds',
    schema: attempts(1, 2, 2),
    about:
      "The number of rounds of a party. In the second round, its members confirm or reject each other's findings.",
    option: 'party-rounds',
  },
  kickoff: {
    store: 'settings',
    group: 'review',
    schema: z.boolean().default(false),
    about:
      'Controls whether personas discuss each bead before it is coded. Their insights are advice for the coder.',
    option: 'kickoff',
    tags: ['advanced'],
  },
  failureAnalysis: {
    store: 'settings',
    group: 'review',
    schema: z.enum(['off', 'inform', 'suggest', 'auto']).default('off'),
    about: 'Controls whether iterations that fail are analyzed, and what happens to the analysis.',
    choices: {
      off: { label: 'Off', about: "Failures aren't analyzed." },
      inform: { label: 'Inform', about: 'The analysis is shown.' },
      suggest: { label: 'Suggest', about: 'The analysis is shown, and you decide whether to follow it.' },
      auto: {
        label: 'Automatic',
        about:
          'The analysis is followed where that is safe: one retry for each cause. Splitting and replanning still need your approval.',
      },
    },
    option: 'failure-analysis',
    tags: ['advanced'],
  },
  retrospective: {
    store: 'settings',
    group: 'review',
    schema: z.boolean().default(false),
    about:
      'Controls whether personas look back at a completed ticket, and write what later tickets should know.',
    option: 'retrospective',
    tags: ['advanced'],
  },
} as const satisfies SettingRows;

/** Settings of this group with several values. */
export const reviewObjects = {
  party: {
    group: 'review',
    about:
      'The personas of every party (reviews, kickoffs, failure analyses, retrospectives), and how they work together.',
    tags: ['advanced'],
  },
} as const satisfies Readonly<Record<string, SettingObject>>;
