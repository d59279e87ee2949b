import * as l10n from '@vscode/l10n';

/**
 * A field of a document in a form; forms list them in order. `code`: commands and paths. What a document has
 * besides is kept and not shown.
 */
export type Field =
  | {
      readonly kind: 'text';
      readonly key: string;
      readonly label: string;
      readonly code?: true;
      readonly lines?: true;
    }
  | { readonly kind: 'texts'; readonly key: string; readonly label: string; readonly code?: true }
  | { readonly kind: 'check'; readonly key: string; readonly label: string }
  | {
      readonly kind: 'choice';
      readonly key: string;
      readonly label: string;
      readonly options: readonly (readonly [string, string])[];
    }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly label: string;
      readonly fields: readonly Field[];
    }
  /** `item`: what one of them is called, before its title; `make`: a new one. */
  | {
      readonly kind: 'items';
      readonly key: string;
      readonly label: string;
      readonly item: string;
      readonly fields: readonly Field[];
      readonly make: () => unknown;
    };

const texts = (key: string, label: string): Field => ({ kind: 'texts', key, label });
const commands = (key: string, label: string): Field => ({ kind: 'texts', key, label, code: true });
const text = (key: string, label: string): Field => ({ kind: 'text', key, label });
const long = (key: string, label: string): Field => ({ kind: 'text', key, label, lines: true });

const newStory = () => ({
  id: '',
  title: '',
  interview_refs: [],
  acceptance_criteria: [''],
  implementation_steps: [],
  verification: { required_commands: [] },
});

export const prdFields = (): readonly Field[] => [
  {
    kind: 'group',
    key: 'product',
    label: l10n.t('Product'),
    fields: [long('problem_statement', l10n.t('Problem')), texts('target_users', l10n.t('Target users'))],
  },
  {
    kind: 'group',
    key: 'scope',
    label: l10n.t('Scope'),
    fields: [texts('in_scope', l10n.t('In scope')), texts('out_of_scope', l10n.t('Out of scope'))],
  },
  {
    kind: 'items',
    key: 'epics',
    label: l10n.t('Epics'),
    item: l10n.t('Epic'),
    make: () => ({ id: '', title: '', objective: '', implementation_steps: [], user_stories: [newStory()] }),
    fields: [
      text('title', l10n.t('Title')),
      long('objective', l10n.t('Objective')),
      {
        kind: 'items',
        key: 'user_stories',
        label: l10n.t('User stories'),
        item: l10n.t('Story'),
        make: newStory,
        fields: [
          text('title', l10n.t('Title')),
          texts('interview_refs', l10n.t('Interview questions')),
          texts('acceptance_criteria', l10n.t('Acceptance criteria')),
          texts('implementation_steps', l10n.t('Implementation steps')),
          {
            kind: 'group',
            key: 'verification',
            label: l10n.t('Verification'),
            fields: [commands('required_commands', l10n.t('Commands'))],
          },
        ],
      },
      texts('implementation_steps', l10n.t('Implementation steps')),
    ],
  },
  {
    kind: 'group',
    key: 'technical_requirements',
    label: l10n.t('Technical requirements'),
    fields: [
      texts('architecture_constraints', l10n.t('Architecture')),
      texts('data_model', l10n.t('Data model')),
      texts('api_contracts', l10n.t('API contracts')),
      texts('security_constraints', l10n.t('Security')),
      texts('performance_constraints', l10n.t('Performance')),
      texts('reliability_constraints', l10n.t('Reliability')),
      texts('error_handling_rules', l10n.t('Error handling')),
      texts('tooling_assumptions', l10n.t('Tooling')),
    ],
  },
  texts('risks', l10n.t('Risks')),
];

export const setupFields = (): readonly Field[] => [
  long('summary', l10n.t('Summary')),
  {
    kind: 'group',
    key: 'readiness',
    label: l10n.t('Readiness'),
    fields: [
      {
        kind: 'choice',
        key: 'status',
        label: l10n.t('Status'),
        options: [
          ['ready', l10n.t('Ready: no action required')],
          ['partial', l10n.t('Partly ready')],
          ['missing', l10n.t('Not ready')],
        ],
      },
      { kind: 'check', key: 'actions_required', label: l10n.t('Action required') },
      texts('evidence', l10n.t('Evidence')),
      texts('gaps', l10n.t('Gaps')),
    ],
  },
  {
    kind: 'items',
    key: 'steps',
    label: l10n.t('Steps'),
    item: l10n.t('Step'),
    make: () => ({
      id: '',
      title: '',
      purpose: '',
      commands: [''],
      required: true,
      rationale: '',
      cautions: [],
    }),
    fields: [
      text('title', l10n.t('Title')),
      long('purpose', l10n.t('Purpose')),
      commands('commands', l10n.t('Commands')),
      { kind: 'check', key: 'required', label: l10n.t('Required') },
      long('rationale', l10n.t('Rationale')),
      texts('cautions', l10n.t('Cautions')),
    ],
  },
  {
    kind: 'items',
    key: 'inputs',
    label: l10n.t('Ignored files that the work gets'),
    item: l10n.t('File'),
    make: () => ({ path: '', use: 'copy', reason: '' }),
    fields: [
      { kind: 'text', key: 'path', label: l10n.t('Path'), code: true },
      {
        kind: 'choice',
        key: 'use',
        label: l10n.t('Use'),
        options: [
          ['copy', l10n.t('Copy into the worktree')],
          ['link', l10n.t('Link into the worktree')],
          ['leave', l10n.t('Leave out')],
        ],
      },
      text('reason', l10n.t('Reason')),
    ],
  },
  {
    kind: 'items',
    key: 'variables',
    label: l10n.t('Variables of your environment'),
    item: l10n.t('Variable'),
    make: () => ({ name: '', use: 'pass', reason: '' }),
    fields: [
      { kind: 'text', key: 'name', label: l10n.t('Name'), code: true },
      {
        kind: 'choice',
        key: 'use',
        label: l10n.t('Use'),
        options: [
          ['pass', l10n.t('Pass to commands')],
          ['leave', l10n.t('Leave out')],
        ],
      },
      text('reason', l10n.t('Reason')),
    ],
  },
  {
    kind: 'items',
    key: 'hooks',
    label: l10n.t('Git hooks that check commits'),
    item: l10n.t('Hook'),
    make: () => ({ name: 'pre-commit', use: 'run', reason: '' }),
    fields: [
      {
        kind: 'choice',
        key: 'name',
        label: l10n.t('Name'),
        options: [
          ['pre-commit', 'pre-commit'],
          ['commit-msg', 'commit-msg'],
        ],
      },
      {
        kind: 'choice',
        key: 'use',
        label: l10n.t('Use'),
        options: [
          ['run', l10n.t('Run on each commit')],
          ['leave', l10n.t('Leave out')],
        ],
      },
      text('reason', l10n.t('Reason')),
    ],
  },
  {
    kind: 'items',
    key: 'services',
    label: l10n.t('Services that run beside the commands'),
    item: l10n.t('Service'),
    make: () => ({ name: '', start: '', ready: '', ready_timeout_seconds: 60, stop: '' }),
    fields: [
      { kind: 'text', key: 'name', label: l10n.t('Name'), code: true },
      { kind: 'text', key: 'start', label: l10n.t('Start command'), code: true, lines: true },
      { kind: 'text', key: 'ready', label: l10n.t('Succeeds when it is ready'), code: true, lines: true },
      text('ready_timeout_seconds', l10n.t('Seconds until it has to be ready')),
      { kind: 'text', key: 'stop', label: l10n.t('Stop command (optional)'), code: true, lines: true },
    ],
  },
  {
    kind: 'group',
    key: 'project_commands',
    label: l10n.t('Project commands'),
    fields: [
      commands('prepare', l10n.t('Prepare')),
      commands('test_full', l10n.t('All tests')),
      commands('lint_full', l10n.t('Lint')),
      commands('typecheck_full', l10n.t('Type check')),
      commands('build_full', l10n.t('Build')),
    ],
  },
  {
    kind: 'group',
    key: 'quality_gate_policy',
    label: l10n.t('Quality gates'),
    fields: [
      text('tests', l10n.t('Tests')),
      text('lint', l10n.t('Lint')),
      text('typecheck', l10n.t('Type check')),
      text('full_project_fallback', l10n.t('Whole project')),
    ],
  },
  texts('cautions', l10n.t('Cautions')),
  commands('temp_roots', l10n.t('Temporary folders')),
];

/** A bead's planning fields; its dependencies and priority are edited in the graph and the list. */
export const beadFields = (): readonly Field[] => [
  text('title', l10n.t('Title')),
  long('description', l10n.t('Description')),
  texts('acceptanceCriteria', l10n.t('Acceptance criteria')),
  texts('tests', l10n.t('Tests')),
  commands('testCommands', l10n.t('Test commands')),
  long('unprovedReason', l10n.t('Why no command can prove it')),
  commands('targetFiles', l10n.t('Files')),
  texts('prdRefs', l10n.t('PRD references')),
  {
    kind: 'group',
    key: 'contextGuidance',
    label: l10n.t('Guidance'),
    fields: [texts('patterns', l10n.t('Do')), texts('anti_patterns', l10n.t('Don’t'))],
  },
  texts('labels', l10n.t('Labels')),
];
