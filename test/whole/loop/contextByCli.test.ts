import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codingReport, runCommand } from '../../../src/demo/generic/execution.ts';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';
import { ContextEntry } from '../../../src/domain/prompts/contextEntries.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import { cliTickets } from '../../support/cliTicket.ts';
import { until } from '../../support/until.ts';

const description =
  'People want to be greeted.\n\n- Greet people by their name\n- Greet people without a name\n';
const ticket = 'SAMPL-1';
const wish = 'Say goodbye, too.';
const Beads = z.object({
  type: z.literal('report'),
  beads: z.array(z.object({ id: z.string(), title: z.string() })),
});

/** Added and withdrawn while a bead is coded; a driver is killed with it. */
describe('context on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-31: changes what the next bead becomes, is withdrawn in time, and is delivered again after the driver was killed', async () => {
    const place = await makeTicket();
    const { folder, driving, repository, sent } = place;
    const context = (...words: string[]) =>
      place.cli('context', ...words, ...(words[0] === 'list' ? [] : ['--no-wait']));
    const listed = async () =>
      eventsOf((await context('list', ticket)).stdout).flatMap((event) =>
        event.type === 'context' ? [ContextEntry.parse(event)] : [],
      );

    const letGo = async (bead: string): Promise<void> => {
      const place = join(`${repository.root}.worktrees`, ticket, '.ticket');
      await mkdir(place, { recursive: true });
      await writeFile(join(place, `go-${bead}`), '');
    };
    const text = [
      '--title',
      'Add greetings',
      '--description',
      description,
      '--model',
      'scripted/alpha',
      '--depth',
      'solo',
    ];
    const planned = await place.cli(
      'run',
      ...text,
      '--skip-interview',
      '--approve',
      'interview,prd,beads',
      ...driving,
    );
    assert.equal(planned.code, 3, `${planned.stdout}\n${planned.stderr}`);
    const shown = Beads.parse(eventsOf((await place.cli('show', ticket)).stdout)[0]);
    const [first, second] = shown.beads;
    assert.ok(first && second);

    place.script({ coding: codes(first, second) });
    const driver = place.begin('run', ticket, '--approve', 'setup', ...driving);
    const asked = (has: string): boolean => place.of('coding').some(({ body }) => body.includes(has));
    await until(() => asked(first.id) || driver.child.exitCode !== null, 'the first bead is coded', 120_000);
    assert.equal((await context('add', ticket, wish)).code, 0);
    assert.equal((await context('add', ticket, 'Never mind.')).code, 0);
    const large = join(folder, 'large.txt');
    await writeFile(large, 'x'.repeat(1_000_000));
    const refused = await context('add', ticket, '--file', large);
    assert.equal(refused.code, 2);
    assert.match(
      refused.stdout + refused.stderr,
      /20,000 characters at most\. Put longer material into a file of the repository/,
    );
    const [wanted, unwanted] = await listed();
    assert.deepEqual([wanted?.state, unwanted?.text, unwanted?.state], ['queued', 'Never mind.', 'queued']);
    assert.equal((await context('withdraw', ticket, unwanted?.id ?? '')).code, 0);
    await until(async () => (await listed())[1]?.state === 'withdrawn', 'it is withdrawn');
    await letGo(first.id);

    await until(
      () => asked(wish) || driver.child.exitCode !== null,
      'the second bead is coded with it',
      120_000,
    );
    assert.equal((await listed())[0]?.state, 'delivered');
    driver.child.kill('SIGKILL');
    await driver.ended;
    await letGo(second.id);
    const before = sent.length;
    const resumed = await place.cli('run', ticket, '--approve', 'setup', ...driving);
    assert.equal(resumed.code, 3, `${resumed.stdout}\n${resumed.stderr}`);
    assert.ok(
      sent.slice(before).some(({ request, body }) => request.task === 'coding' && body.includes(wish)),
      'the iteration that was killed has used nothing up',
    );
    assert.match(
      await repository.git('show', `ticket/${ticket}:${noteFiles(second.id).module}`),
      /goodbye = 'Goodbye'/,
    );
    for (const { body } of sent)
      assert.ok(!body.includes('Never mind.'), 'what was withdrawn reached nobody');
    const [used] = await listed();
    assert.deepEqual([used?.state, used?.acknowledged], ['consumed', true]);
    const late = await place.cli('context', 'withdraw', ticket, used?.id ?? '', ...driving);
    assert.equal(late.code, 2, late.stdout);
    assert.match(late.stdout, /can't be changed anymore because an agent has received it/);
  });
});

interface NamedBead {
  readonly id: string;
  readonly title: string;
}

/** The second bead does more than its plan says if it gets the context. */
function codes(first: NamedBead, second: NamedBead): NonNullable<ScriptInput['tasks'][string]> {
  const work = ({ id, title }: NamedBead, more: string) => {
    const files = noteFiles(id);
    const facts = { id, title, iteration: 1, testCommands: [`node --test ${files.test}`] };
    return {
      calls: [
        runCommand(`until [ -e .ticket/go-${id} ]; do sleep 0.2; done`),
        { tool: 'write', args: { filePath: files.module, content: `${noteModule(id, title)}${more}` } },
        { tool: 'write', args: { filePath: files.test, content: noteTest(id, title) } },
        runCommand(`node --test ${files.test}`),
      ],
      text: codingReport(facts, Object.values(files)),
    };
  };
  return [
    { when: { bead: first.id }, ...work(first, '') },
    {
      when: { bead: second.id, part: 'added_context', has: wish },
      ...work(second, "export const goodbye = 'Goodbye';\n"),
    },
  ];
}
