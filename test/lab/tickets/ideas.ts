/** `council`: other members that plan. */
export interface Idea {
  readonly title: string;
  readonly description: string;
  readonly council: 0 | 1 | 2;
}

const things = [
  'release notes', 'error messages', 'a changelog', 'retry rules', 'a glossary',
  'examples', 'limits', 'a migration guide', 'warnings', 'benchmarks',
  'supported versions', 'a security note', 'aliases', 'defaults', 'time zones',
  'a style guide', 'deprecations', 'test data', 'feature flags', 'a road map',
]; // prettier-ignore
const verbs = ['Document', 'Check', 'List'];
const wishes = [
  'Add notes on {0}: short, tested, and easy to find.',
  'People ask for {0} # again and again.\n\n- keep it small\n- `node --test` must pass',
  '{0}? "Yes", said everybody; see C:\\new and #12.',
  'Write down {0} (1.10, not 1.1).',
];

/** Twenty are planned by two models, eight by three, and the others by one. */
export const ideas: readonly Idea[] = Array.from({ length: 60 }, (_, index) => {
  const thing = things[index % things.length] ?? '';
  const wish = wishes[index % wishes.length] ?? '';
  return {
    title: `${verbs[Math.floor(index / things.length)] ?? ''} ${thing}`,
    description: wish.replace('{0}', thing),
    council: index % 3 === 0 ? 1 : index % 5 === 0 ? 2 : 0,
  };
});
