// Zero warnings, and no list of excused files: a rule that needs guests is changed here, for everyone. `typeCheck` prints what tsc would print, from
// the same program that the rules are asked about, so that nothing else checks types.
import { builtinModules } from 'node:module';
import { frontDoor, maxLines, owners, pureRooms, rooms } from './.build/rooms.mjs';

const ambient: Readonly<Record<string, string>> = {
  setTimeout: 'a timer port',
  setInterval: 'a timer port',
  setImmediate: 'a timer port',
  process: 'a port, or a value handed in',
  console: 'the log port',
  fetch: 'a port',
  performance: 'the clock port',
  crypto: 'sha256 of base/, or an id of the run',
  Buffer: 'Uint8Array and TextEncoder',
  __dirname: 'a path handed in',
};

const noAmbient = [
  { object: 'Date', property: 'now', message: 'Time comes in by the clock port.' },
  { object: 'Math', property: 'random', message: 'Chance comes in by a port; ids are derived.' },
  { object: 'AbortSignal', property: 'timeout', message: 'Limits come in by the clock port.' },
];

interface Restricted {
  readonly name?: string;
  readonly regex?: string;
  readonly message: string;
}

/** What a folder may not import by name: `vscode`, Node built-ins, and the packages that belong to another folder. */
function forbiddenPackages(
  { vscode, node }: { readonly vscode: boolean; readonly node: boolean },
  folder: string,
): Record<string, unknown> {
  const paths: Restricted[] = [];
  const patterns: Restricted[] = [];
  if (!vscode)
    paths.push({ name: 'vscode', message: 'Only views/, host/ and extension.ts know the editor.' });
  if (!node) {
    const message = 'This room has no Node built-ins: declare a port and let an adapter serve it.';
    paths.push(...builtinModules.filter((name) => !name.startsWith('_')).map((name) => ({ name, message })));
    patterns.push({ regex: '^node:', message });
  }
  for (const [name, places] of Object.entries(owners)) {
    if (places.some((place) => folder === place || folder.startsWith(`${place}/`))) continue;
    patterns.push({ regex: `^${name}(/|$)`, message: `Only ${places.join(', ')} may import ${name}.` });
  }
  return { 'eslint/no-restricted-imports': ['error', { paths, patterns }] };
}

const roomRules = Object.entries(rooms).map(([room, may]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: forbiddenPackages(may, room),
}));

/** Pages run in a browser: neither the editor's API nor Node is there. */
const pageRules = {
  files: ['webview-ui/**/*.{ts,tsx}'],
  rules: forbiddenPackages({ vscode: false, node: false }, 'webview-ui'),
};

// An owner is a folder inside a room; the whole set is computed again for it, because a later rule replaces an earlier one.
const ownerRules = [...new Set(Object.values(owners).flat())]
  .filter((place) => place.includes('/'))
  .flatMap((place) => {
    const may = rooms[place.split('/')[0] ?? ''];
    return may ? [{ files: [`src/${place}/**/*.ts`], rules: forbiddenPackages(may, place) }] : [];
  });

/** Rules without options, each an error: those of typescript-eslint's `strict-type-checked`, by name, so that a new version adds none unseen. */
const typescript = `
  await-thenable ban-ts-comment no-array-delete no-base-to-string no-deprecated no-duplicate-enum-values no-duplicate-type-constituents
  no-empty-object-type no-explicit-any no-extra-non-null-assertion no-extraneous-class no-floating-promises no-for-in-array
  no-generated-empty-object-type no-implied-eval no-meaningless-void-operator no-misused-new no-misused-promises no-misused-spread no-mixed-enums
  no-namespace no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain no-non-null-assertion no-redundant-type-constituents
  no-require-imports no-this-alias no-unnecessary-boolean-literal-compare no-unnecessary-condition no-unnecessary-template-expression
  no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint no-unnecessary-type-conversion
  no-unnecessary-type-parameters no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-assignment
  no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return no-unsafe-unary-minus no-useless-default-assignment
  no-wrapper-object-types only-throw-error prefer-as-const prefer-literal-enum-member prefer-namespace-keyword prefer-promise-reject-errors
  prefer-reduce-type-parameter prefer-return-this-type related-getter-setter-pairs require-await triple-slash-reference unbound-method
  unified-signatures use-unknown-in-catch-callback-variable`;
const eslint =
  'no-array-constructor no-unused-expressions no-useless-constructor no-var prefer-rest-params prefer-spread';
const errors = (plugin: string, names: string): Record<string, unknown> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [`${plugin}/${name}`, 'error']),
  );

/** What scripts are held to as well. */
const common = {
  'eslint/max-lines': ['error', { max: maxLines, skipBlankLines: false, skipComments: false }],
  'eslint/eqeqeq': 'error',
  'eslint/prefer-const': 'error',
};

const typed = {
  ...errors('typescript', typescript),
  ...errors('eslint', eslint),
  'eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'import/no-cycle': 'error',
  'import/no-default-export': 'error',
  'import/no-unassigned-import': ['error', { allow: ['**/*.css', '@vscode-elements/**'] }],
  'typescript/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/restrict-template-expressions': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNever: false,
      allowNullish: false,
      allowNumber: true,
      allowRegExp: false,
    },
  ],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
};

export default {
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error', denyWarnings: true },
  plugins: ['typescript', 'import'],
  categories: { correctness: 'off' },
  ignorePatterns: [
    'node_modules/',
    'dist/',
    '.cache/',
    'test/output/',
    'test/fixtures/',
    'test/**/fixtures/',
  ],
  overrides: [
    { files: ['src/**/*.ts', 'test/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], rules: { ...common, ...typed } },
    ...roomRules,
    pageRules,
    ...ownerRules,
    { files: [`src/${frontDoor.file}`], rules: { 'eslint/max-lines': ['error', { max: 60 }] } },
    {
      files: pureRooms.map((room) => `src/${room}/**/*.ts`),
      rules: {
        'eslint/no-restricted-globals': [
          'error',
          ...Object.entries(ambient).map(([name, use]) => ({ name, message: `Use ${use}.` })),
        ],
        'eslint/no-restricted-properties': ['error', ...noAmbient],
      },
    },
    {
      files: ['test/**/*.ts'],
      rules: {
        'typescript/no-non-null-assertion': 'off',
        // A fake keeps the port's shape even where it has nothing to wait for.
        'typescript/require-await': 'off',
        'eslint/no-empty-function': 'off',
      },
    },
    {
      files: ['.build/**/*.{mjs,cjs}', '*.mjs', '.*.mjs', '.*.mts'],
      rules: { ...common, 'eslint/no-unused-vars': 'error' },
    },
  ],
};
