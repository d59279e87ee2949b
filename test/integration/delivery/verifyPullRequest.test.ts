import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evidenceBlock, evidenceIn } from '../../../src/adapters/forge/github/markedText.ts';
import { sealed, TicketEvidence } from '../../../src/domain/proof/commitEvidence.ts';
import { cliHere } from '../../support/cliHere.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import type { ExecutionWorld } from '../../support/engine/executionWorld.ts';
import { forgeTickets, withLogin } from '../../support/forge/forgeTickets.ts';
import { tempFolders } from '../../support/git/tempRepository.ts';

describe('the proof of a pull request', function () {
  this.timeout(240_000);
  const newFolder = tempFolders();
  const tickets = forgeTickets();
  const { forge } = tickets;

  /** A person with a home of their own, who is signed in. */
  async function person(): Promise<{ readonly folder: string; readonly env: Record<string, string> }> {
    const folder = await newFolder();
    const helper = `!f() { echo username=x; echo password=${forge.token}; }; f`;
    writeFileSync(join(folder, '.gitconfig'), `[credential]\n\thelper = ${JSON.stringify(helper)}\n`);
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      GH_HOST: forge.host,
      GH_ENTERPRISE_TOKEN: forge.token,
    };
    return { folder, env };
  }

  /** A fresh clone of `main` alone by someone else; runs `verify` there. */
  async function clone(world: ExecutionWorld) {
    const { folder, env } = await person();
    const at = join(folder, 'clone');
    const git = (...args: readonly string[]) => world.repository.git(...args);
    await git('clone', '--quiet', '--single-branch', '--branch', 'main', withLogin(forge), at);
    await git('-C', at, 'remote', 'set-url', 'origin', forge.addressOf('octo/sample'));
    const trust = async (): Promise<void> => {
      mkdirSync(join(folder, 'config', 'beadsmith'), { recursive: true });
      writeFileSync(join(folder, 'config', 'beadsmith', 'trusted-keys'), `${await world.signer.line()}\n`);
    };
    const verify = async (...args: readonly string[]) => {
      const { code, stdout } = await cliHere(['verify', ...args, '--json', '--repo', at], {
        env,
        alone: true,
      });
      const result = eventsOf(stdout).find((event) => event.type === 'verification');
      return { code, stdout, result, states: new Set(result?.signatures.map(({ state }) => state)) };
    };
    return { at, git: (...args: readonly string[]) => git('-C', at, ...args), trust, verify };
  }

  const address = () => `http://${forge.host}/octo/sample/pull/1`;

  it('is verified in a fresh clone that has neither branch nor notes, by number and by address', async () => {
    const { world } = await tickets.provedAndPublished();
    const { git, trust, verify } = await clone(world);
    const unasked = await verify('1');
    assert.deepEqual([unasked.code, /CONFIRMATION_NEEDED/.test(unasked.stdout)], [2, true], unasked.stdout);
    const unknown = await verify('#1', '--yes');
    assert.deepEqual([unknown.code, [...unknown.states]], [0, ['unknown']], unknown.stdout);
    await trust();
    for (const name of ['1', address()]) {
      const { code, result, states, stdout } = await verify(name, '--all');
      assert.equal(code, 0, stdout);
      assert.deepEqual(
        [result?.isEqual, result?.isSigned, result?.source, [...states]],
        [true, true, 'pull_request', ['trusted']],
      );
      assert.equal(result?.head, await world.git.head(world.worktree));
    }
    assert.equal((await git('for-each-ref', '--format=%(refname)', 'refs/notes', 'refs/pull')).trim(), '');
    const elsewhere = await verify(address().replace('octo/sample', 'octo/other'));
    assert.match(elsewhere.stdout, /no remote leads to \S+octo\/other/);
    assert.match((await verify('2')).stdout, /FORGE_REFUSED/);
  });

  it('is different when anyone changed the branch, where a signature runs nothing, or the proof in the text', async () => {
    const { world, pull } = await tickets.provedAndPublished();
    const { at, git, trust, verify } = await clone(world);
    await trust();
    const text = pull.body ?? '';
    const { sha256: _hash, ...content } = TicketEvidence.parse(JSON.parse(evidenceIn(text) ?? ''));
    const textWith = (evidence: TicketEvidence): string =>
      text.replace(/<!-- beadsmith-evidence [^ ]+ -->/, evidenceBlock(JSON.stringify(evidence)));
    const evidence = content.evidence.map((proof) => ({ ...proof, tools: { git: '0' } }));
    pull.body = textWith(sealed({ ...content, evidence }));
    const forged = await verify('1', '--yes');
    assert.deepEqual([forged.code, [...forged.states]], [1, ['forged']], forged.stdout);
    pull.body = text.replace(/<!-- beadsmith-evidence [^ ]+ -->/, '');
    assert.match((await verify('1')).stdout, /NO_EVIDENCE/);
    pull.body = text;
    await git('fetch', '--quiet', withLogin(forge), 'ticket/TST-1');
    await git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
    const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com'];
    writeFileSync(join(at, 'greet.txt'), 'goodbye\n');
    await git(...identity, 'commit', '--quiet', '--all', '--message', 'Change a word');
    await git('push', '--quiet', withLogin(forge), 'HEAD:refs/heads/ticket/TST-1');
    await git('checkout', '--quiet', 'main');
    const unasked = await verify('1');
    assert.deepEqual([unasked.code, unasked.result], [2, undefined], unasked.stdout);
    assert.match(unasked.stdout, /CONFIRMATION_NEEDED.*proved with other files than those of \w{12}/);
    const changed = await verify('1', '--yes');
    assert.equal(changed.code, 1, changed.stdout);
    assert.deepEqual(
      changed.result?.differences.flatMap((one) => (one.kind === 'tree' ? one.paths : [])),
      ['greet.txt'],
    );
  });
});
