// The rooms of src/ and what each may import: the table of docs/ARCHITECTURE.md §3 as data. Lint computes
// each folder's forbidden imports from it, and test/unit/house.test.ts reads the same table, so that there is
// one place to change and none to forget.

/**
 * @typedef {object} Room
 * @property {string} about what is in it, as docs/ARCHITECTURE.md prints it
 * @property {readonly string[]} imports rooms it may import, besides itself
 * @property {boolean} vscode may import `vscode`
 * @property {boolean} node may import Node built-ins and use what only a process has (timers, environment,
 * console)
 * @property {string} [shared] of its folders, this one imports none, and the others only this one
 */

const core = ['base', 'domain', 'context', 'engine'];

/** @type {Readonly<Record<string, Room>>} */
export const rooms = {
  base: { about: 'helpers that know nothing of tickets', imports: [], vscode: false, node: false },
  domain: {
    about: 'what things are: the workflow and stage tables, schemas, errors, settings',
    imports: ['base'],
    vscode: false,
    node: false,
  },
  protocol: {
    about: 'what processes and pages say to each other: the client API, page contracts, CLI events',
    imports: ['base', 'domain'],
    vscode: false,
    node: false,
  },
  context: {
    about: 'what goes into a model call: slices, sections, order, budget, prompt files',
    imports: ['base', 'domain'],
    vscode: false,
    node: false,
  },
  engine: {
    about: 'runs tickets durably: journal, steps, transitions; declares the ports',
    imports: ['base', 'domain'],
    vscode: false,
    node: false,
  },
  phases: {
    about: 'what happens in a status, one handler per file',
    imports: core,
    vscode: false,
    node: false,
    shared: 'shared',
  },
  adapters: {
    about: 'the outside world, one folder per port',
    imports: core,
    vscode: false,
    node: true,
    shared: 'system',
  },
  app: {
    about: 'composition without an editor',
    imports: [...core, 'protocol', 'phases', 'adapters'],
    vscode: false,
    node: true,
  },
  demo: {
    about: 'the sample repository, its ticket, and the scripted model',
    imports: ['base', 'domain'],
    vscode: false,
    node: true,
  },
  language: {
    about: 'the language server for documents, a process of its own',
    imports: ['base', 'domain', 'protocol'],
    vscode: false,
    node: true,
  },
  views: {
    about: 'what a person sees in the editor',
    imports: ['base', 'domain', 'protocol', 'context'],
    vscode: true,
    node: false,
  },
  host: {
    about: 'VS Code wiring',
    imports: [...core, 'protocol', 'phases', 'adapters', 'app', 'demo', 'language', 'views'],
    vscode: true,
    node: true,
  },
  cli: {
    about: 'the command line',
    imports: [...core, 'protocol', 'phases', 'adapters', 'app', 'demo'],
    vscode: false,
    node: true,
  },
};

/** The front door may use these and `vscode`. */
export const frontDoor = { file: 'extension.ts', imports: ['base', 'host'] };

/** Rooms whose results must be the same on every run: no clock, no chance, no process. */
export const pureRooms = ['base', 'domain', 'protocol', 'context', 'engine', 'phases'];

/** A package (or built-in) that only one place knows. Everyone else asks that place. */
export const owners = {
  '@opencode-ai/sdk': ['adapters/opencode'],
  'simple-git': ['adapters/git'],
  '@octokit/core': ['adapters/forge/github'],
  'node:sqlite': ['adapters/store'],
  'gpt-tokenizer': ['adapters/tokens'],
  '@secretlint/core': ['adapters/secrets'],
  '@secretlint/secretlint-rule-preset-recommend': ['adapters/secrets'],
  jsonrepair: ['phases/shared/structured', 'adapters/opencode'],
  '@noble/hashes': ['base'],
  preact: ['webview-ui'],
  '@vscode-elements/elements': ['webview-ui'],
  '@dagrejs/dagre': ['webview-ui'],
  '@vscode/l10n': ['webview-ui'],
  'vscode-languageclient': ['host'],
  'vscode-languageserver': ['language'],
  'vscode-languageserver-textdocument': ['language'],
};

/** What a page (a folder of webview-ui/) may import of src/. */
export const pageImports = ['base', 'domain', 'protocol'];

/** The wall, for every source file. About 100 lines is typical. */
export const maxLines = 600;

/** So many folders of src/ may be in circles: folders that import each other, over others too. It only falls. */
export const mostInCircles = 9;

/** How wide a comment may be; Prettier wraps the code. */
export const maxColumns = 110;

/** So many files may lie flat in a folder of src/. More are grouped by concept. */
export const maxFlat = 25;
