// Records the event streams of the benchmark of the editor again: node test/bench/editor/streams/record.ts
// The real OpenCode drives the sample ticket; what it says of ten sessions is kept, each in a file of its
// own.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { basicAuth } from '../../../../src/adapters/opencode/sandbox/serverHealth.ts';
import { ServerFiles } from '../../../../src/adapters/opencode/server/serverFiles.ts';
import { demoScript } from '../../../../src/demo/sample/sample.ts';
import { writeSampleRepository } from '../../../../src/demo/writeSampleRepository.ts';
import { ScriptedModel } from '../../../support/models/scriptedModel.ts';
import { tempFolder } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';
import { driveTicket } from '../../ticket/driveTicket.ts';
import { RecordedEvent, streamsFolder } from './recordedStreams.ts';

const streams = 10;
/** A stream is played again when it ends. */
const mostEvents = 250;
const tokensPerSecond = 39;

const folder = tempFolder('bench');
const repository = join(folder.path, 'stockroom');
mkdirSync(repository);
await writeSampleRepository(repository);
const model = await ScriptedModel.start(folder.path, demoScript, { latencyMs: 300, rate: tokensPerSecond });
const over = new AbortController();
const bySession = new Map<string, string[]>();
try {
  const listening = listen(join(repository, '.git', 'beadsmith'), over.signal);
  listening.catch(() => over.abort());
  await driveTicket(repository, model.url);
  over.abort();
  await listening.catch(() => undefined); // the server may have ended first
} finally {
  await model.end();
  folder.remove();
}
const kept = chosen([...bySession.values()]);
mkdirSync(streamsFolder, { recursive: true });
for (const [at, events] of kept.entries())
  writeFileSync(join(streamsFolder, `${String(at)}.ndjson`), `${events.join('\n')}\n`);
console.log(
  kept.map((events) => `${String(events.length)} events, ${String(toolsIn(events))} of tools`).join('\n'),
);

/** Half with the most tool calls, half with the most text. */
function chosen(sessions: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const begun = sessions.map((events) => events.slice(0, mostEvents)).toSorted((a, b) => b.length - a.length);
  const working = begun.toSorted((a, b) => toolsIn(b) - toolsIn(a)).slice(0, streams / 2);
  return [...working, ...begun.filter((events) => !working.includes(events)).slice(0, streams / 2)];
}

function toolsIn(events: readonly string[]): number {
  return events.filter((event) => event.includes('"type":"tool"')).length;
}

/** From when the server is there until the signal is aborted. */
async function listen(stateFolder: string, signal: AbortSignal): Promise<void> {
  const files = new ServerFiles(stateFolder, 'main');
  const record = await until(() => files.read(), 'the server has written where it is');
  const response = await fetch(`${record.url}/global/event`, {
    headers: { authorization: basicAuth(record.password) },
    signal,
  });
  if (!response.body) throw new Error('OpenCode streams nothing.');
  let text = '';
  try {
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) keep(block.replace(/^data: /, ''));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function keep(data: string): void {
  const session = RecordedEvent.parse(JSON.parse(data)).payload.properties?.sessionID;
  if (session === undefined) return;
  bySession.set(session, [...(bySession.get(session) ?? []), data]);
}
