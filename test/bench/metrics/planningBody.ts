import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import { OpencodeAgent } from '../../../src/adapters/opencode/opencodeAgent.ts';
import { agentPrompts } from '../../../src/app/createApp.ts';
import { locations } from '../../../src/app/locations.ts';
import { titleOf } from '../../../src/context/promptFile.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import type { Measure } from '../measurement.ts';

/**
 * The body that the real OpenCode sends for a `read_only` session whose prompt holds only its title line. KB
 * of 1,000 bytes; the same every time.
 */
export const measurePlanningBody: Measure = async () => {
  const folder = tempFolder('bench');
  const model = await startScriptedServer();
  const agent = new OpencodeAgent({
    stateDir: join(folder.path, 'state'),
    agentPrompts: await agentPrompts(new PromptFiles(fileURLToPath(locations.prompts))),
    config: providerConfig(model.url),
    startLimitMs: 60_000,
  });
  try {
    const directory = join(folder.path, 'stockroom');
    mkdirSync(directory);
    await writeSampleRepository(directory);
    const session = await agent.createSession({ directory, title: 'A planning call', policy: 'read_only' });
    const request = { member: 'scripted/alpha', policy: 'read_only', text: titleOf('prd-coverage') } as const;
    await agent.prompt(session, request, {
      signal: new AbortController().signal,
      retryLimit: 0,
      retryGraceMs: 10_000,
    });
    const [received] = model.requests;
    if (!received || received.task !== 'prd-coverage')
      throw new Error('The call did not reach the scripted model.');
    const notes = [`${String(received.bytes)} bytes with the tools ${received.tools.join(', ')}`];
    return [
      { name: 'planning-body', unit: 'KB', bound: { atMost: 6 }, samples: [received.bytes / 1_000], notes },
    ];
  } finally {
    await agent.stop();
    await model.close();
    folder.remove();
  }
};
