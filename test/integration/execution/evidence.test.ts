import assert from 'node:assert/strict';
import { evidenceRef, EvidenceNote, CommitEvidence } from '../../../src/domain/proof/commitEvidence.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { integrate } from '../../../src/phases/delivery/integrate.ts';
import { pullRequest } from '../../../src/phases/delivery/pullRequest.ts';
import {
  executionWorlds,
  oneTry,
  pullRequestDraft,
  type ExecutionWorld,
} from '../../support/engine/executionWorld.ts';

describe('the evidence of a commit', () => {
  const newWorld = executionWorlds();

  async function coded(): Promise<ExecutionWorld> {
    const world = await newWorld.in('CODING', { limits: oneTry });
    await world.prepared({
      environment: { path_prepend: [], variables: { MODE: 'test', API_TOKEN: 'abcdefgh12345678' } },
    });
    world.answersGreeting();
    return world;
  }

  const noteOn = async (world: ExecutionWorld, commit: string) =>
    EvidenceNote.parse(
      JSON.parse(await world.repository.git('notes', `--ref=${evidenceRef}`, 'show', commit)),
    ).evidence;

  it('is a note on the commit that names its tree, what ran and how it ended', async () => {
    const world = await coded();
    await world.drive({ coding });
    const head = await world.git.head(world.worktree);
    const [proof, ...others] = await noteOn(world, head);
    assert.equal(others.length, 0);
    assert.equal(proof?.commit, head);
    assert.equal(proof.tree, await world.repository.git('rev-parse', `${head}^{tree}`));
    assert.deepEqual(
      [proof.ticket, proof.of, proof.bead, proof.iteration, proof.base],
      ['TST-1', 'bead', 'greet', 1, world.start],
    );
    assert.deepEqual(
      proof.commands.map(({ command, exitCode }) => [command, exitCode]),
      [['grep -q hello greet.txt', 0]],
    );
    assert.deepEqual(proof.environment.variables, { MODE: 'test' });
    assert.deepEqual(proof.environment.withheld, ['API_TOKEN']);
    assert.match(proof.tools['git'] ?? '', /^\d+\.\d+/);
    assert.deepEqual(CommitEvidence.parse(await world.json('commit_evidence:greet')), proof);
  });

  it('goes where no configuration of the person’s notes says', async () => {
    const world = await coded();
    for (const [name, value] of [
      ['core.notesRef', 'refs/notes/mine'],
      ['notes.displayRef', 'refs/notes/*'],
      ['notes.rewriteRef', 'refs/notes/*'],
    ] as const)
      await world.repository.git('config', name, value);
    await world.drive({ coding });
    assert.equal(
      await world.repository.git('for-each-ref', '--format=%(refname)', 'refs/notes'),
      evidenceRef,
    );
  });

  it('is written once, however often the step is repeated', async () => {
    const world = await coded();
    await world.drive({ coding });
    const head = await world.git.head(world.worktree);
    const text = await world.repository.git('notes', `--ref=${evidenceRef}`, 'show', head);
    const before = await world.repository.git('rev-parse', evidenceRef);
    await world.git.writeNote(evidenceRef, head, `${text}\n`);
    assert.equal(await world.repository.git('rev-parse', evidenceRef), before);
  });

  it('joins another proof of the same commit, such as a final test that changes nothing', async () => {
    const world = await coded();
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test': '<FINAL_TEST_COMMANDS>\ncommands: ["test -f greet.txt"]\n</FINAL_TEST_COMMANDS>',
    });
    await world.drive({ coding, finalTest });
    const proofs = await noteOn(world, await world.git.head(world.worktree));
    assert.deepEqual(
      proofs.map(({ of, made, commands }) => [of, made, commands.map(({ command }) => command)]),
      [
        ['bead', true, ['grep -q hello greet.txt']],
        ['final_test', false, ['test -f greet.txt', 'grep -q hello greet.txt']],
      ],
    );
  });

  it('follows a squash', async () => {
    const world = await newWorld.in('CODING', { settings: { integration: 'squash' }, limits: oneTry });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test': () => {
        world.write('whole.sh', 'test -f greet.txt\n');
        return '<FINAL_TEST_COMMANDS>\ncommands: ["sh whole.sh"]\ntest_files: ["whole.sh"]\n</FINAL_TEST_COMMANDS>';
      },
    });
    await world.drive({ coding, finalTest, integrate });
    const [proof] = await noteOn(world, await world.git.head(world.worktree));
    assert.equal(proof?.of, 'integration');
    assert.deepEqual(
      proof.commands.map(({ command }) => command),
      ['sh whole.sh', 'grep -q hello greet.txt'],
    );
  });

  it('is in the pull request: what ran on each commit of the branch, and what was rewritten by a squash', async () => {
    for (const integration of ['keep', 'squash'] as const) {
      const world = await newWorld.in('CODING', { settings: { integration }, limits: oneTry });
      world.answers({
        coding: world.writing({ 'greet.txt': 'hello\n' }),
        'final-test': '<FINAL_TEST_COMMANDS>\ncommands: ["test -f greet.txt"]\n</FINAL_TEST_COMMANDS>',
        'pull-request': pullRequestDraft,
      });
      await world.drive({ coding, finalTest });
      const coded = (await world.git.head(world.worktree)).slice(0, 12);
      await world.drive({ integrate, pullRequest });
      const body = world.forge.published[0]?.body ?? '';
      const head = (await world.git.head(world.worktree)).slice(0, 12);
      const row = (name: string) =>
        body.split('\n').findLast((line) => line.startsWith(`| ${name} | `)) ?? body;
      const isKept = integration === 'keep';
      assert.equal(isKept, head === coded);
      assert.ok(
        row('greet').startsWith(`| greet | \`${coded}\`${isKept ? '' : ', rewritten since'} | `),
        row('greet'),
      );
      assert.match(
        row('greet'),
        /`grep -q hello greet\.txt` \| exit 0; without the work: exit \d \| \d+\.\d s \|$/,
      );
      assert.match(row('final test'), /\| no change, on `\w{12}`.* \| `test -f greet\.txt` \| exit 0/);
      if (!isKept)
        assert.ok(row('integration').startsWith(`| integration | \`${head}\` | `), row('integration'));
    }
  });
});
