// The rooms of src/ and the arrows between them: the table of docs/ARCHITECTURE.md as data. Lint computes each folder's forbidden imports
// from it, and test/unit/house.test.ts reads the same table, so that there is one place to change and none to forget.

/**
 * @typedef {object} Room
 * @property {readonly string[]} imports  rooms it may import, besides itself
 * @property {boolean} vscode             may import `vscode`
 * @property {boolean} node               may import Node built-ins and use what only a process has (timers, environment, console)
 */

const core = ['base', 'domain', 'context', 'engine'];

/** @type {Readonly<Record<string, Room>>} */
export const rooms = {
  base: { imports: [], vscode: false, node: false },
  domain: { imports: ['base'], vscode: false, node: false },
  protocol: { imports: ['base', 'domain'], vscode: false, node: false },
  context: { imports: ['base', 'domain'], vscode: false, node: false },
  engine: { imports: ['base', 'domain'], vscode: false, node: false },
  phases: { imports: core, vscode: false, node: false },
  adapters: { imports: core, vscode: false, node: true },
  app: { imports: [...core, 'protocol', 'phases', 'adapters'], vscode: false, node: true },
  demo: { imports: ['base', 'domain'], vscode: false, node: true },
  language: { imports: ['base', 'domain', 'protocol'], vscode: false, node: true },
  views: { imports: ['base', 'domain', 'protocol', 'context'], vscode: true, node: false },
  host: { imports: [...core, 'protocol', 'phases', 'adapters', 'app', 'demo', 'language', 'views'], vscode: true, node: true },
  cli: { imports: [...core, 'protocol', 'phases', 'adapters', 'app', 'demo'], vscode: false, node: true },
};

/** The front door may use these and `vscode`. */
export const frontDoor = { file: 'extension.ts', imports: ['base', 'host'] };

/** Rooms whose results must be the same on every run: no clock, no chance, no process. */
export const pureRooms = ['base', 'domain', 'protocol', 'context', 'engine', 'phases'];

/** A package (or built-in) that only one place knows. Everyone else asks that place. */
export const owners = {
  '@opencode-ai/sdk': ['adapters/opencode'],
  'simple-git': ['adapters/git'],
  'node:sqlite': ['adapters/store'],
  'gpt-tokenizer': ['adapters/tokens'],
  jsonrepair: ['phases/shared/structured'],
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
export const maxLines = 400;
