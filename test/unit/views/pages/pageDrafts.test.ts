import assert from 'node:assert/strict';
import { FakeDrafts } from '../../../support/fakes/fakeDrafts.ts';
import { TalkingPage } from '../../../support/pages/talkingPage.ts';
import { until } from '../../../support/until.ts';

describe('what is typed into a page and not sent', () => {
  let drafts: FakeDrafts;
  let pages: TalkingPage[];
  const open = async (): Promise<TalkingPage> => {
    const page = new TalkingPage(drafts);
    pages.push(page);
    page.link.ready();
    await until(() => page.link.shown !== undefined, 'the page is shown');
    return page;
  };
  const stored = (): boolean => pages.every(({ link }) => link.draftStore.status.kind !== 'storing');

  beforeEach(() => {
    drafts = new FakeDrafts();
    pages = [];
  });
  afterEach(() => {
    for (const page of pages) {
      page.session.dispose();
      page.link.close();
    }
  });

  it('is there when the page is opened again', async () => {
    const page = await open();
    page.link.draftStore.set('answer', 'half');
    page.link.draftStore.set('answer', 'half an answer');
    page.session.dispose();
    await until(() => drafts.drafts['answer'] === 'half an answer', 'it is stored');
    assert.equal((await open()).link.draftStore.get('answer'), 'half an answer');
  });

  it('comes before the first state, so that it is never shown without', async () => {
    drafts.drafts = { answer: 'typed' };
    const page = await open();
    assert.deepEqual(
      page.posted.map(({ type }) => type),
      ['drafts', 'state'],
    );
  });

  it('marks the title until it is sent', async () => {
    const page = await open();
    assert.equal(page.titles.at(-1), 'TST-1 first');
    page.link.draftStore.set('answer', 'typed');
    assert.equal(page.titles.at(-1), '● TST-1 first');
    page.link.draftStore.set('answer', undefined);
    assert.equal(page.titles.at(-1), 'TST-1 first');
    await until(stored, 'that is stored');
    assert.deepEqual(drafts.drafts, {});
    drafts.drafts = { answer: 'typed elsewhere' };
    assert.equal((await open()).titles.at(-1), '● TST-1 first');
  });

  it('follows what another window changed, and changes nothing else there', async () => {
    const here = await open();
    const there = await open();
    here.link.draftStore.set('one', 1);
    there.link.draftStore.set('two', 2);
    await until(stored, 'both are stored');
    assert.deepEqual(drafts.drafts, { one: 1, two: 2 });
    await there.session.refreshDrafts();
    assert.equal(there.link.draftStore.get('one'), 1);
    const posted = there.posted.length;
    await there.session.refreshDrafts();
    assert.equal(there.posted.length, posted, 'what is known is not said again');
  });

  it('is said to be unsaved when it can’t be stored, and stored with the next change', async () => {
    const page = await open();
    drafts.problem = new Error('the disk is full');
    page.link.draftStore.set('one', 1);
    await until(() => page.link.draftStore.status.kind === 'failed', 'it is said');
    assert.deepEqual(page.problems, ['test page of TST-1: its drafts can’t be stored']);
    drafts.problem = undefined;
    page.link.draftStore.set('two', 2);
    await until(() => page.link.draftStore.status.kind === 'stored', 'it is stored');
    assert.deepEqual(drafts.drafts, { one: 1, two: 2 });
  });

  it('is not stored again as long as it stays the same', async () => {
    const page = await open();
    page.link.draftStore.set('answer', { a: 1, b: [2] });
    page.link.draftStore.set('answer', { b: [2], a: 1 });
    page.link.draftStore.set('other', undefined);
    await until(stored, 'it is stored');
    assert.deepEqual(drafts.changes, [{ answer: { a: 1, b: [2] } }]);
  });

  it('is known to be stored once it is', async () => {
    const page = await open();
    assert.equal((await page.link.draftStore.settled()).kind, 'none');
    page.link.draftStore.set('answer', 'typed');
    assert.equal(page.link.draftStore.status.kind, 'storing');
    assert.equal((await page.link.draftStore.settled()).kind, 'stored');
    assert.deepEqual(drafts.drafts, { answer: 'typed' });
  });

  it('goes when what it was about is gone', async () => {
    const page = await open();
    page.link.draftStore.set('qa-1', 'old');
    page.link.draftStore.set('qa-2', 'new');
    page.link.draftStore.drop((key) => key === 'qa-1');
    await until(() => drafts.changes.length > 0 && stored(), 'that is stored');
    assert.deepEqual(drafts.drafts, { 'qa-2': 'new' });
  });
});
