import type { ApprovalText } from '../../src/protocol/pages/approvalTexts.ts';

/** What a form shows of a document, in order. `code`: commands and paths. What a document has besides is kept and not shown. */
export type Field =
  | { readonly kind: 'text'; readonly key: string; readonly label: ApprovalText; readonly code?: true; readonly lines?: true }
  | { readonly kind: 'texts'; readonly key: string; readonly label: ApprovalText; readonly code?: true }
  | { readonly kind: 'check'; readonly key: string; readonly label: ApprovalText }
  | {
      readonly kind: 'choice';
      readonly key: string;
      readonly label: ApprovalText;
      readonly options: readonly (readonly [string, ApprovalText])[];
    }
  | { readonly kind: 'group'; readonly key: string; readonly label: ApprovalText; readonly fields: readonly Field[] }
  /** `item`: what one of them is called, before its title; `make`: a new one. */
  | {
      readonly kind: 'items';
      readonly key: string;
      readonly label: ApprovalText;
      readonly item: ApprovalText;
      readonly fields: readonly Field[];
      readonly make: () => unknown;
    };

const texts = (key: string, label: ApprovalText): Field => ({ kind: 'texts', key, label });
const commands = (key: string, label: ApprovalText): Field => ({ kind: 'texts', key, label, code: true });
const text = (key: string, label: ApprovalText): Field => ({ kind: 'text', key, label });
const long = (key: string, label: ApprovalText): Field => ({ kind: 'text', key, label, lines: true });

const newStory = () => ({
  id: '',
  title: '',
  acceptance_criteria: [''],
  implementation_steps: [],
  verification: { required_commands: [] },
});

export const prdFields: readonly Field[] = [
  {
    kind: 'group',
    key: 'product',
    label: 'product',
    fields: [long('problem_statement', 'problem'), texts('target_users', 'targetUsers')],
  },
  { kind: 'group', key: 'scope', label: 'scope', fields: [texts('in_scope', 'inScope'), texts('out_of_scope', 'outOfScope')] },
  {
    kind: 'items',
    key: 'epics',
    label: 'epics',
    item: 'epic',
    make: () => ({ id: '', title: '', objective: '', implementation_steps: [], user_stories: [newStory()] }),
    fields: [
      text('title', 'title'),
      long('objective', 'objective'),
      {
        kind: 'items',
        key: 'user_stories',
        label: 'stories',
        item: 'story',
        make: newStory,
        fields: [
          text('title', 'title'),
          texts('acceptance_criteria', 'criteria'),
          texts('implementation_steps', 'steps'),
          { kind: 'group', key: 'verification', label: 'verification', fields: [commands('required_commands', 'commands')] },
        ],
      },
      texts('implementation_steps', 'steps'),
    ],
  },
  {
    kind: 'group',
    key: 'technical_requirements',
    label: 'technical',
    fields: [
      texts('architecture_constraints', 'architecture'),
      texts('data_model', 'dataModel'),
      texts('api_contracts', 'apiContracts'),
      texts('security_constraints', 'security'),
      texts('performance_constraints', 'performance'),
      texts('reliability_constraints', 'reliability'),
      texts('error_handling_rules', 'errorHandling'),
      texts('tooling_assumptions', 'tooling'),
    ],
  },
  texts('risks', 'risks'),
];

export const setupFields: readonly Field[] = [
  long('summary', 'summary'),
  {
    kind: 'group',
    key: 'readiness',
    label: 'readiness',
    fields: [
      {
        kind: 'choice',
        key: 'status',
        label: 'readinessStatus',
        options: [
          ['ready', 'ready'],
          ['partial', 'partial'],
          ['missing', 'missing'],
        ],
      },
      { kind: 'check', key: 'actions_required', label: 'actionsRequired' },
      texts('evidence', 'evidence'),
      texts('gaps', 'gaps'),
    ],
  },
  {
    kind: 'items',
    key: 'steps',
    label: 'setupSteps',
    item: 'setupStep',
    make: () => ({ id: '', title: '', purpose: '', commands: [''], required: true, rationale: '', cautions: [] }),
    fields: [
      text('title', 'title'),
      long('purpose', 'purpose'),
      commands('commands', 'commands'),
      { kind: 'check', key: 'required', label: 'required' },
      long('rationale', 'rationale'),
      texts('cautions', 'cautions'),
    ],
  },
  {
    kind: 'group',
    key: 'project_commands',
    label: 'projectCommands',
    fields: [
      commands('prepare', 'prepare'),
      commands('test_full', 'testFull'),
      commands('lint_full', 'lintFull'),
      commands('typecheck_full', 'typecheckFull'),
    ],
  },
  {
    kind: 'group',
    key: 'quality_gate_policy',
    label: 'policy',
    fields: [
      text('tests', 'policyTests'),
      text('lint', 'policyLint'),
      text('typecheck', 'policyTypecheck'),
      text('full_project_fallback', 'policyFallback'),
    ],
  },
  texts('cautions', 'cautions'),
  commands('temp_roots', 'tempRoots'),
];

/** A bead's planning fields; its dependencies and priority are edited in the graph and the list. */
export const beadFields: readonly Field[] = [
  text('title', 'title'),
  long('description', 'description'),
  texts('acceptanceCriteria', 'criteria'),
  texts('tests', 'tests'),
  commands('testCommands', 'testCommands'),
  commands('targetFiles', 'files'),
  texts('prdRefs', 'prdRefs'),
  {
    kind: 'group',
    key: 'contextGuidance',
    label: 'guidance',
    fields: [texts('patterns', 'patterns'), texts('anti_patterns', 'antiPatterns')],
  },
  texts('labels', 'labels'),
];
