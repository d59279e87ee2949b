import assert from 'node:assert/strict';
import type { InboxBody } from '../../../../src/domain/ticket/inbox.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import { newLoop } from '../../../../src/views/tickets/newLoop.ts';
import { editor, person, Uri, window } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('a new loop', () => {
  let place: FakePlace;
  const created: unknown[] = [];
  const prompt = '# Tidy the report\n\n- [ ] every column has a name\n';
  const opens = (text: string, languageId = 'markdown'): void => {
    window.activeTextEditor = {
      document: { uri: Uri.parse('file:///project/PROMPT.md'), languageId, getText: () => text },
    };
  };
  const started = (): InboxBody<'start'> => place.client.sent[0]?.body as InboxBody<'start'>;

  beforeEach(() => {
    created.length = 0;
    const settled = {
      mainImplementer: 'demo/main',
      councilMembers: ['demo/second'],
      settings: {},
      limits: {},
    };
    place = new FakePlace({ ticket: { status: 'DRAFT' } }, { startSettings: () => settled });
    Object.assign(place.client, {
      create: (input: unknown): Promise<Ticket> => {
        created.push(input);
        return Promise.resolve({ ...place.detail.ticket, id: 'TST-7' });
      },
    });
  });

  it('is the prompt of the active editor, with passes, promise and tests, and is started at once', async () => {
    opens(prompt);
    editor.will(
      person.picks('open'),
      person.writes('2'),
      person.writes('5'),
      person.writes('DONE'),
      person.picks('commands'),
      person.writes('npm test ;; npm run lint'),
    );
    assert.equal(await newLoop(place.repository), 'TST-7');
    assert.deepEqual(created, [{ title: 'Tidy the report', description: prompt }]);
    const { settings, loop } = started();
    assert.deepEqual(
      [settings.depth, settings.minPasses, settings.maxPasses, settings.promise, settings.councilMembers],
      ['loop', 2, 5, 'DONE', ['demo/second']],
    );
    assert.deepEqual(loop, { tests: ['npm test', 'npm run lint'], setup: [], noTests: '' });
  });

  it('takes the project’s checks, or a reason why no command proves it', async () => {
    opens(prompt);
    place.client.approved = ['npm test', 'npm run lint'];
    const first = [person.picks('open'), person.writes('1'), person.writes('3'), person.writes('')] as const;
    editor.will(...first, person.picks('project'));
    await newLoop(place.repository);
    assert.deepEqual(started().loop, { tests: [], setup: [], noTests: '' });
    place.client.sent.length = 0;
    editor.will(...first, person.picks('none'), person.writes(' '), person.writes('Only text.'));
    await newLoop(place.repository);
    assert.deepEqual(started().loop, { tests: [], setup: [], noTests: 'Only text.' });
    assert.equal(editor.refusals.length, 1);
  });

  it('says before the start that the project has no checks, and asks for a command or a reason instead', async () => {
    opens(prompt);
    editor.will(person.picks('open'), person.writes('1'), person.writes('3'), person.writes(''), 'leave');
    assert.equal(await newLoop(place.repository), undefined);
    const asked = editor.shown.findLast(({ kind }) => kind === 'pick');
    assert.match(asked?.detail ?? '', /no approved checks yet/);
    assert.deepEqual(
      asked?.items.map(({ value }) => value),
      ['commands', 'none'],
    );
    assert.deepEqual([created, place.client.sent], [[], []]);
  });

  it('refuses numbers that aren’t passes, and a maximum below the minimum', async () => {
    opens(prompt);
    editor.will(
      person.picks('open'),
      person.writes('0'),
      person.writes('x'),
      person.writes('4'),
      person.writes('3'),
      'leave',
    );
    assert.equal(await newLoop(place.repository), undefined);
    assert.equal(editor.refusals.length, 3);
    assert.deepEqual(created, []);
  });

  it('is refused with the reason if its file can’t be a prompt', async () => {
    opens('\n');
    editor.will(person.picks('open'));
    await assert.rejects(newLoop(place.repository), /PROMPT\.md can't be used: it is empty/);
    assert.deepEqual(created, []);
  });
});
