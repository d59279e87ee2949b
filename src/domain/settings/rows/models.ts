import * as z from 'zod';
import { Lens, lenses, MemberText } from '../../council/council.ts';
import type { SettingRows } from './row.ts';

const invalid = 'Use the form provider/model or provider/model@variant.';

/** Settings of "Models". */
export const modelRows = {
  mainImplementer: {
    store: 'settings',
    group: 'models',
    schema: MemberText,
    about:
      'The model that plans and codes, as `provider/model` or `provider/model@variant`. If empty, you choose a model when you start a ticket.',
    invalid,
    option: 'model',
    placeholder: 'PROVIDER/MODEL',
  },
  councilMembers: {
    store: 'settings',
    group: 'models',
    schema: z.array(MemberText).max(9).default([]),
    about:
      'Additional models of the planning council, besides `#beadsmith.mainImplementer#`, each as `provider/model` or `provider/model@variant`. If empty, the main implementer plans alone.',
    invalid,
    option: 'council',
    placeholder: 'PROVIDER/MODEL',
  },
  secondImplementer: {
    store: 'settings',
    group: 'models',
    schema: z.union([z.literal(''), MemberText]).default(''),
    about:
      'The model that codes a bead after `#beadsmith.mainImplementer#` failed twice, and always its last iteration. If empty, no other model is tried.',
    invalid,
    option: 'second-model',
    placeholder: 'PROVIDER/MODEL',
    tags: ['advanced'],
  },
  minCouncilQuorum: {
    store: 'settings',
    group: 'models',
    setting: 'council.quorum',
    schema: z.number().int().min(1).max(6).default(2),
    about:
      'The minimum number of council members (`#beadsmith.mainImplementer#` and `#beadsmith.councilMembers#`) that must give a valid answer. If it exceeds the size of the council, all members must answer. In a council of two, one answer is enough.',
    option: 'quorum',
    tags: ['advanced'],
  },
  councilLenses: {
    store: 'settings',
    group: 'models',
    setting: 'council.lenses',
    schema: z
      .array(Lens)
      .max(10)
      .default([...lenses]),
    about:
      'The focus of each council member when it drafts, in the order of the council: `security`, `tests`, `simplicity` or `users`. The list repeats if the council is larger. If empty, no member has a focus.',
    invalid: 'A lens is security, tests, simplicity or users.',
    option: 'lens',
    placeholder: 'LENS',
    tags: ['advanced'],
  },
  structuredOutput: {
    store: 'settings',
    group: 'models',
    schema: z.enum(['auto', 'on', 'off']).default('auto'),
    about:
      "Controls whether planning answers are requested as structured output, with a JSON schema in OpenCode's format. A model that doesn't support it is asked for text instead.",
    choices: {
      auto: { label: 'Automatic', about: 'If OpenCode reports that the model supports it.' },
      on: { label: 'On', about: 'With every model that can call tools.' },
      off: { label: 'Off', about: 'Never.' },
    },
    option: 'structured-output',
    tags: ['advanced'],
  },
} as const satisfies SettingRows;
