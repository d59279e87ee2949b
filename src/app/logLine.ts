import type { TicketEvent } from '../domain/events.ts';
import type { LogLine } from '../protocol/history.ts';

/** An event as a line of the log. */
export function logLine(number: number, event: TicketEvent): LogLine {
  const line = (text: string, level: LogLine['level'] = 'info', source = 'engine'): LogLine => ({
    number,
    at: event.at,
    source,
    level,
    text,
  });
  switch (event.type) {
    case 'status':
      return line(`${event.from} → ${event.to} (${event.by})`);
    case 'step':
      return line(`${event.key}: ${event.state}`, event.state === 'failed' ? 'error' : 'info');
    case 'bead':
      return line(
        `bead ${event.bead} (${String(event.done)} of ${String(event.total)} done), iteration ${String(event.iteration)}: ${event.state}`,
      );
    case 'waiting':
      return line(`waits for ${event.kinds.join(', ')}`);
    case 'hold':
      return event.hold === null
        ? line(event.detail === '' ? 'goes on' : `goes on: ${event.detail}`)
        : line(`pauses (${event.hold}): ${event.detail}`, 'warning');
    case 'blocked':
      return line(`${event.code}: ${event.message} ${event.nextStep}`, 'error');
    case 'call':
      return line(
        `${event.prompt}: ${event.outcome} after ${(event.ms / 1_000).toFixed(1)} s`,
        event.outcome === 'accepted' ? 'info' : 'warning',
        event.member,
      );
    case 'activity': {
      const isFailedTool = event.kind === 'tool' && /^\S+ error\b/.test(event.text);
      const level = event.kind === 'retry' || isFailedTool ? 'warning' : 'info';
      return line(event.text, level, event.kind === 'command' ? 'command' : event.source);
    }
  }
}
