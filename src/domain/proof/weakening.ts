import * as z from 'zod';

/** Ways to weaken tests, by kind; views translate them. */
export const weakeningLabels = {
  earlier: 'a check fails with the tests as they were before this work',
  deleted: 'a test was deleted',
  skipped: 'a test is skipped',
  narrowed: 'only some of the tests run',
  weakened: 'there are fewer assertions than before',
  changed: 'an assertion of an existing test was changed',
  pretended: 'an assertion can never fail',
  returns: 'a test can end without its assertions',
  swallowed: 'a test ignores its errors',
  replaced: 'a test uses something other than what it tested',
  looser: 'an assertion accepts more than before',
  repaired: 'a check passes on files that it changed itself',
  scripts: 'a script that checks the project was changed',
  configuration: 'the configuration of a check was changed',
  detected: 'the code behaves differently under test',
  unproved: 'nothing that ran would fail without this work',
  unseen: 'failing tests were not seen to pass',
} as const;
const kinds = Object.keys(weakeningLabels) as (keyof typeof weakeningLabels)[];

/** A possible weakening (docs/decisions/050-test-integrity.md). `line`: in the new text. */
export const Weakening = z.object({
  kind: z.enum(kinds),
  path: z.string(),
  line: z.number().int().positive().nullable(),
  text: z.string(),
});
export type Weakening = z.infer<typeof Weakening>;

/** `weakened_tests_receipt:{bead}`: accepted weakenings, and their commit. */
export const WeakenedTests = z.object({
  schema_version: z.literal(1),
  bead_id: z.string(),
  commit: z.string().nullable(),
  content_sha256: z.string(),
  weakenings: z.array(Weakening),
  accepted_by: z.literal('user'),
  accepted_at: z.string(),
});
export type WeakenedTests = z.infer<typeof WeakenedTests>;
