import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import * as z from 'zod';
import { commandId } from '../../../src/views/commands/commands.ts';
import { cli, closeOther, folder, rowsOfOther, stateFolder } from '../../support/editor/hostWindow.ts';
import { until } from '../../support/until.ts';

const Report = z.object({ hold: z.object({ kind: z.string() }).nullable() });

describe('a second window', () => {
  it('follows: the other one stays the driver', async () => {
    await commands.executeCommand(commandId('refresh'));
    assert.notEqual(driver(), process.pid);
  });

  it('acts, and the driver does it', async () => {
    const target = { root: folder(), ticket: 'SAMPL-1' };
    await commands.executeCommand(commandId('pause'), target);
    await until(async () => (await hold(target.ticket)) === 'paused', 'the driver pauses the ticket');
    await commands.executeCommand(commandId('resume'), target);
    await until(async () => (await hold(target.ticket)) === null, 'the driver resumes the ticket');
    assert.notEqual(driver(), process.pid);
  });

  it('files a ticket, and the other shows it', async () => {
    await cli('created', 'create', '--title', 'Say goodbye');
    await until(async () => /Say goodbye/.test(await rowsOfOther()), 'the other shows it');
  });

  it('drives as soon as the other one is closed', async function () {
    this.timeout(90_000);
    await closeOther();
    await until(() => driver() === process.pid, 'this window drives');
    const target = { root: folder(), ticket: 'SAMPL-1' };
    await commands.executeCommand(commandId('pause'), target);
    await until(async () => (await hold(target.ticket)) === 'paused', 'it does what it is asked');
  });
});

/** Undefined while nobody drives. */
function driver(): number | undefined {
  try {
    return z
      .object({ pid: z.number() })
      .parse(JSON.parse(readFileSync(join(stateFolder(), 'owner.json'), 'utf8'))).pid;
  } catch {
    return undefined;
  }
}

async function hold(ticket: string): Promise<string | null> {
  return Report.parse(await cli('report', 'show', ticket)).hold?.kind ?? null;
}
