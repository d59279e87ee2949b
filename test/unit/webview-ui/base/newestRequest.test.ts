import assert from 'node:assert/strict';
import { NewestRequest } from '../../../../webview-ui/base/newestRequest.ts';

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await Promise.resolve();
};

describe('a request for what is newest', () => {
  it('is repeated for news that comes at any moment, and never runs twice at once', async () => {
    for (let turn = 0; turn < 12; turn++) {
      const newest = new NewestRequest();
      let [asked, running] = [0, 0];
      const request = async (): Promise<void> => {
        asked += 1;
        running += 1;
        assert.equal(running, 1);
        await turns(3);
        running -= 1;
      };
      newest.ask(request);
      await turns(turn);
      newest.ask(request);
      await turns(30);
      assert.equal(asked, 2, `${String(turn)} turns later`);
    }
  });

  it('is asked once for much news, and not again once nobody sees it', async () => {
    const newest = new NewestRequest();
    let asked = 0;
    const request = async (): Promise<void> => {
      asked += 1;
      await turns(3);
    };
    for (let news = 0; news < 5; news++) newest.ask(request);
    newest.stop();
    await turns(30);
    assert.equal(asked, 1);
  });
});
