import type { CliEvent } from '../../protocol/cliEvents.ts';
import { type Output, type Sink, oneLine, untilText } from '../base/output.ts';
import { StatusName } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import { stageText } from '../../protocol/stages.ts';

/** Lines for people. On a terminal the last line is updated in place and shows what is happening. */
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
      // What happened in the previous status is over.
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

/** An event in words; `live` for a line that passes by. Undefined for what is said elsewhere. */
export function eventLine(event: CliEvent): { readonly text: string; readonly live: boolean } | undefined {
  switch (event.type) {
    case 'created':
      return whole(`${event.ticket} ${oneLine(event.title)}`);
    case 'posted':
      return whole(`${event.ticket} ${event.action.replaceAll('_', ' ')}: filed`);
    case 'outcome':
      return event.state === 'refused'
        ? whole(`${event.ticket} ${event.action} was refused: ${oneLine(event.message ?? '')}`)
        : undefined;
    case 'refused':
      return whole(`${event.ticket} ${oneLine(event.action)} was refused: ${oneLine(event.message)}`);
    case 'note':
      return whole(oneLine(event.message, 1_000));
    case 'status':
      return whole(`${event.ticket} ${labelOf(event.to)}`);
    case 'bead':
      return whole(
        `${event.ticket}   bead ${event.bead} (${ordinal(event.done, event.total)}), iteration ${String(event.iteration)}: ${oneLine(event.state)}`,
      );
    case 'stage':
      return {
        text: `${event.ticket}   bead ${event.bead}, iteration ${String(event.iteration)}: ${oneLine(stageText(event), 300)}`,
        live: event.state === 'started',
      };
    case 'step':
      if (event.state === 'replayed') return undefined;
      return {
        text: `${event.ticket}   ${oneLine(event.key)}: ${event.state}`,
        live: event.state !== 'failed',
      };
    case 'activity':
      return {
        text: `${event.ticket}   ${oneLine(event.source, 40)}: ${oneLine(event.text, 120)}`,
        live: event.kind !== 'info' && event.kind !== 'retry',
      };
    case 'call':
      return {
        text: `${event.ticket}   ${oneLine(event.member, 40)}: ${oneLine(event.prompt)} ${event.outcome}`,
        live: true,
      };
    case 'hold':
      return whole(
        event.hold === null
          ? `${event.ticket} continues${event.detail === '' ? '' : `: ${event.detail}`}`
          : `${event.ticket} pauses (${event.hold})${untilText(event.until)}: ${oneLine(event.detail)}`,
      );
    case 'verifying':
      return {
        text: `${event.ticket}   ${String(event.number)} of ${String(event.total)}: ${oneLine(event.command, 120)}`,
        live: true,
      };
    case 'replaying':
      return {
        text: `${event.ticket}   ${String(event.number)} of ${String(event.total)} calls`,
        live: true,
      };
    default:
      return undefined;
  }
}

function whole(text: string): { readonly text: string; readonly live: boolean } {
  return { text, live: false };
}

function labelOf(status: string): string {
  const known = StatusName.safeParse(status);
  return known.success ? `${rowOf(known.data).label} (${status})` : oneLine(status);
}

function ordinal(done: number, total: number): string {
  return `${String(done)} of ${String(total)} done`;
}
