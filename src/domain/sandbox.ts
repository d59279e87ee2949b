import * as z from 'zod';

/** Whether commands and agents run in a box: never, where this machine can, or else not at all. A setting of the machine, never of a repository. */
export const SandboxSetting = z.enum(['off', 'auto', 'require']);
export type SandboxSetting = z.infer<typeof SandboxSetting>;

/** What the box is made by; `none` where there is none. */
export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

/** Why there is no box: a person turned it off, the system has none, the program isn't installed, or the system forbids it. */
export const SandboxGap = z.enum(['off', 'unsupported', 'missing', 'blocked']);
export type SandboxGap = z.infer<typeof SandboxGap>;
