import assert from 'node:assert/strict';
import { cliTickets, ending, partOf } from '../../support/cliTicket.ts';

describe('choices about later prompts on the command line', function () {
  this.timeout(300_000);
  const makeTicket = cliTickets();

  it('leave parts out, show the next prompt before it is sent, and say so', async () => {
    const ticket = await makeTicket();
    const models = [
      '--title',
      'Greet by name',
      '--model',
      'scripted/alpha',
      '--depth',
      'quick',
      '--review',
      'off',
    ];
    ending(3, await ticket.cli('run', ...models, ...ticket.driving));
    for (const words of [
      ['exclude', 'SAMPL-1', 'host', '--no-wait'],
      ['pin', 'SAMPL-1', 'workspace', '--bead', 'note-greet-by-name-1', '--no-wait'],
    ])
      ending(0, await ticket.cli('context', ...words, ...ticket.driving));
    const refused = await ticket.cli('context', 'exclude', 'SAMPL-1', 'bead_data', ...ticket.driving);
    assert.match(refused.stdout, /makes no sense without it/);

    const before = ticket.of('setup').length;
    const events = ending(
      3,
      await ticket.cli('context', 'SAMPL-1', '--preview', '--approve', 'all', ...ticket.driving),
    );
    const [document, end] = events.slice(-2);
    assert.ok(document?.type === 'document' && end?.type === 'end', 'the whole prompt stands before the end');
    const shown = document.content;
    assert.match(shown, /# Beadsmith task: setup/);
    assert.match(shown, /is about to be sent to scripted\/alpha/);
    assert.doesNotMatch(shown, /## host/);
    assert.equal(ticket.of('setup').length, before);
    ending(0, await ticket.cli('reply', 'SAMPL-1', 'Send', '--approve', 'all', ...ticket.driving));

    const coded = ticket.of('coding');
    assert.ok(coded.length > 0 && coded.every((sent) => partOf(sent, 'host') === undefined));
    const rules = ending(0, await ticket.cli('context', 'list', 'SAMPL-1')).flatMap((event) =>
      event.type === 'prompt_rule' ? [event] : [],
    );
    assert.deepEqual(
      rules.map(({ part, rule, bead }) => [part, rule, bead]),
      [
        ['host', 'exclude', null],
        ['workspace', 'pin', 'note-greet-by-name-1'],
      ],
    );
    const calls = ending(0, await ticket.cli('context', 'SAMPL-1')).flatMap((event) =>
      event.type === 'inspection' ? [event] : [],
    );
    const call = calls.find(({ prompt }) => prompt === 'coding');
    assert.ok(call);
    assert.match(JSON.stringify(call['left']), /"name":"host","kind":"section","reason":"excluded"/);
    assert.ok(call.parts.some((part) => part.name === 'workspace' && part['pinned'] === true));
  });
});
