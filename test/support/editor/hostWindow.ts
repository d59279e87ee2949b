import { execFile } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commands, type Extension, extensions, workspace } from 'vscode';
import * as z from 'zod';
import { CliEvent } from '../../../src/protocol/cliEvents.ts';
import { Orders, ordersVariable } from './hostOrders.ts';
import { ShownPage } from './onlooker.ts';

/** For tests inside an extension host. */
export function beadsmith(): Extension<unknown> {
  const found = extensions.getExtension('beadsmith.beadsmith');
  if (!found) throw new Error('the extension under test is not there');
  return found;
}

export function folder(): string {
  const [first] = workspace.workspaceFolders ?? [];
  if (!first) throw new Error('the window shows no folder');
  return first.uri.fsPath;
}

export function stateFolder(): string {
  return join(folder(), '.git', 'beadsmith');
}

/** Answers the last event of a kind. */
export async function cli<K extends CliEvent['type']>(
  kind: K,
  ...args: readonly string[]
): Promise<Extract<CliEvent, { type: K }>> {
  const { cli } = orders();
  const all = [join(beadsmith().extensionPath, 'dist', 'cli.js'), ...args, '--repo', folder(), '--json'];
  const { stdout } = await promisify(execFile)(cli.node, all, { env: cli.env });
  const events = stdout
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [CliEvent.parse(JSON.parse(line))]));
  const found = events.findLast((event): event is Extract<CliEvent, { type: K }> => event.type === kind);
  if (!found) throw new Error(`the command line said nothing of ${kind}: ${stdout}`);
  return found;
}

export function isWatched(): boolean {
  return orders().onlooker !== undefined;
}

export async function shownPage(ticket: string): Promise<ShownPage> {
  return ShownPage.parse(await look(`page/${ticket}`));
}

export async function rowsOfOther(): Promise<string> {
  return z.string().parse(await look('rows'));
}

export async function closeOther(): Promise<void> {
  await look('close');
}

async function look(what: string): Promise<unknown> {
  const { onlooker } = orders();
  if (onlooker === undefined) throw new Error('nobody looks at this window');
  const answer = await fetch(`${onlooker}/${what}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function orders(): Orders {
  return Orders.parse(JSON.parse(readFileSync(process.env[ordersVariable] ?? '', 'utf8')));
}

/** Closes every notification that the command shows. */
export async function runUnanswered(command: string, ...args: readonly unknown[]): Promise<void> {
  const ended = Promise.resolve(commands.executeCommand(command, ...args)).then(() => true);
  const pause = (): Promise<boolean> => new Promise((resolve) => setTimeout(() => resolve(false), 50));
  while (!(await Promise.race([ended, pause()]))) await commands.executeCommand('notifications.clearAll');
}

/** What Node reports when something starts that outlives a function. */
const beginnings = ['child_process', 'worker_threads', 'net.client.socket', 'http.client.request.start'];

/** What the extension begins while `work` runs; the editor's own extensions begin things, too. */
export async function whatBegins(work: () => unknown): Promise<readonly string[]> {
  const begun: string[] = [];
  const dist = join(beadsmith().extensionPath, 'dist');
  const bundles = ['extension.cjs', 'driver.cjs', 'part-'].map((name) => join(dist, name));
  const note = (_message: unknown, name: string | symbol): void => {
    const { stack = '' } = new Error();
    if (bundles.some((bundle) => stack.includes(bundle))) begun.push(String(name));
  };
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  for (const name of beginnings) subscribe(name, note);
  try {
    await work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    for (const name of beginnings) unsubscribe(name, note);
  }
  return begun;
}
