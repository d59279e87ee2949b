import type { Bead } from '../../../domain/beads/bead.ts';
import { BeadCommit } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { readJson } from '../../shared/ticket/artifacts.ts';
import { stemOf } from '../context/sourceNames.ts';

/**
 * The commands of earlier beads that a commit may have broken: of beads whose files it changes, or that have
 * files which name a changed one. Each command once, in the order of the plan. Before delivery all of them
 * run.
 */
export async function earlierCommands(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  commit: string,
): Promise<readonly string[]> {
  const { git, store } = io.ports;
  const start = bead.beadStartCommit ?? commit;
  const done = (await store.beads(ticket.id)).filter(({ id, status }) => id !== bead.id && status === 'done');
  if (commit === start || done.length === 0) return [];
  const changed = (await git.compare(start, commit)).flatMap(({ path, oldPath }) =>
    oldPath === null ? [path] : [path, oldPath],
  );
  const earlier: { readonly files: readonly string[]; readonly commands: readonly string[] }[] = [];
  for (const { id, targetFiles, testCommands } of done) {
    const record = readJson(BeadCommit, (await store.artifact(ticket.id, `bead_commit:${id}`))?.content);
    // Asking git about each earlier bead would make every bead slower than the one before it.
    const made =
      record?.files ??
      (record?.commit ? (await git.compare(`${record.commit}^`, record.commit)).map(({ path }) => path) : []);
    earlier.push({ files: [...made, ...targetFiles], commands: testCommands });
  }
  const stems = changed.map(stemOf).filter((stem) => stem.length > 2);
  const files = [...new Set(earlier.flatMap((one) => one.files))];
  const touched = new Set([...changed, ...(await git.filesNaming(commit, stems, files))]);
  const commands = earlier
    .filter((one) => one.files.some((file) => touched.has(file)))
    .flatMap((one) => one.commands);
  return [...new Set(commands)];
}
