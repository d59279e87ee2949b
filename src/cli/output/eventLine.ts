import { StatusName } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';
import { stageText } from '../../protocol/stages.ts';
import { oneLine, untilText } from '../base/output.ts';

/**
 * An event in words; `live` for what is only worth a line that passes by. Undefined for what says nothing to
 * people or is said elsewhere.
 */
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
    case 'context':
    case 'prompt_rule':
      return undefined;
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
    case 'waiting':
    case 'blocked':
    case 'ticket':
    case 'report':
    case 'matrix':
    case 'plan':
    case 'document':
    case 'log':
    case 'check':
    case 'prompt':
    case 'persona':
    case 'backup':
    case 'restored':
    case 'cleanable':
    case 'cleaned':
    case 'exported':
    case 'verification':
    case 'key':
    case 'usage':
    case 'rehearsed':
    case 'rehearsal':
    case 'replayed':
    case 'replay':
    case 'inspection':
    case 'finding':
    case 'reviewer':
    case 'dismissal':
    case 'estimate':
    case 'error':
    case 'end':
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
