import type { CliEvent } from '../../protocol/cliEvents.ts';
import { type Output, type Sink, oneLine } from '../base/output.ts';
import type { TicketEvent } from '../../domain/core/events.ts';
import { eventSentence } from '../../domain/facts/eventSentence.ts';
import { StatusName } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';

type Progress = Extract<CliEvent, { type: 'verifying' | 'replaying' }>;

/** On a terminal, the last line shows live what is happening. */
export class TextOutput implements Output {
  readonly #out: Sink;
  readonly #err: Sink;
  #live = '';

  constructor(out: Sink, err: Sink) {
    this.#out = out;
    this.#err = err;
  }

  event(event: CliEvent): void {
    if (event.type === 'error') {
      this.#clear();
      this.#err.write(
        `beadsmith: ${oneLine(event.message, 2_000)}\n${event.nextStep ? `  ${oneLine(event.nextStep, 2_000)}\n` : ''}`,
      );
      return;
    }
    const line = eventLine(event);
    if (line === undefined) return;
    if (line.live) this.#show(line.text);
    else {
      if (event.type === 'status') this.close();
      this.#write(`${line.text}\n`);
    }
  }

  text(lines: string): void {
    this.#write(`${lines}\n`);
  }

  close(): void {
    this.#clear();
    this.#live = '';
  }

  #write(text: string): void {
    this.#clear();
    this.#out.write(text);
    if (this.#live) this.#show(this.#live);
  }

  #show(text: string): void {
    if (this.#out.isTTY !== true) return;
    this.#live = text;
    this.#out.write(`\r\u001B[K${oneLine(text, (this.#out.columns ?? 80) - 1)}`);
  }

  #clear(): void {
    if (this.#live && this.#out.isTTY === true) this.#out.write('\r\u001B[K');
  }
}

/** `live`: overwritten by the next line. */
interface Line {
  readonly text: string;
  readonly live: boolean;
}

/** Undefined: reported elsewhere. */
export function eventLine(event: CliEvent): Line | undefined {
  switch (event.type) {
    case 'created':
      return whole(`${event.ticket} ${oneLine(event.title)}`);
    case 'posted':
      return whole(`${event.ticket} ${event.action.replaceAll('_', ' ')}: filed`);
    case 'outcome':
      return event.state === 'refused'
        ? whole(`${event.ticket} ${event.action} was refused: ${oneLine(event.message ?? '')}`)
        : undefined;
    case 'note':
      return whole(oneLine(event.message, 1_000));
    case 'status':
      return whole(`${event.ticket} ${labelOf(event.to)}`);
    case 'step':
      return event.state === 'replayed' ? undefined : passing(event, event.state !== 'failed');
    case 'bead':
    case 'hold':
    case 'refused':
      return passing(event, false);
    case 'stage':
      return passing(event, event.state === 'started');
    case 'activity':
      return passing(event, event.kind !== 'info' && event.kind !== 'retry');
    case 'call':
      return passing(event, true);
    case 'verifying':
      return counted(event, `: ${oneLine(event.command, 120)}`);
    case 'replaying':
      return counted(event, ' calls');
    default:
      return undefined;
  }
}

function whole(text: string): Line {
  return { text, live: false };
}

function counted({ ticket, number, total }: Progress, rest: string): Line {
  return { text: `${ticket}   ${String(number)} of ${String(total)}${rest}`, live: true };
}

function passing(event: TicketEvent, live: boolean): Line {
  const { source, text, detail } = eventSentence(event);
  const words = event.type === 'activity' ? [detail] : [text, detail].filter((part) => part !== '');
  const by = source === 'engine' ? '' : `${oneLine(source, 40)}: `;
  const indent = event.type === 'hold' || event.type === 'refused' ? ' ' : '   ';
  // What the engine says stays in the terminal; the rest is replaced by the next line.
  const most = event.type === 'activity' && event.kind !== 'info' ? 120 : 400;
  return { text: `${event.ticket}${indent}${by}${oneLine(words.join(': '), most)}`, live };
}

function labelOf(status: string): string {
  const known = StatusName.safeParse(status);
  return known.success ? `${rowOf(known.data).label} (${status})` : oneLine(status);
}
