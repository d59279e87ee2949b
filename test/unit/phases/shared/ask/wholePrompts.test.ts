import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { preparedCalls, preparedPrompt, preparedSettings, promptsFolder } from '../../../../support/engine/preparedPrompts.ts';

const renewing = process.env['BEADSMITH_PROMPTS'] === 'renew';

/** Where two texts differ first. */
function firstDifference(recorded: string, made: string): string {
  const [before, now] = [recorded.split('\n'), made.split('\n')];
  const at = now.findIndex((line, index) => line !== before[index]);
  const line = at < 0 ? now.length : at;
  return `line ${String(line + 1)}\n  recorded: ${before[line] ?? '(end)'}\n  now:      ${now[line] ?? '(end)'}`;
}

/** Everything that a model reads in a call, as one text to read. */
describe('a whole prompt', () => {
  const worlds = phaseWorlds();

  for (const [name, prepared] of Object.entries(preparedCalls))
    it(`is the recorded one: ${prepared.about}`, async () => {
      const { system, call } = await preparedPrompt(await worlds(prepared.status, preparedSettings), prepared);
      const parts = [
        `<!-- ${name}: ${prepared.about}. Prompt ${call.task}, tools: ${call.policy}. System prompt first, then the message. -->`,
        ...['<!-- system -->', system],
        ...['<!-- message -->', call.whole],
      ];
      const made = `${parts.join('\n\n')}\n`;
      const path = join(promptsFolder, `${name}.md`);
      if (renewing) writeFileSync(path, made);
      const recorded = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const renew = `BEADSMITH_PROMPTS=renew node node_modules/mocha/bin/mocha.js test/unit/phases/shared/ask/wholePrompts.test.ts`;
      assert.ok(
        made === recorded,
        `${name} differs in ${firstDifference(recorded, made)}\nRead what changed, then renew the files: ${renew}`,
      );
    });
});
