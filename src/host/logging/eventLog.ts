import type { TicketEvent } from '../../domain/core/events.ts';
import type { LogEntry } from '../../views/support/supportDocument.ts';

/**
 * Returns an engine event as an entry of the extension's log: that a ticket moved at info, each model call at
 * debug, a failure at warn or error with its code, details at trace. The text quotes no titles and texts of
 * tickets, commands, prompts and answers; what may quote one is the detail. Undefined for events that are too
 * frequent.
 */
export function eventLog(event: TicketEvent): Omit<LogEntry, 'at'> | undefined {
  const line = (level: LogEntry['level'], text: string, detail = ''): Omit<LogEntry, 'at'> => ({
    level,
    text: `${event.ticket}: ${text}`,
    detail,
  });
  switch (event.type) {
    case 'status':
      return line('info', `${event.from} → ${event.to} (${event.by})`);
    case 'bead':
      return line(
        'info',
        `a bead is ${event.state}, iteration ${String(event.iteration)}; ${String(event.done)} of ${String(event.total)} done`,
      );
    case 'stage': {
      const at = `stage ${event.stage} of a bead's iteration ${String(event.iteration)}`;
      if (event.state === 'started') return line('debug', `${at} starts`);
      const took = `after ${String(event.ms)} ms`;
      return event.error
        ? line(
            event.skipped ? 'warn' : 'error',
            `${at}: ${event.error.code} ${took}${event.skipped ? ', skipped' : ''}`,
            event.error.message,
          )
        : line('debug', `${at}: ${event.exit ?? ''} ${took}`);
    }
    case 'waiting':
      return line('info', `waits for ${event.kinds.join(', ')}`);
    case 'hold':
      return event.hold === null
        ? line('info', 'continues')
        : line(
            'info',
            `pauses (${event.hold})${event.until ? ` until ${new Date(event.until).toISOString()}` : ''}`,
            event.detail,
          );
    case 'blocked':
      return line('error', `blocked by ${event.code}`, event.message);
    case 'refused':
      return line('warn', `${event.action} refused: ${event.code}`, event.message);
    case 'call':
      return line(
        event.outcome === 'failed' ? 'warn' : 'debug',
        `${event.prompt} by ${event.member}: ${event.outcome} after ${String(event.ms)} ms`,
      );
    case 'step':
      if (event.state === 'replayed') return undefined;
      return event.state === 'failed'
        ? line('warn', 'a step failed', event.key)
        : line('trace', `a step is ${event.state}`, event.key);
    case 'activity':
      if (event.kind === 'retry') return line('warn', 'a provider is tried again', event.text);
      return event.kind === 'text' || event.kind === 'reasoning'
        ? undefined
        : line('trace', `${event.kind} of ${event.source}`);
  }
}
