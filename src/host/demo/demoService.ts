import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { endUnusedServers } from '../../adapters/opencode/server/endServer.ts';
import { findGit, findProgram } from '../../adapters/system/programs.ts';
import { OwnerFile } from '../../adapters/store/sqlite/ownerFile.ts';
import type { AppOptions } from '../../app/createApp.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketInput } from '../../domain/ticket/ticket.ts';
import type { Demo, DemoPlace } from '../../views/demo/demo.ts';
import type { Repositories } from '../../views/shared/repositories.ts';
import { lookForOpencode, findRepository } from '../repositories/findRepository.ts';
import { type DemoEntry, type Demos, stateFolderOf } from './demos.ts';
import { commands, workspace } from 'vscode';
import { commandId } from '../../views/commands/commands.ts';
import { untilTrusted } from '../../views/demo/untilTrusted.ts';
import { focusView } from '../../views/tickets/ticketsViewId.ts';

interface DemoDeskOptions {
  readonly demos: Demos;
  readonly usualFolder: string;
  /** The setting for OpenCode's binary. */
  readonly binary: () => string | undefined;
  readonly env: AppOptions['env'];
  readonly repositories: Pick<Repositories, 'entries'> & {
    without(roots: readonly string[], work: () => Promise<void>): Promise<void>;
  };
}

/** Oldest major version of Node.js that the sample's own tests run with. */
const oldestNode = 20;

/** Makes demos, has them opened, and removes them. The sample is loaded when it is needed. */
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

/** Continues the ticket of a demo that was opened to see it run, once the folder is trusted. */
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
