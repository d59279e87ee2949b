import assert from 'node:assert/strict';
import { codingReport } from '../../../src/demo/generic/execution.ts';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import { PrefixCache } from '../../support/models/promptCaches.ts';
import { type CliTicket, cliTickets, ending, type Sent } from '../../support/cliTicket.ts';

/** Where another token costs 1 (docs/prompt-cache.md). */
const cachedPrice = 0.1;
/** About 1,500 tokens. */
const rules = Array.from(
  { length: 100 },
  (_, at) => `- Rule ${String(at)}: name things in module ${String(at)} as its glossary does.`,
).join('\n');
const chapters = Array.from({ length: 20 }, (_, at) => `docs/chapter-${String(at + 1)}.md`);
const files = {
  'AGENTS.md': `# Rules\n\n${rules}\n`,
  ...Object.fromEntries(chapters.map((path) => [path, `# ${path}\n\n${rules}\n`])),
};

const price = (prompt: number, cached: number): number => prompt - cached + cachedPrice * cached;
const costOf = (sent: readonly Sent[]): number =>
  sent.reduce((sum, { request: { tokens } }) => sum + price(tokens.prompt, tokens.cached), 0);

/** The provider keeps beginnings of at least 1,024 tokens, in steps of 128, for five minutes. */
describe('the cost of prompts', function () {
  this.timeout(900_000);
  const makeTicket = cliTickets();
  const cached = (tasks: unknown): Promise<CliTicket> =>
    makeTicket({ files, tasks, provider: 'deepseek', cache: new PrefixCache() });

  it('is less than half for five iterations whose prompts begin with what stays the same', async () => {
    const fails = [1, 2, 3, 4].map((iteration) => ({ when: { iteration }, text: 'Nothing.' }));
    const costs: Record<string, number> = {};
    for (const order of ['stable', 'seed']) {
      const ticket = await cached({ coding: fails });
      ending(
        0,
        await ticket.run(
          '--review',
          'off',
          '--continuations',
          '0',
          '--iterations',
          '5',
          '--prompt-order',
          order,
        ),
      );
      const firsts = ticket.of('coding').filter(({ request }) => request.step === 0);
      assert.equal(new Set(firsts.map(({ request }) => request.iteration)).size, 5);
      costs[order] = costOf(firsts);
    }
    const ratio = (costs['stable'] ?? 0) / (costs['seed'] ?? 1);
    console.log(`      five iterations, stable ÷ seed: ${ratio.toFixed(2)}`);
    assert.ok(ratio <= 0.5, `stable ÷ seed = ${ratio.toFixed(2)}`);
  });

  it('is less than a quarter for ten beads with a session each, compared with one that carries everything along', async () => {
    const beads = Array.from({ length: 10 }, (_, at) => ({ id: `part-${String(at + 1)}` }));
    const coding = beads.map(({ id }) => {
      const { module, test } = noteFiles(id);
      const title = `Note ${id}`;
      const read = chapters.map((filePath) => ({ tool: 'read', args: { filePath } }));
      const write = [
        { tool: 'write', args: { filePath: module, content: noteModule(id, title) } },
        { tool: 'write', args: { filePath: test, content: noteTest(id, title) } },
      ];
      const facts = { id, title, iteration: 1, testCommands: [`node --test ${test}`] };
      return { when: { bead: id }, calls: [...read, ...write], text: codingReport(facts, [module, test]) };
    });
    const ticket = await cached({ coding });
    await ticket.plan(beads, '--review', 'off');
    ending(0, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving));
    const sent = ticket.of('coding');
    const isolated = costOf(sent);
    const ratio = isolated / carried(sent);
    console.log(`      ten beads, isolated ÷ carried: ${ratio.toFixed(2)}`);
    assert.ok(ratio <= 0.25, `isolated ÷ carried = ${ratio.toFixed(2)}`);
  });

  it('is less than half for three reviewers of whom the first one goes ahead, compared with all at once', async () => {
    const ticket = await cached({});
    ending(0, await ticket.run('--review', 'party', '--reviewer', 'deepseek/beta'));
    const firsts = ticket.of('review').filter(({ request }) => request.step === 0);
    assert.equal(firsts.length, 3);
    const atOnce = firsts.reduce((sum, { request }) => sum + request.tokens.prompt, 0);
    const ratio = costOf(firsts) / atOnce;
    console.log(`      three reviewers, staggered ÷ at once: ${ratio.toFixed(2)}`);
    assert.ok(ratio <= 0.5, `staggered ÷ at once = ${ratio.toFixed(2)}`);
  });
});

/** In one session, in which each request has all that was said before, from the cache. */
function carried(sent: readonly Sent[]): number {
  const whole = new Map<string | null, number>();
  for (const { request } of sent) whole.set(request.bead, request.tokens.prompt + request.tokens.completion);
  let before = 0;
  let cost = 0;
  let bead: string | null | undefined;
  let last = 0;
  for (const { request } of sent) {
    if (bead !== undefined && request.bead !== bead) before += whole.get(bead) ?? 0;
    bead = request.bead;
    const prompt = before + request.tokens.prompt;
    // The request before is in the cache, to a whole step.
    const known = Math.floor(Math.min(last, prompt) / 128) * 128;
    cost += price(prompt, known);
    last = prompt;
  }
  return cost;
}
