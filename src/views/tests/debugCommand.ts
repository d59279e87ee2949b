import { debug, type DebugSession, extensions, l10n, TestMessage, type TestRun, TestTag } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { isConfirmed } from '../shared/quickInput.ts';
import { refusedText, type CommandItem, writeOutput } from './runCommands.ts';

/** Of commands that a debugger can follow. */
export const debugTag = new TestTag('node');

/** One call of a program that runs in Node, without the rest of a shell's language. */
export function isNodeCommand(command: string): boolean {
  return /^(?:[\w./-]*\/)?(?:node|npm|npx|pnpm|yarn|mocha|vitest|jest|tsx)(?: [\w ./,:=@%+*^"'-]*)?$/.test(
    command,
  );
}

/** Asks once for a ticket. */
export class CommandDebugger {
  readonly #asked = new Set<string>();

  async debug(run: TestRun, one: CommandItem, signal: AbortSignal): Promise<void> {
    const { item, place, command } = one;
    const { repository, ticket } = place;
    // A row above is debugged with all below it.
    if (!isNodeCommand(command)) {
      run.errored(
        item,
        new TestMessage(l10n.t('Only a single call of Node.js or one of its tools can be debugged.')),
      );
      return;
    }
    const isThere = debuggers.some((id) => extensions.getExtension(id));
    if (!isThere) {
      run.errored(item, new TestMessage(missingText()));
      return;
    }
    if (!(await this.#mayLeaveSandbox(one))) {
      run.skipped(item);
      return;
    }
    const ready = await repository.commands.prepare(ticket, command);
    if (ready.kind === 'refused') {
      run.errored(item, new TestMessage(refusedText(ticket, ready.reason)));
      return;
    }
    writeOutput(run, item, l10n.t('You debug this in a terminal. It is no evidence and has no result here.'));
    writeOutput(
      run,
      item,
      l10n.t('Files that it changes in the worktree of {0} count as your edits.', ticket),
    );
    const configuration = {
      type: 'node-terminal',
      request: 'launch',
      name: `${ticket}: ${command}`,
      command: ready.command,
      cwd: ready.folder,
    };
    const end = await debugged(configuration, place, signal);
    if (end === 'missing') run.errored(item, new TestMessage(missingText()));
    if (end === 'continued') run.errored(item, new TestMessage(refusedText(ticket, 'continued')));
    if (end === 'canceled') run.skipped(item);
  }

  async #mayLeaveSandbox({ place: { repository, ticket }, command }: CommandItem): Promise<boolean> {
    const key = `${repository.root}\n${ticket}`;
    if (this.#asked.has(key) || repository.client.repository.unsandboxed !== undefined) return true;
    const isMeant = await isConfirmed(
      l10n.t('Debug commands of {0} without a sandbox?', ticket),
      l10n.t(
        '“{0}” runs in a terminal, outside of the sandbox: it can read and change all that you can, and reach the network. So can the code that agents wrote for the ticket. Services and secrets of the checks are not there.',
        command,
      ),
      l10n.t('Debug'),
    );
    if (isMeant) this.#asked.add(key);
    return isMeant;
  }
}

const debuggers = ['ms-vscode.js-debug', 'ms-vscode.js-debug-nightly'];

function missingText(): string {
  return l10n.t(
    'Debugging needs VS Code’s JavaScript debugger. Enable the extension {0}.',
    debuggers[0] ?? '',
  );
}

type End = 'ended' | 'continued' | 'canceled' | 'missing';
type Configuration = Parameters<typeof debug.startDebugging>[1] & object;

/**
 * Until the last of its processes ends; the terminal stays, for reading. Stops it if the ticket continues, as
 * the files may be an agent's by then.
 */
async function debugged(
  configuration: Configuration,
  { repository: { client }, ticket }: CommandItem['place'],
  signal: AbortSignal,
): Promise<End> {
  const listeners = new DisposableStore();
  const processes = new Set<string>();
  let terminal: DebugSession | undefined;
  const isOurs = (session: DebugSession): boolean =>
    session.id === terminal?.id || (session.parentSession !== undefined && isOurs(session.parentSession));
  const end = new Promise<End>((settle) => {
    listeners.add(
      debug.onDidStartDebugSession((session) => {
        if (!terminal && session.configuration.name === configuration.name) terminal = session;
        else if (isOurs(session)) processes.add(session.id);
      }),
    );
    listeners.add(
      debug.onDidTerminateDebugSession((session) => {
        const wasLast = processes.delete(session.id) && processes.size === 0;
        if (wasLast || session.id === terminal?.id) settle('ended');
      }),
    );
    const look = (changed: string | undefined): void => {
      if (changed !== undefined && changed !== ticket) return;
      client.ticket(ticket).then(
        ({ idle }) => idle || settle('continued'),
        () => undefined,
      );
    };
    listeners.add(client.onDidChange(look));
    look(ticket);
    signal.addEventListener('abort', () => settle('canceled'));
  });
  try {
    if (!(await debug.startDebugging(undefined, configuration))) return 'missing';
    const how = signal.aborted ? 'canceled' : await end;
    // Without one, all of the window would stop.
    if (how !== 'ended' && terminal) await debug.stopDebugging(terminal);
    return how;
  } finally {
    listeners.dispose();
  }
}
