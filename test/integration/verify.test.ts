import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstallationKey } from '../../src/adapters/keys/installationKey.ts';
import { systemClock } from '../../src/adapters/clock/systemClock.ts';
import { Shell } from '../../src/adapters/process/shell.ts';
import { verifyTicket } from '../../src/app/verify/verifyTicket.ts';
import { judge, evidenceInNotes } from '../../src/app/verify/openVerifier.ts';
import { ticketEvidence } from '../../src/phases/shared/proof/ticketEvidence.ts';
import {
  type CommitEvidence,
  evidenceRef,
  noteWith,
  readNote,
  sealed,
  type TicketEvidence,
} from '../../src/domain/proof/commitEvidence.ts';
import { keyIdOf, keysFile } from '../../src/domain/proof/signature.ts';
import { differenceText } from '../../src/protocol/verification/verification.ts';
import { coding } from '../../src/phases/coding/coding.ts';
import { finalTest } from '../../src/phases/finalTest/finalTest.ts';
import { cliHere } from '../support/cliHere.ts';
import { eventsOf } from '../support/cliProcess.ts';
import { executionWorlds, oneTry, report, type ExecutionWorld } from '../support/engine/executionWorld.ts';
import { tempFolders } from '../support/git/tempRepository.ts';
import { reservationIn } from '../support/fakes/fakeWorkplace.ts';

/** Each case is a clone of its own. */
describe('verifying evidence', function () {
  this.timeout(240_000);
  const newWorld = executionWorlds();
  const newFolder = tempFolders();

  const check =
    "const { test } = require('node:test');\ntest('greets', () => require('assert').match(require('fs').readFileSync('greet.txt', 'utf8'), /hello/));\n";

  async function delivered() {
    const world = await newWorld();
    const testCommands = ['node --test --test-reporter=tap greet.test.js'];
    await world.begin('CODING', { beads: [{ testCommands }], limits: oneTry });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        world.write('greet.test.js', check);
        return report('greet');
      },
      'final-test': () => {
        world.write('whole.sh', 'test -f greet.txt\n');
        return '<FINAL_TEST_COMMANDS>\ncommands: ["sh whole.sh"]\ntest_files: ["whole.sh"]\n</FINAL_TEST_COMMANDS>';
      },
    });
    await world.drive({ coding, finalTest });
    return { world, evidence: await ticketEvidence(world.store, await world.read()) };
  }

  async function verified(world: ExecutionWorld, evidence: TicketEvidence, all = false) {
    const result = await verifyTicket(world.ports, {
      evidence,
      source: 'database',
      isApproved: true,
      confirm: () => Promise.resolve(true),
      all,
      signal: new AbortController().signal,
      judge: (proof) => judge(proof, new Map([[proof.signature?.public_key ?? '', 'Ada']])),
    });
    assert.ok(result);
    return result;
  }

  it('says equal where it was proved, of the last commit and of every one, and leaves nothing behind', async () => {
    const { world, evidence } = await delivered();
    const last = await verified(world, evidence);
    assert.deepEqual(last.differences, []);
    assert.deepEqual(
      last.commits.flatMap(({ commands }) => commands.map(({ command, isSame }) => [command, isSame])),
      [
        ['sh whole.sh', true],
        ['node --test --test-reporter=tap greet.test.js', true],
      ],
    );
    assert.equal((await verified(world, evidence, true)).commits.length, 2);
    assert.doesNotMatch(await world.repository.git('worktree', 'list'), /verify/);
  });

  it('starts the services again, with ports of its own, and says which one is not ready', async () => {
    const world = await newWorld({ 'greet.sh': 'test -f "$TMPDIR/up" && test -f greet.txt\n' });
    world.runner = new Shell({ clock: systemClock, environment: process.env });
    Object.assign(world, { clock: systemClock });
    world.workplace.reservation = reservationIn(join(world.repository.root, '..'));
    await world.begin('CODING', { beads: [{ testCommands: ['sh greet.sh'] }], limits: oneTry });
    const start = `trap 'rm -f "$TMPDIR/up"; exit' TERM; touch "$TMPDIR/up"; sleep 600 & wait`;
    await world.prepared({ services: [{ name: 'store', start, ready: 'test -f "$TMPDIR/up"' }] });
    world.answersGreeting();
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    const evidence = await ticketEvidence(world.store, await world.read());
    assert.deepEqual((await verified(world, evidence)).differences, []);
    assert.deepEqual(world.workplace.released, ['TST-1.verify']);
    const services = evidence.evidence[0]?.environment.services?.map((service) => ({
      ...service,
      start: 'exit 7',
    }));
    const { sha256: _hash, ...content } = evidence;
    const broken = evidence.evidence.map(({ signature: _signature, ...one }) => ({
      ...one,
      environment: { ...one.environment, services },
    }));
    const { differences } = await verified(world, sealed({ ...content, evidence: broken }));
    assert.match(
      differences.map((difference) => differenceText(difference)).join('\n'),
      /^The service store was not ready at \w+, .*: `exit 7` exited with 7\.$/,
    );
  });

  it('finds evidence by its tree after a squash', async () => {
    const { world, evidence } = await delivered();
    const one = await world.git.squash(world.worktree, { base: world.start, message: 'All', trailers: {} });
    await world.git.adopt(world.worktree, one, await world.git.head(world.worktree));
    assert.deepEqual((await verified(world, evidence)).differences, []);
    assert.deepEqual((await verified(world, evidence, true)).differences, []);
  });

  it('tells evidence that was edited, and evidence without a commit', async () => {
    const { world, evidence } = await delivered();
    assert.deepEqual((await verified(world, { ...evidence, branch: 'other' })).differences, [
      { kind: 'altered' },
    ]);
    const lost = { ...evidence.evidence[0]!, bead: 'lost', commit: 'a'.repeat(40), tree: 'b'.repeat(40) };
    const { sha256: _hash, ...content } = evidence;
    const { differences } = await verified(
      world,
      sealed({ ...content, evidence: [lost, ...evidence.evidence] }),
      true,
    );
    assert.deepEqual(differences, [{ kind: 'missing', commit: lost.commit, about: 'lost', tree: lost.tree }]);
  });

  it('says equal in a fresh clone, from a file and from notes, after a yes; and what differs after one byte', async () => {
    const { world, evidence } = await delivered();
    const folder = await newFolder();
    const clone = join(folder, 'clone');
    const file = join(folder, 'evidence.json');
    writeFileSync(file, JSON.stringify(evidence));
    const from = `file://${world.repository.root}`;
    await world.repository.git(
      'clone',
      '--quiet',
      '--single-branch',
      '--branch',
      'ticket/TST-1',
      from,
      clone,
    );
    const inClone = (...args: string[]) => world.repository.git('-C', clone, ...args);
    const cli = (...args: string[]) => cliHere(['verify', 'TST-1', '--json', '--repo', clone, ...args]);
    const resultOf = (stdout: string) => {
      const found = eventsOf(stdout).find((event) => event.type === 'verification');
      assert.ok(found);
      return found;
    };

    const without = await cli();
    assert.equal(without.code, 2);
    assert.match(without.stdout, /NO_EVIDENCE/);
    const unasked = await cli('--evidence', file);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stdout, /CONFIRMATION_NEEDED/);

    const fromFile = await cli('--evidence', file, '--yes');
    assert.equal(fromFile.code, 0, fromFile.stdout);
    assert.equal(resultOf(fromFile.stdout).isEqual, true);
    await inClone('fetch', '--quiet', 'origin', `${evidenceRef}:${evidenceRef}`);
    const fromNotes = await cli('--yes', '--all');
    assert.equal(fromNotes.code, 0, fromNotes.stdout);
    assert.equal(resultOf(fromNotes.stdout).source, 'notes');
    assert.equal((await inClone('status', '--porcelain')).trim(), '');

    const changed = check.replace('/hello/', '/hellp/');
    writeFileSync(join(clone, 'greet.test.js'), changed);
    const dirty = resultOf((await cli('--yes')).stdout);
    assert.deepEqual(dirty.differences, [{ kind: 'uncommitted', paths: ['greet.test.js'] }]);
    await inClone(
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b.c',
      'commit',
      '--quiet',
      '--all',
      '--message',
      'Change a byte',
    );
    const different = await cli('--evidence', file, '--yes');
    assert.equal(different.code, 1, different.stdout);
    const { differences } = resultOf(different.stdout);
    assert.deepEqual(
      differences.map((one) =>
        one.kind === 'tree' ? one.paths : one.kind === 'result' ? [one.command, ...one.tests] : one.kind,
      ),
      [['greet.test.js'], ['node --test --test-reporter=tap greet.test.js', 'greets']],
    );
    const text = await cliHere(['verify', 'TST-1', '--repo', clone, '--yes']);
    assert.match(text.stdout, /Different: TST-1 at \w{12} does not match what was proved/);
    assert.match(text.stdout, /Changed: greet\.test\.js/);
    assert.match(text.stdout, /exited with 1 at \w{12}; when it was proved, it exited with 0/);
    rmSync(clone, { recursive: true });
  });

  it('reads the notes of one ticket only', async () => {
    const { world } = await delivered();
    assert.equal((await evidenceInNotes(world.git, 'TST-1')).evidence.length, 2);
    assert.equal((await evidenceInNotes(world.git, 'TST-2')).evidence.length, 0);
  });

  describe('in a clone of someone else', () => {
    /**
     * With the notes and a configuration of its own; `keys`: what `main` had before the ticket, and what its
     * branch has.
     */
    async function cloned(keys: { readonly base?: 'signer'; readonly branch?: 'signer' }) {
      const world = await newWorld();
      const line = await world.signer.line();
      if (keys.base) {
        mkdirSync(join(world.repository.root, '.beadsmith'));
        writeFileSync(join(world.repository.root, keysFile), `${line}\n`);
        await world.repository.git('add', keysFile);
        await world.repository.git('commit', '--quiet', '--message', 'Trust a key');
      }
      await world.begin('CODING', { beads: [{ targetFiles: ['greet.txt', keysFile] }], limits: oneTry });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          if (keys.branch) {
            mkdirSync(join(world.worktree, '.beadsmith'));
            world.write(keysFile, `${line}\n`);
          }
          return report('greet');
        },
      });
      await world.drive({ coding });
      assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
      const folder = await newFolder();
      const clone = join(folder, 'clone');
      await world.repository.git('clone', '--quiet', `file://${world.repository.root}`, clone);
      const identity = ['-c', 'user.name=Eve', '-c', 'user.email=eve@example.com'];
      const inClone = (...args: string[]) => world.repository.git('-C', clone, ...args);
      await inClone('fetch', '--quiet', 'origin', `${evidenceRef}:${evidenceRef}`);
      const run = async (...args: string[]) => {
        const words = ['verify', 'TST-1', '--json', '--repo', clone, ...args];
        const { code, stdout } = await cliHere(words, { env: { XDG_CONFIG_HOME: join(folder, 'config') } });
        const result = eventsOf(stdout).find((event) => event.type === 'verification');
        return { code, stdout, result, states: result?.signatures.map(({ state }) => state) };
      };
      /** As someone who may write to the repository. */
      const rewrite = async (change: (proof: CommitEvidence) => CommitEvidence): Promise<void> => {
        const commit = (await inClone('rev-parse', 'origin/ticket/TST-1')).trim();
        const [found] = readNote(await inClone('notes', `--ref=${evidenceRef}`, 'show', commit));
        assert.ok(found);
        await inClone(
          ...identity,
          'notes',
          `--ref=${evidenceRef}`,
          'add',
          '--force',
          '--message',
          noteWith(undefined, change(found)),
          commit,
        );
      };
      return { world, run, rewrite };
    }

    it('runs without asking what a key signed that the base branch trusts, and says who proved it', async () => {
      const { run, world } = await cloned({ base: 'signer' });
      const { code, result, states, stdout } = await run();
      assert.equal(code, 0, stdout);
      assert.deepEqual([result?.isEqual, result?.isSigned, states], [true, true, ['trusted']]);
      assert.equal(result?.signatures[0]?.key, keyIdOf((await world.signer.publicKey()) ?? ''));
      const elsewhere = await run('--commit', 'origin/main');
      assert.deepEqual([elsewhere.code, elsewhere.result], [2, undefined], elsewhere.stdout);
      assert.match(elsewhere.stdout, /CONFIRMATION_NEEDED.*proved with other files than those of \w{12}/);
    });

    it('asks about what an unknown key signed, also if the ticket’s branch says to trust it', async () => {
      const { run } = await cloned({ branch: 'signer' });
      assert.match((await run()).stdout, /CONFIRMATION_NEEDED/);
      const { code, result, states } = await run('--yes');
      assert.deepEqual([code, result?.isEqual, result?.isSigned, states], [0, true, false, ['unknown']]);
    });

    it('tells what is unsigned, signed by another key, or changed after it was signed', async () => {
      const { run, rewrite } = await cloned({ base: 'signer' });
      const foreign = new InstallationKey(await newFolder());
      const unsigned = ({ signature: _signature, ...proof }: CommitEvidence): CommitEvidence => proof;
      await rewrite(unsigned);
      assert.match((await run()).stdout, /CONFIRMATION_NEEDED/);
      assert.deepEqual((await run('--yes')).states, ['unsigned']);
      const signature = await foreign.sign('something else');
      assert.ok(signature);
      await rewrite((proof) => ({ ...unsigned(proof), signature }));
      const forged = await run('--yes');
      assert.deepEqual([forged.code, forged.result?.isEqual, forged.states], [1, false, ['forged']]);
      assert.deepEqual(
        forged.result?.differences.map(({ kind }) => kind),
        ['forged'],
      );
    });

    it('is different when a result was changed in a note that a trusted key had signed', async () => {
      const { run, rewrite } = await cloned({ base: 'signer' });
      await rewrite((proof) => ({ ...proof, tools: { git: '0.0.0' } }));
      assert.match((await run()).stdout, /CONFIRMATION_NEEDED/);
      const { code, result } = await run('--yes');
      assert.deepEqual([code, result?.differences.map(({ kind }) => kind)], [1, ['forged']]);
    });
  });
});
