import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import * as z from 'zod';
import { commandId } from '../../../src/views/commands/commands.ts';
import { stateFolder } from '../../support/editor/hostWindow.ts';

describe('a trusted window', () => {
  it('drives the tickets of its folder', async () => {
    await commands.executeCommand(commandId('refresh'));
    const { pid } = z
      .object({ pid: z.number() })
      .parse(JSON.parse(readFileSync(join(stateFolder(), 'owner.json'), 'utf8')));
    assert.equal(pid, process.pid);
  });
});
