// Drives a ticket of each kind to its end, on the real OpenCode with scripted models, and records it:
//
//   node .build/build.mjs && node test/replay/kinds.ts [KIND …]
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteFiles, noteModule } from '../../src/demo/generic/noteFiles.ts';
import { CliTicket, ending, onlyBead } from '../support/cliTicket.ts';
import { tempRepository } from '../support/git/tempRepository.ts';
import { loopTest, report, write } from '../support/loopTicket.ts';
import { analysisText, givesUp } from '../support/models/failedBead.ts';
import { tempFolder } from '../support/tempFolder.ts';

const id = 'SAMPL-1';
const { module } = noteFiles(onlyBead);
const reviewed = ['--reviewer', 'scripted/beta'] as const;

interface Kind {
  /** What the scripted models say, by task; anything else is a generic answer. */
  readonly tasks?: unknown;
  drive(ticket: CliTicket): Promise<void>;
}

const kinds: Readonly<Record<string, Kind>> = {
  quick: {
    async drive(ticket) {
      ending(0, await ticket.run('--end', 'merge'));
    },
  },
  loop: {
    tasks: {
      coding: [
        { when: { part: 'iteration', has: 'Pass 1' }, calls: [write('greet.txt', 'wrong\n')], text: report() },
        { calls: [write('greet.txt', 'hello\n')], text: report() },
      ],
    },
    async drive(ticket) {
      await writeFile(join(ticket.folder, 'PROMPT.md'), '# Greet people\n\nWrite a greeting.\n\n- [ ] greet.txt says hello\n');
      const passes = ['--test', loopTest, '--min', '2', '--max', '3', '--approve', 'all', '--model', 'scripted/alpha'];
      ending(0, await ticket.cli('loop', 'PROMPT.md', ...passes, ...ticket.driving));
    },
  },
  analyzed: {
    tasks: {
      coding: [givesUp(onlyBead)],
      'failure-analysis': [{ text: analysisText({ recommendation: 'retry', retryHint: 'Begin with the module and its test.' }) }],
    },
    async drive(ticket) {
      ending(0, await ticket.run('--review', 'off', ...reviewed, '--failure-analysis', 'auto', '--continuations', '0'));
    },
  },
  'quick-party': {
    async drive(ticket) {
      ending(0, await ticket.run('--review', 'party', ...reviewed, '--kickoff', '--retrospective'));
    },
  },
  updated: {
    tasks: {
      'base-update': [
        {
          calls: [write(module, `${noteModule(onlyBead, 'Greet by name')}\n// And theirs.\n`)],
          text: '<BASE_RESOLUTION>\nsummary: Both.\nnew_files: []\n</BASE_RESOLUTION>',
        },
      ],
    },
    async drive(ticket) {
      const words = ['--title', 'Greet by name', '--depth', 'quick', '--model', 'scripted/alpha', '--approve', 'none'];
      ending(3, await ticket.cli('run', ...words, ...ticket.driving));
      ending(3, await ticket.cli('approve', id, '--approve', 'setup', ...ticket.driving));
      await ticket.repository.commit({ [module]: 'export const note = "theirs";\n' });
      ending(3, await ticket.cli('update-base', id, ...ticket.driving));
      ending(3, await ticket.cli('reply', id, 'Agent', ...ticket.driving));
      ending(0, await ticket.cli('merge', id, ...ticket.driving));
    },
  },
  budget: {
    async drive(ticket) {
      ending(11, await ticket.run('--token-cap', '9500'));
      ending(11, await ticket.cli('limits', id, '--token-cap', '0', '--reason', 'Go on.', ...ticket.driving));
      ending(0, await ticket.cli('continue', id, '--approve', 'all', ...ticket.driving));
    },
  },
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(kinds)) {
  const kind = kinds[name];
  if (!kind) throw new Error(`No kind ${name}; there are: ${Object.keys(kinds).join(', ')}`);
  const repository = await tempRepository({ files: { 'package.json': '{ "name": "sample", "type": "module" }\n' }, name: 'sample' });
  const folder = tempFolder('kind');
  const ticket = new CliTicket(repository, folder.path);
  try {
    await ticket.start({ tasks: kind.tasks });
    await kind.drive(ticket);
    execFileSync(process.execPath, [join(import.meta.dirname, 'record.ts'), name, repository.root], { stdio: 'inherit' });
    await repository.remove();
    folder.remove();
  } catch (error) {
    console.error(`${name} is not recorded; what is there of it lies in ${repository.root}\n`, error);
    process.exitCode = 1;
  } finally {
    await ticket.close();
  }
}
