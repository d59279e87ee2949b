import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliProcess, eventsOf } from '../../support/cliProcess.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';

/** No model is configured anywhere. */
describe('a rehearsal on the command line', function () {
  this.timeout(600_000);
  const makeRepository = tempRepositories();
  const makeFolder = tempFolders();

  it('prints every call with its parts, for a draft that nobody has started, and changes nothing', async () => {
    const files = {
      'package.json': '{ "name": "sample", "type": "module" }\n',
      'greet.mjs': 'export const greet = 1;\n',
    };
    const repository = await makeRepository({ files, name: 'sample' });
    const home = await makeFolder();
    const temporary = join(home, 'tmp');
    mkdirSync(temporary);
    const env = { XDG_CONFIG_HOME: home, TMPDIR: temporary, BEADSMITH_SCRIPTED: '0' };
    const place = ['--repo', repository.root, '--json'];
    const cli = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await new CliProcess([...words, ...place], { env, alone: true }).ended;
      return { code, events: eventsOf(stdout), said: `${stdout}\n${stderr}` };
    };
    const created = await cli('create', '--title', 'Greet by name', '--description=-- by name, "quoted"');
    assert.equal(created.code, 0, created.said);
    const before = await repository.fingerprint();
    const opencode = process.env['BEADSMITH_OPENCODE'];
    const { code, events, said } = await cli(
      'rehearse',
      'SAMPL-1',
      '--depth',
      'quick',
      ...(opencode === undefined ? [] : ['--opencode', opencode]),
    );
    assert.equal(code, 0, said);
    const calls = events.filter((event) => event.type === 'rehearsed');
    const sum = events.find((event) => event.type === 'rehearsal');
    assert.ok(sum?.type === 'rehearsal');
    const tokens = calls.flatMap(({ parts }) => parts).reduce((all, part) => all + part.tokens, 0);
    assert.deepEqual(
      [sum.calls, sum.tokens, sum.money, sum.whole, sum.status],
      [calls.length, tokens, null, true, 'COMPLETED'],
    );
    const coding = calls.find(({ prompt }) => prompt === 'coding');
    assert.ok(coding?.bead !== null && coding?.parts.some(({ name }) => name === 'bead_data'));
    assert.ok(calls.every(({ ticket, member }) => ticket === 'SAMPL-1' && member.startsWith('scripted/')));

    assert.deepEqual(await repository.fingerprint(), before);
    const [listed] = (await cli('list')).events.filter((event) => event.type === 'ticket');
    assert.equal(listed?.type === 'ticket' && listed.status, 'DRAFT');
    assert.deepEqual(
      readdirSync(temporary).filter((name) => name.startsWith('beadsmith-rehearsal-')),
      [],
    );
    assert.equal(
      existsSync(join(home, 'beadsmith', 'completed-tickets.jsonl')),
      false,
      'a rehearsal counts for no estimate',
    );
  });
});
