import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoFacts } from './facts.ts';
import { ChatRequest, textOf } from '../script/parsedChat.ts';
import type { RequestRecord } from '../scriptedServer.ts';

/** A request as it was sent. */
export interface SentRequest extends RequestRecord {
  /** The texts of all its messages. */
  readonly text: string;
  /** The earlier texts of the model in this session, and the answers of its tools: one text each. */
  readonly told: readonly string[];
  /** The earlier texts of the model alone in this session. */
  readonly said: readonly string[];
}

/** The requests that the scripted model got, with their bodies. */
export function readBodies({
  requests,
  bodies,
}: Pick<DemoFacts, 'requests' | 'bodies'>): readonly SentRequest[] {
  return requests.map((request) => {
    const { messages } = ChatRequest.parse(
      JSON.parse(readFileSync(join(bodies, `${String(request.n)}.json`), 'utf8')),
    );
    const told = messages.filter(({ role }) => role === 'assistant' || role === 'tool').map(textOf);
    const said = messages.filter(({ role }) => role === 'assistant').map(textOf);
    return { ...request, text: messages.map(textOf).join('\n'), told, said };
  });
}
