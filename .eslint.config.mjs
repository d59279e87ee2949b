// Zero warnings, and no list of excused files: a rule that needs guests is changed here, for everyone.
import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
import { frontDoor, maxLines, owners, pageImports, pureRooms, rooms } from './.build/rooms.mjs';

const ambient = {
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
  [
    'NewExpression[callee.name="Date"][arguments.length=0]',
    'Time comes in by the clock port. (`new Date(ms)` of a recorded time is fine.)',
  ],
  ['CallExpression[callee.name="Date"]', 'Time comes in by the clock port.'],
  ['MemberExpression[object.name="Date"][property.name="now"]', 'Time comes in by the clock port.'],
  ['MemberExpression[object.name="Math"][property.name="random"]', 'Chance comes in by a port; ids are derived.'],
  ['MemberExpression[object.name="AbortSignal"][property.name="timeout"]', 'Limits come in by the clock port.'],
].map(([selector, message]) => ({ selector, message }));

const zodAsNamespace = {
  selector: 'ImportDeclaration[source.value="zod"] > :matches(ImportSpecifier, ImportDefaultSpecifier)',
  message: 'Import * as z: the bundles then hold only what is used of it.',
};

/** What a folder may not import by name: `vscode`, Node built-ins, and the packages that belong to another folder. */
function forbiddenPackages({ vscode, node }, folder) {
  const paths = [];
  const patterns = [];
  if (!vscode) paths.push({ name: 'vscode', message: 'Only views/, host/ and extension.ts know the editor.' });
  if (!node) {
    const names = builtinModules.filter((name) => !name.startsWith('_'));
    paths.push(...names.map((name) => ({ name, message: 'This room has no Node built-ins: declare a port and let an adapter serve it.' })));
    patterns.push({ regex: '^node:', message: 'This room has no Node built-ins: declare a port and let an adapter serve it.' });
  }
  for (const [name, places] of Object.entries(owners)) {
    if (places.some((place) => folder === place || folder.startsWith(`${place}/`))) continue;
    const message = `Only ${places.join(', ')} may import ${name}.`;
    patterns.push({ regex: `^${name}(/|$)`, message });
  }
  return { 'no-restricted-imports': ['error', { paths, patterns }] };
}

const roomRules = Object.entries(rooms).map(([room, may]) => ({
  files: [`src/${room}/**/*.ts`],
  rules: forbiddenPackages(may, room),
}));

/** Pages run in a browser: neither the editor's API nor Node is there. */
const pageRules = { files: ['webview-ui/**/*.{ts,tsx}'], rules: forbiddenPackages({ vscode: false, node: false }, 'webview-ui') };

// An owner is a folder inside a room; the whole set is computed again for it, because a later rule replaces an earlier one.
const ownerRules = [...new Set(Object.values(owners).flat())]
  .filter((place) => place.includes('/'))
  .map((place) => ({ files: [`src/${place}/**/*.ts`], rules: forbiddenPackages(rooms[place.split('/')[0]], place) }));

/** Where a room names a shared folder, its other folders don't import each other. */
const folderZones = Object.entries(rooms).flatMap(([room, { shared }]) => {
  if (shared === undefined) return [];
  const entries = readdirSync(`${import.meta.dirname}/src/${room}`, { withFileTypes: true });
  const [folders, files] = [entries.filter((entry) => entry.isDirectory()), entries.filter((entry) => entry.isFile())];
  return folders.map(({ name }) => ({
    target: `./src/${room}/${name}`,
    from: `./src/${room}`,
    except: [...new Set([name, shared, ...files.map((file) => file.name)])].map((path) => `./${path}`),
    message: `Folders of ${room}/ share only ${shared}/.`,
  }));
});

const zones = [
  ...folderZones,
  ...Object.entries(rooms).map(([room, { imports }]) => ({
    target: `./src/${room}`,
    from: './src',
    except: [room, ...imports].map((name) => `./${name}`),
    message: `${room}/ may import only: ${[...imports].join(', ') || 'nothing'}. Arrows point down.`,
  })),
  {
    target: `./src/${frontDoor.file}`,
    from: './src',
    except: frontDoor.imports.map((name) => `./${name}`),
    message: 'The front door only opens: see host/.',
  },
  { target: './src', from: ['./test', './.build', './webview-ui'], message: 'What ships does not import tests, scripts or pages.' },
  {
    target: './webview-ui',
    from: './src',
    except: pageImports.map((name) => `./${name}`),
    message: 'A page knows protocol/, domain/ and base/.',
  },
];

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', '.cache/', 'test/output/', 'test/fixtures/', 'test/**/fixtures/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['src/**/*.ts', 'test/**/*.ts', 'webview-ui/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { 'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] }, 'import-x/extensions': ['.ts', '.tsx'] },
    rules: {
      'max-lines': ['error', { max: maxLines, skipBlankLines: false, skipComments: false }],
      'import-x/no-cycle': 'error',
      'import-x/no-default-export': 'error',
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'import-x/no-unassigned-import': ['error', { allow: ['**/*.css', '@vscode-elements/**'] }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Both misread good code: `Promise.withResolvers<void>()`, and a record used as a map.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      'no-restricted-syntax': ['error', zodAsNamespace],
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  ...roomRules,
  pageRules,
  ...ownerRules,
  { files: [`src/${frontDoor.file}`], rules: { 'max-lines': ['error', { max: 60 }] } },
  {
    files: pureRooms.map((room) => `src/${room}/**/*.ts`),
    rules: {
      'no-restricted-globals': ['error', ...Object.entries(ambient).map(([name, use]) => ({ name, message: `Use ${use}.` }))],
      'no-restricted-syntax': ['error', zodAsNamespace, ...noAmbient],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // A fake keeps the port's shape even where it has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
  {
    files: ['.build/**/*.{mjs,cjs}', '*.mjs', '.*.mjs'],
    rules: { 'no-unused-vars': 'error', 'prefer-const': 'error', eqeqeq: 'error', 'max-lines': ['error', { max: maxLines }] },
  },
);
