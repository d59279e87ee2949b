import assert from 'node:assert/strict';
import { TalkingPage } from '../../../support/pages/talkingPage.ts';
import { until } from '../../../support/until.ts';
import { PageFailure } from '../../../../webview-ui/base/pageLink.ts';

describe('a page and the extension', () => {
  let page: TalkingPage;
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no failure',
      (error: unknown) => (error instanceof PageFailure ? error.code || error.message : 'another error'),
    );
  const shownText = (): string | undefined =>
    page.link.shown?.kind === 'content' ? page.link.shown.state.text : undefined;

  beforeEach(() => (page = new TalkingPage()));
  afterEach(() => {
    page.session.dispose();
    page.link.close();
  });

  it('show the state when the page is ready, and again only when it differs', async () => {
    page.link.ready();
    await until(() => shownText() === 'first', 'the first state is shown');
    assert.deepEqual(page.titles, ['TST-1 first']);
    page.client.change();
    await until(() => page.builds === 2, 'it is read again');
    await page.session.refresh();
    assert.equal(page.states, 1);
    page.text = 'second';
    page.client.change();
    await until(() => shownText() === 'second', 'the second state is shown');
    assert.equal(page.states, 2);
  });

  it('show what was read while the page was loading, unless it changed since', async () => {
    page.session.prepare();
    await until(() => page.builds === 1, 'it is read before it is ready');
    page.link.ready();
    await until(() => shownText() === 'first', 'it is shown');
    assert.equal(page.builds, 1);
    page.session.hide();
    page.session.prepare();
    await until(() => page.builds === 2, 'it is read again');
    page.text = 'second';
    page.client.change();
    page.link.ready();
    await until(() => shownText() === 'second', 'the change is shown');
    assert.equal(page.builds, 3);
  });

  it('show the part that a command wants, as soon as the page can', async () => {
    const parts: string[] = [];
    page.session.show('plan');
    page.link.ready();
    await until(() => shownText() === 'first', 'the first state is shown');
    // A page listens only once it was drawn.
    page.link.onShow((part) => parts.push(part));
    assert.deepEqual(parts, ['plan']);
    page.session.show('review');
    assert.deepEqual(parts, ['plan', 'review']);
    page.session.hide();
    page.session.show('work');
    page.link.ready();
    await until(() => parts.length > 2, 'it is told once the page is back');
    assert.deepEqual(parts, ['plan', 'review', 'work']);
  });

  it('read once for many changes in a row', async () => {
    page.link.ready();
    await until(() => page.builds === 1, 'it is read');
    page.text = 'second';
    for (let count = 0; count < 100; count++) page.client.change();
    await until(() => shownText() === 'second', 'the second state is shown');
    assert.equal(page.builds, 2);
  });

  it('answer what is asked, with the result or with what went wrong', async () => {
    page.link.ready();
    assert.deepEqual(await page.link.request('shout', { text: 'hi' }), { text: 'HI' });
    assert.equal(await codeOf(page.link.request('shout', { text: '' })), 'STATUS_CONFLICT');
    assert.equal(await codeOf(page.link.request('shout', { text: 7 } as never)), 'INVALID_INPUT');
    assert.equal(await codeOf(page.link.request('nothing' as 'look', null)), 'INVALID_INPUT');
    assert.equal(await codeOf(page.link.request('constructor' as 'look', null)), 'INVALID_INPUT');
    assert.equal(await codeOf(page.link.request('lie', null)), 'UNEXPECTED');
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6].map((id) => page.answersTo(id).length),
      [1, 1, 1, 1, 1, 1],
    );
  });

  it('answer even a request that makes no sense, and ignore everything else that makes none', async () => {
    page.session.receive({ type: 'request', id: 9, method: 'x'.repeat(1_000) });
    await until(() => page.answersTo(9).length === 1, 'it is answered');
    for (const message of [
      undefined,
      null,
      'ready',
      { type: 'request', id: 'x' },
      { type: 'request', id: -1, method: 'look' },
      [],
    ])
      page.session.receive(message);
    for (const message of [
      undefined,
      { type: 'answer', id: 77, ok: true, value: 1 },
      { type: 'answer', id: 1 },
      7,
    ])
      page.link.receive(message);
    page.link.receive({ type: 'state', state: { kind: 'content', content: { text: 7 }, refusal: '' } });
    assert.deepEqual(page.link.shown, {
      kind: 'note',
      message: 'This page and the extension have different versions. Reload the window.',
      nextStep: '',
    });
    page.link.ready();
    await until(() => shownText() === 'first', 'it goes on');
  });

  it('settle a request when the page is closed, and when nobody answers', async () => {
    const closed = codeOf(page.link.request('wait', null));
    page.link.close();
    assert.equal(await closed, 'The page was closed before the answer arrived.');
    assert.equal(
      await codeOf(page.link.request('wait', null, 5)),
      'No answer within 0 seconds. Check the current state before you try again.',
    );
    page.released.resolve(null);
    await until(() => page.answersTo(2).length === 1, 'the answer comes late');
  });

  it('drop answers to what the page asked before it was hidden, and read nothing while it is', async () => {
    page.link.ready();
    await until(() => page.builds === 1, 'it is read');
    const asked = codeOf(page.link.request('wait', null));
    page.session.hide();
    page.released.resolve(null);
    page.text = 'second';
    page.client.change();
    await page.session.refresh();
    assert.equal(page.builds, 1);
    page.link.ready();
    await until(() => shownText() === 'second', 'it is shown anew');
    assert.deepEqual(page.answersTo(1), []);
    page.link.close();
    assert.equal(await asked, 'The page was closed before the answer arrived.');
  });

  it('keep the title of a tab that is behind others up to date', async function () {
    this.timeout(10_000);
    page.link.ready();
    await until(() => page.titles.length === 1, 'it has a title');
    page.session.hide();
    page.text = 'second';
    for (let count = 0; count < 100; count++) page.client.change();
    await until(() => page.titles.at(-1) === 'TST-1 second', 'the tab says so', 8_000);
    assert.deepEqual([page.builds, page.states], [2, 1], 'read once, and nothing is sent');
    page.session.dispose();
  });

  it('say why nothing can be done, refuse it, and still let people look', async () => {
    page.reason = 'the workspace is in Restricted Mode';
    page.link.ready();
    await until(() => shownText() === 'first', 'it is shown');
    assert.match(
      page.link.shown?.kind === 'content' ? page.link.shown.refusal : '',
      /Tickets are read-only here: the workspace is in Restricted Mode/,
    );
    assert.equal(await codeOf(page.link.request('shout', { text: 'hi' })), 'DATABASE_READ_ONLY');
    assert.equal(await page.link.request('look', null), null);
  });

  it('show a note where there is nothing to show, and come back by themselves', async () => {
    page.isOpen = false;
    page.link.ready();
    await until(() => page.link.shown?.kind === 'note', 'the note is shown');
    assert.equal(await codeOf(page.link.request('look', null)), 'REPOSITORY_NOT_OPEN');
    page.isOpen = true;
    page.text = '';
    await page.session.refresh();
    assert.match(
      page.link.shown?.kind === 'note' ? page.link.shown.message : '',
      /The ticket TST-1 doesn't exist/,
    );
    page.text = 'first';
    page.client.change();
    await until(() => shownText() === 'first', 'it is shown');
  });

  it('hear what happens to their ticket, and only the newest of very much', async () => {
    const lines: string[] = [];
    page.link.onHint(({ line }) => lines.push(line));
    page.link.ready();
    await until(() => page.builds === 1, 'it is read');
    page.client.say('another ticket', 'TST-2');
    for (let count = 1; count <= 500; count++) page.client.say(String(count));
    await until(() => lines.includes('500'), 'the newest is heard');
    assert.equal(lines.length, 50);
    assert.ok(!lines.includes('another ticket'));
  });

  it('log that the page crashed', () => {
    page.link.crashed(new Error('oh'));
    assert.deepEqual(page.problems, ['test page of TST-1: the page crashed']);
  });
});
