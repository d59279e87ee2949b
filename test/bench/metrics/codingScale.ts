import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { machineFactor } from '../../../.build/processorTime.mjs';
import { coding } from '../../../src/phases/coding/coding.ts';
import { ExecutionWorld, report } from '../../support/engine/executionWorld.ts';
import { tempRepository } from '../../support/git/tempRepository.ts';
import { type Measure, median } from '../measurement.ts';

/** A model's stand-in takes so long over a bead, in milliseconds of the reference machine. */
const modelMs = 3_000;

/**
 * Time per bead of a plan of 60 beads ÷ of 10, with real git, SQLite and commands, and a model that answers
 * at once.
 */
export const measureBeadCount: Measure = async ({ samples, say }) => {
  const ratios: number[] = [];
  const notes: string[] = [];
  for (let sample = 1; sample <= samples; sample++) {
    const [few, many] = [
      await msPerBead({ beads: 10, files: 0, thinkMs: 0 }),
      await msPerBead({ beads: 60, files: 0, thinkMs: 0 }),
    ];
    ratios.push(many / few);
    notes.push(`${few.toFixed(0)} ms a bead of 10, ${many.toFixed(0)} ms a bead of 60`);
    say(notes.at(-1) ?? '');
  }
  return [{ name: 'bead-count', unit: 'x', bound: { atMost: 1.1 }, samples: ratios, notes }];
};

/**
 * Time per bead in a repository of 50,000 files ÷ of three, with ten beads and a model that takes three
 * seconds.
 */
export const measureManyFiles: Measure = async ({ samples, say }) => {
  const ratios: number[] = [];
  const notes: string[] = [];
  for (let sample = 1; sample <= samples; sample++) {
    // On a slower machine the same files take longer.
    const thinkMs = modelMs * machineFactor();
    const small = await msPerBead({ beads: 10, files: 0, thinkMs });
    const large = await msPerBead({ beads: 10, files: 50_000, thinkMs });
    ratios.push(large / small);
    const model = `of which ${thinkMs.toFixed(0)} ms are the model's`;
    notes.push(
      `${small.toFixed(0)} ms a bead in a small repository, ${large.toFixed(0)} ms among 50,000 files, ${model}`,
    );
    say(notes.at(-1) ?? '');
  }
  return [
    {
      name: 'many-files',
      unit: 'x',
      bound: { atMost: 1.25 },
      samples: ratios,
      notes: [...notes, `median ${median(ratios).toFixed(2)}`],
    },
  ];
};

interface Plan {
  readonly beads: number;
  readonly files: number;
  readonly thinkMs: number;
}

async function msPerBead({ beads, files, thinkMs }: Plan): Promise<number> {
  const repository = await tempRepository({
    files: { 'README.md': '# Sample\n', 'check.sh': 'test -f README.md\n' },
  });
  if (files > 0) addFiles(repository.root, files);
  const world = new ExecutionWorld(repository);
  try {
    const ids = Array.from({ length: beads }, (_, index) => `bead-${String(index + 1)}`);
    const plan = ids.map((id) => ({
      id,
      title: id,
      testCommands: [`grep -q ${id} ${id}.txt`],
      targetFiles: [`${id}.txt`],
    }));
    await world.begin('CODING', { beads: plan });
    await world.prepared({ project_commands: { test_full: ['sh check.sh'] } });
    world.answers({
      coding: async ({ whole }) => {
        await pause(thinkMs);
        const id = /"id": "(bead-\d+)"/.exec(whole)?.[1] ?? '';
        world.write(`${id}.txt`, `${id}\n`);
        return report(id);
      },
    });
    const ticket = await world.read();
    await world.git.checkOutScratch(ticket.id, ticket.baseCommit ?? '', []);
    const start = performance.now();
    await world.drive({ coding });
    const ms = performance.now() - start;
    const { status } = await world.read();
    if (status !== 'RUNNING_FINAL_TEST')
      throw new Error(`The plan of ${String(beads)} beads ended in ${status}.`);
    return ms / beads;
  } finally {
    await world.remove();
  }
}

/** In 500 folders. */
function addFiles(root: string, count: number): void {
  const head = [
    'blob',
    'mark :1',
    'data 2',
    'x',
    'commit refs/heads/main',
    'committer Ada Tester <ada@example.com> 1700000000 +0000',
  ];
  const paths = Array.from(
    { length: count },
    (_, at) => `M 100644 :1 many/${String(at % 500)}/file-${String(at)}.txt`,
  );
  const input = `${[...head, 'data 5', 'Many', 'from refs/heads/main^0', ...paths].join('\n')}\n`;
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input });
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: root });
}
