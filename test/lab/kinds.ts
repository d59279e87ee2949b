import type { Kind } from './kind.ts';
import { checkouts } from './kinds/checkouts.ts';
import { contents } from './kinds/contents.ts';
import { languages } from './kinds/languages.ts';
import { machines } from './kinds/machines.ts';
import { policies } from './kinds/policies.ts';
import { suites } from './kinds/suites.ts';
import { workspaces } from './kinds/workspaces.ts';

/** Every kind of repository that the lab knows. */
export const kinds: readonly Kind[] = [
  ...languages,
  ...workspaces,
  ...suites,
  ...checkouts,
  ...contents,
  ...policies,
  ...machines,
];
