import * as l10n from '@vscode/l10n';

/** `code`: commands and paths. What a document has besides its fields is kept and not shown. */
export type Field = { readonly key: string; readonly label: string } & (
  | { readonly kind: 'text'; readonly code?: boolean; readonly lines?: boolean }
  | { readonly kind: 'texts'; readonly code?: boolean }
  | { readonly kind: 'check' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  /** `item`: what one of them is called, before its title; `make`: a new one. */
  | {
      readonly kind: 'items';
      readonly item: string;
      readonly make: () => unknown;
      readonly fields: readonly Field[];
    }
);

type Option = readonly [value: string, label: string];

const texts = (key: string, label: string): Field => ({ kind: 'texts', key, label });
const commands = (key: string, label: string): Field => ({ kind: 'texts', key, label, code: true });
const text = (key: string, label: string): Field => ({ kind: 'text', key, label });
const code = (key: string, label: string): Field => ({ kind: 'text', key, label, code: true });
const long = (key: string, label: string): Field => ({ kind: 'text', key, label, lines: true });
const check = (key: string, label: string): Field => ({ kind: 'check', key, label });

function longCode(key: string, label: string): Field {
  return { kind: 'text', key, label, code: true, lines: true };
}

function choice(key: string, label: string, options: readonly Option[]): Field {
  return { kind: 'choice', key, label, options };
}

function group(key: string, label: string, fields: readonly Field[]): Field {
  return { kind: 'group', key, label, fields };
}

function items(
  key: string,
  label: string,
  item: string,
  make: () => unknown,
  fields: readonly Field[],
): Field {
  return { kind: 'items', key, label, item, make, fields };
}

const newStory = () => ({
  id: '',
  title: '',
  interview_refs: [],
  acceptance_criteria: [''],
  implementation_steps: [],
  verification: { required_commands: [] },
});

export const prdFields = (): readonly Field[] => [
  group('product', l10n.t('Product'), [
    long('problem_statement', l10n.t('Problem')),
    texts('target_users', l10n.t('Target users')),
  ]),
  group('scope', l10n.t('Scope'), [
    texts('in_scope', l10n.t('In scope')),
    texts('out_of_scope', l10n.t('Out of scope')),
  ]),
  items(
    'epics',
    l10n.t('Epics'),
    l10n.t('Epic'),
    () => ({ id: '', title: '', objective: '', implementation_steps: [], user_stories: [newStory()] }),
    [
      text('title', l10n.t('Title')),
      long('objective', l10n.t('Objective')),
      items('user_stories', l10n.t('User stories'), l10n.t('Story'), newStory, [
        text('title', l10n.t('Title')),
        texts('interview_refs', l10n.t('Interview questions')),
        texts('acceptance_criteria', l10n.t('Acceptance criteria')),
        texts('implementation_steps', l10n.t('Implementation steps')),
        group('verification', l10n.t('Verification'), [commands('required_commands', l10n.t('Commands'))]),
      ]),
      texts('implementation_steps', l10n.t('Implementation steps')),
    ],
  ),
  group('technical_requirements', l10n.t('Technical requirements'), [
    texts('architecture_constraints', l10n.t('Architecture')),
    texts('data_model', l10n.t('Data model')),
    texts('api_contracts', l10n.t('API contracts')),
    texts('security_constraints', l10n.t('Security')),
    texts('performance_constraints', l10n.t('Performance')),
    texts('reliability_constraints', l10n.t('Reliability')),
    texts('error_handling_rules', l10n.t('Error handling')),
    texts('tooling_assumptions', l10n.t('Tooling')),
  ]),
  texts('risks', l10n.t('Risks')),
];

export const setupFields = (): readonly Field[] => [
  long('summary', l10n.t('Summary')),
  group('readiness', l10n.t('Readiness'), [
    choice('status', l10n.t('Status'), [
      ['ready', l10n.t('Ready: no action required')],
      ['partial', l10n.t('Partly ready')],
      ['missing', l10n.t('Not ready')],
    ]),
    check('actions_required', l10n.t('Action required')),
    texts('evidence', l10n.t('Evidence')),
    texts('gaps', l10n.t('Gaps')),
  ]),
  items(
    'steps',
    l10n.t('Steps'),
    l10n.t('Step'),
    () => ({
      id: '',
      title: '',
      purpose: '',
      commands: [''],
      required: true,
      rationale: '',
      cautions: [],
    }),
    [
      text('title', l10n.t('Title')),
      long('purpose', l10n.t('Purpose')),
      commands('commands', l10n.t('Commands')),
      check('required', l10n.t('Required')),
      long('rationale', l10n.t('Rationale')),
      texts('cautions', l10n.t('Cautions')),
    ],
  ),
  items(
    'inputs',
    l10n.t('Ignored files to provide in the worktree'),
    l10n.t('File'),
    () => ({ path: '', use: 'copy', reason: '' }),
    [
      code('path', l10n.t('Path')),
      choice('use', l10n.t('Use'), [
        ['copy', l10n.t('Copy into the worktree')],
        ['link', l10n.t('Link into the worktree')],
        ['leave', l10n.t('Leave out')],
      ]),
      text('reason', l10n.t('Reason')),
    ],
  ),
  items(
    'variables',
    l10n.t('Variables of your environment'),
    l10n.t('Variable'),
    () => ({ name: '', use: 'pass', reason: '' }),
    [
      code('name', l10n.t('Name')),
      choice('use', l10n.t('Use'), [
        ['pass', l10n.t('Pass to commands')],
        ['leave', l10n.t('Leave out')],
      ]),
      text('reason', l10n.t('Reason')),
    ],
  ),
  items(
    'hooks',
    l10n.t('Git hooks that check commits'),
    l10n.t('Hook'),
    () => ({ name: 'pre-commit', use: 'run', reason: '' }),
    [
      choice('name', l10n.t('Name'), [
        ['pre-commit', 'pre-commit'],
        ['commit-msg', 'commit-msg'],
      ]),
      choice('use', l10n.t('Use'), [
        ['run', l10n.t('Run on each commit')],
        ['leave', l10n.t('Leave out')],
      ]),
      text('reason', l10n.t('Reason')),
    ],
  ),
  items(
    'services',
    l10n.t('Services that run beside the commands'),
    l10n.t('Service'),
    () => ({ name: '', start: '', ready: '', ready_timeout_seconds: 60, stop: '' }),
    [
      code('name', l10n.t('Name')),
      longCode('start', l10n.t('Start command')),
      longCode('ready', l10n.t('Ready check command')),
      text('ready_timeout_seconds', l10n.t('Ready timeout in seconds')),
      longCode('stop', l10n.t('Stop command (optional)')),
    ],
  ),
  group('project_commands', l10n.t('Project commands'), [
    commands('prepare', l10n.t('Prepare')),
    commands('test_full', l10n.t('All tests')),
    commands('lint_full', l10n.t('Lint')),
    commands('typecheck_full', l10n.t('Type check')),
    commands('build_full', l10n.t('Build')),
  ]),
  texts('cautions', l10n.t('Cautions')),
  commands('temp_roots', l10n.t('Temporary folders')),
];

/** Dependencies and priority are edited in the graph and the list. */
export const beadFields = (): readonly Field[] => [
  text('title', l10n.t('Title')),
  long('description', l10n.t('Description')),
  texts('acceptanceCriteria', l10n.t('Acceptance criteria')),
  texts('tests', l10n.t('Tests')),
  commands('testCommands', l10n.t('Test commands')),
  long('unprovedReason', l10n.t('Why no command can prove it')),
  commands('targetFiles', l10n.t('Files')),
  texts('prdRefs', l10n.t('PRD references')),
  group('contextGuidance', l10n.t('Guidance'), [
    texts('patterns', l10n.t('Do')),
    texts('anti_patterns', l10n.t('Don’t')),
  ]),
  texts('labels', l10n.t('Labels')),
];
