import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstallationKey } from '../../../../src/adapters/keys/installationKey.ts';
import { judge, trustedKeys } from '../../../../src/app/verify/openVerifier.ts';
import { CommitEvidence, sealed } from '../../../../src/domain/proof/commitEvidence.ts';
import { keyLine, keysFile, readKeys, signedText } from '../../../../src/domain/proof/signature.ts';
import type { Git } from '../../../../src/engine/ports/gitPort.ts';
import { folderForEach } from '../../../support/tempFolder.ts';
import { sampleProof } from '../../../support/samples.ts';

const bare = sampleProof({ ticket: 'ABC-1', tree: 'd'.repeat(40), base: 'b'.repeat(40) });
const [command] = bare.commands;

describe('the signature of a proof', () => {
  const folder = folderForEach('keys');
  let key: InstallationKey;
  let proof: CommitEvidence;
  let ada: ReadonlyMap<string, string>;
  beforeEach(async () => {
    key = new InstallationKey(join(folder.path, 'config'));
    proof = CommitEvidence.parse({ ...bare, signature: await key.sign(signedText(bare)) });
    ada = new Map([[(await key.publicKey()) ?? '', 'Ada']]);
  });

  it('is made with a key that only the user can read, and that stays', async () => {
    if (process.platform !== 'win32')
      assert.equal(statSync(join(folder.path, 'config', 'signing-key')).mode & 0o777, 0o600);
    const again = await new InstallationKey(join(folder.path, 'config')).sign(signedText(bare));
    assert.deepEqual(again, proof.signature);
    assert.equal(
      await new InstallationKey(join(folder.path, 'config', 'signing-key')).sign('x'),
      undefined,
      'without a folder there is none',
    );
  });

  it('says who proved it, if the key is trusted', () => {
    const { state, key: id, name } = judge(proof, ada);
    assert.deepEqual([state, name], ['trusted', 'Ada']);
    assert.match(id ?? '', /^SHA256:[0-9a-f]{32}$/);
    assert.deepEqual(judge(proof, new Map()).state, 'unknown');
    assert.deepEqual(judge(bare, ada).state, 'unsigned');
  });

  const forgeries: readonly (readonly [what: string, change: (proof: CommitEvidence) => unknown])[] = [
    ['a result', (one) => ({ ...one, commands: [{ ...command, exitCode: 1 }] })],
    ['a command', (one) => ({ ...one, commands: [{ ...command, command: 'true' }] })],
    ['the tree', (one) => ({ ...one, tree: 'e'.repeat(40) })],
    ['the commit', (one) => ({ ...one, commit: 'e'.repeat(40) })],
    ['the ticket', (one) => ({ ...one, ticket: 'ABC-2' })],
    ['the bootstrap', (one) => ({ ...one, environment: { ...one.environment, bootstrap: ['curl x'] } })],
    ['the name of the key', (one) => ({ ...one, signature: { ...one.signature, key_id: 'SHA256:0' } })],
    ['the signature', (one) => ({ ...one, signature: { ...one.signature, signature: 'AAAA' } })],
  ];
  for (const [what, change] of forgeries)
    it(`is forged when something else changed: ${what}`, () =>
      assert.equal(judge(CommitEvidence.parse(change(proof)), ada).state, 'forged'));

  it('is forged with the key of someone who is trusted', async () => {
    const foreign = await new InstallationKey(join(folder.path, 'other')).sign(signedText(bare));
    const copied = { ...foreign, key_id: proof.signature?.key_id, public_key: proof.signature?.public_key };
    assert.equal(judge(CommitEvidence.parse({ ...bare, signature: copied }), ada).state, 'forged');
  });

  describe('and the keys that are trusted', () => {
    const evidence = sealed({
      schema_version: 1,
      ticket: 'ABC-1',
      branch: null,
      base: { branch: null, commit: 'b'.repeat(40) },
      evidence: [],
    });
    /** `base` and `tip` are on `main`, `work` is on the ticket's branch. */
    const repository = (files: Readonly<Record<string, string>>, defaultBranch = 'main'): Git =>
      ({
        defaultBranch: () => Promise.resolve(defaultBranch),
        base: (branch: string) => Promise.resolve({ branch, commit: branch === 'main' ? 'tip' : 'work' }),
        resolve: (revision: string) => Promise.resolve(revision === 'b'.repeat(40) ? 'base' : revision),
        isAncestor: (commit: string, tip: string) =>
          Promise.resolve(tip === 'tip' ? commit !== 'work' : true),
        blob: (commit: string, path: string) =>
          Promise.resolve(path === keysFile ? Buffer.from(files[commit] ?? '') : undefined),
      }) as unknown as Git;
    const names = async (git: Git, of = evidence): Promise<readonly string[]> =>
      [...(await trustedKeys(git, join(folder.path, 'nobody'), of)).values()].toSorted();
    let line: string;
    beforeEach(async () => (line = keyLine((await key.publicKey()) ?? '', 'Ada')));

    it('are those of the base branch, where the ticket’s branch began', async () => {
      assert.deepEqual(await names(repository({ base: `# keys\n${line}\n`, tip: line })), ['Ada']);
      assert.deepEqual(await names(repository({ base: line, tip: '' })), [], 'the key was withdrawn');
      assert.deepEqual(await names(repository({ tip: line })), [], 'the key came later');
    });

    it('are none of the ticket’s branch, whatever the evidence says', async () => {
      assert.deepEqual(await names(repository({ work: line })), []);
      const forged = { ...evidence, base: { branch: 'ticket/ABC-1', commit: 'work' } };
      assert.deepEqual(await names(repository({ work: line }), forged), []);
      assert.deepEqual(
        await names(repository({ work: line, base: line }, 'ticket/ABC-1'), forged),
        [],
        'in a clone of that branch alone',
      );
    });

    it('are also the own one, and those of the own list', async () => {
      writeFileSync(join(folder.path, 'config', 'trusted-keys'), keyLine(`${'A'.repeat(43)}=`, 'Grace'));
      const found = await trustedKeys(repository({}), join(folder.path, 'config'), evidence);
      assert.deepEqual([...found.values()].toSorted(), ['Grace', 'this installation']);
    });

    it('are read line by line, and what is no key is passed over', async () => {
      assert.match(await key.line(), /^ed25519 [A-Za-z0-9+/]{43}= \S+@\S+$/);
      assert.deepEqual([...readKeys(`ssh-rsa x\ned25519 short Eve\n\n ${line}`).values()], ['Ada']);
    });
  });
});
