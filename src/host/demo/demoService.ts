import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { endUnusedServers } from '../../adapters/opencode/server/endServer.ts';
import { findGit, findProgram } from '../../adapters/system/programs.ts';
import { OwnerFile } from '../../adapters/store/sqlite/ownerFile.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketInput } from '../../domain/ticket/ticket.ts';
import type { Demo, DemoPlace, Rehearse } from '../../views/demo/demo.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { lookForOpencode, findRepository } from '../repositories/findRepository.ts';
import { stateFolderOf, type DemoEntry, type Demos } from './demos.ts';
import { commands, workspace, l10n, window } from 'vscode';
import { commandId } from '../../views/commands/commands.ts';
import { focusView } from '../../views/tickets/ticketsViewId.ts';

interface DemoDeskOptions {
  readonly demos: Demos;
  readonly usualFolder: string;
  readonly binary: () => string | undefined;
  readonly env: AppOptions['env'];
  readonly repositories: Pick<Repositories, 'entries'> & {
    without(roots: readonly string[], work: () => Promise<void>): Promise<void>;
  };
}

const oldestNode = 20;

/** For the sample's tests. */
export class DemoService implements Demo {
  readonly #options: DemoDeskOptions;

  constructor(options: DemoDeskOptions) {
    this.#options = options;
  }

  get usualFolder(): string {
    return this.#options.usualFolder;
  }

  async ticket(): Promise<TicketInput> {
    return (await import('../../demo/sample/ticket.ts')).sampleTicket;
  }

  all(): Promise<readonly DemoPlace[]> {
    return this.#options.demos.all();
  }

  async check(): Promise<{ readonly hasOpencode: boolean }> {
    const { env, binary } = this.#options;
    await versionOf(findGit(env), 'git', env);
    const node = `Node.js ${String(oldestNode)}`;
    const found = findProgram(process.platform === 'win32' ? ['node.exe'] : ['node'], env);
    if (Number(/^v(\d+)/.exec(await versionOf(found, node, env))?.[1] ?? 0) < oldestNode) throw needs(node);
    const setting = binary();
    return {
      hasOpencode: (await lookForOpencode(setting === undefined ? {} : { binary: setting }, env)) === 'found',
    };
  }

  async make(parent: string): Promise<DemoPlace> {
    const { writeSampleRepository } = await import('../../demo/writeSampleRepository.ts');
    return this.#options.demos.make(parent, (folder) =>
      writeSampleRepository(folder, findGit(this.#options.env)),
    );
  }

  async expect(place: DemoPlace): Promise<void> {
    const entry = await this.#entryOf(place);
    if (entry) await this.#options.demos.expect(entry);
  }

  async remove(place: DemoPlace): Promise<void> {
    const { demos, repositories } = this.#options;
    const entry = await this.#entryOf(place);
    if (!entry) return;
    const here: string[] = [];
    for (const { root } of repositories.entries) if ((await demos.of(root))?.id === entry.id) here.push(root);
    await repositories.without(here, async () => {
      const isDriven = (await OwnerFile.current(stateFolderOf(entry))) !== undefined;
      if (isDriven || !(await endUnusedServers(stateFolderOf(entry))))
        throw new BeadsmithError('DEMO_IN_USE', { path: entry.repository });
      await demos.remove(entry);
    });
  }

  async #entryOf(place: DemoPlace): Promise<DemoEntry | undefined> {
    return (await this.#options.demos.all()).find(({ folder }) => folder === place.folder);
  }
}

async function versionOf(program: string | undefined, name: string, env: AppOptions['env']): Promise<string> {
  if (program === undefined) throw needs(name);
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      env: { ...env },
      timeout: 10_000,
      windowsHide: true,
    });
    return stdout;
  } catch {
    throw needs(name);
  }
}

function needs(program: string): BeadsmithError {
  return new BeadsmithError('DEMO_NEEDS', { program });
}

/** Continues an expected demo, once the folder is trusted. */
export async function goOnWithExpectedDemo(demos: Demos): Promise<void> {
  const folders = (workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  for (const folder of folders) {
    const root = await findRepository(folder);
    const demo = root === undefined ? undefined : await demos.of(root);
    if (!demo || !(await demos.isExpected(demo))) continue;
    await commands.executeCommand(focusView);
    await untilTrusted();
    if (await demos.takeExpected(demo)) await commands.executeCommand(commandId('tryDemo'));
  }
}

/** In characters. */
const mostText = 1_000_000;

/**
 * Rehearses by the command line in an own process, because a repository's copy must not run in this one
 * (docs/decisions/152-rehearsals.md).
 */
export function rehearseBy(
  binary: () => string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Rehearse {
  return async ({ root, ticket, signal, onLine }) => {
    const opencode = binary();
    const args = [
      program(),
      'rehearse',
      ticket,
      '--repo',
      root,
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    ];
    // The editor's executable is a Node only with this.
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let text = '';
    const hear = (chunk: Buffer): void => {
      text = (text + chunk.toString()).slice(0, mostText);
      const line = text.trimEnd().split('\n').at(-1)?.trim() ?? '';
      if (line !== '') onLine(line);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    // It removes the copy.
    const stop = (): void => void child.kill('SIGTERM');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    const ended = Promise.withResolvers<number | null>();
    child.once('error', ended.reject);
    child.once('close', ended.resolve);
    try {
      return { isWhole: (await ended.promise) === 0, text };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

function program(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../../dist/cli.js' : './cli.js', here));
}

async function untilTrusted(): Promise<void> {
  if (workspace.isTrusted) return;
  const granted = new Promise<void>((resolve) => {
    const listening = workspace.onDidGrantWorkspaceTrust(() => {
      listening.dispose();
      resolve();
    });
  });
  void offerTrust();
  await granted;
}

async function offerTrust(): Promise<void> {
  const manage = l10n.t('Manage Workspace Trust');
  const answer = await window.showInformationMessage(
    l10n.t(
      'The demo starts when you trust this folder, which Beadsmith just created. Nothing runs until then.',
    ),
    manage,
  );
  if (answer === manage) await commands.executeCommand('workbench.trust.manage');
}
