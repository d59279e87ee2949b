import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLineTokens } from '../../../../src/adapters/forge/tokens.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

describe('a sign-in by gh', () => {
  const folder = tempFolder('gh');
  after(() => folder.remove());

  /** Its answer, with a `gh` of these lines. */
  function of(script: string, patienceMs = 5_000): Promise<string | undefined> {
    const gh = join(folder.path, 'gh');
    writeFileSync(gh, `#!/bin/sh\n${script}\n`);
    chmodSync(gh, 0o755);
    const environment = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, HOME: folder.path };
    return new CommandLineTokens({ environment, inside: [], patienceMs }).of('github.com');
  }

  it('is taken from its own store', async () => {
    assert.equal(await of('[ "$*" = "auth token --hostname github.com" ] && echo ghp_1'), 'ghp_1');
    assert.equal(await of('echo "no oauth token" >&2; exit 1'), undefined);
  });

  it('asks nobody, and reads no input', async () => {
    assert.equal(await of('cat; [ "$GH_PROMPT_DISABLED" = 1 ] && echo ghp_2'), 'ghp_2');
  });

  it('is none where gh hangs, also on a signal that asks it to end', async () => {
    const from = performance.now();
    assert.equal(await of(`trap '' TERM; while :; do sleep 0.05; done`, 200), undefined);
    assert.ok(performance.now() - from < 3_000);
  });
});
