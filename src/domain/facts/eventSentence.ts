import { stageExitLabel } from '../beads/beadStages.ts';
import type { TicketEvent } from '../core/events.ts';

interface EventSentence {
  readonly level: 'trace' | 'debug' | 'info' | 'warning' | 'error';
  readonly source: string;
  /** Quotes only names of beads and steps. */
  readonly text: string;
  /** May quote anything; empty without more words. */
  readonly detail: string;
}

/** An event in words. `isAnonymous`: without names of beads and steps. */
export function eventSentence(event: TicketEvent, isAnonymous = false): EventSentence {
  const beadName = (id: string): string => (isAnonymous ? 'a bead' : `bead ${id}`);
  const say = (
    level: EventSentence['level'],
    text: string,
    detail = '',
    source = 'engine',
  ): EventSentence => ({ level, source, text, detail });
  switch (event.type) {
    case 'status':
      return say('info', `${event.from} → ${event.to} (${event.by})`);
    case 'step':
      return say(
        event.state === 'failed' ? 'warning' : 'trace',
        `${isAnonymous ? 'a step' : event.key}: ${event.state}`,
        isAnonymous ? event.key : '',
      );
    case 'bead':
      return say(
        'info',
        `${beadName(event.bead)} (${String(event.done)} of ${String(event.total)} done), iteration ${String(event.iteration)}: ${event.state}`,
      );
    case 'stage':
      return say(
        event.state !== 'failed' ? 'debug' : event.skipped ? 'warning' : 'error',
        `${beadName(event.bead)}, iteration ${String(event.iteration)}: ${stageWords(event)}`,
        event.error?.message,
      );
    case 'waiting':
      return say('info', `waits for ${event.kinds.join(', ')}`);
    case 'hold': {
      const until = event.until ? ` until ${new Date(event.until).toISOString()}` : '';
      return event.hold === null
        ? say('info', 'continues', event.detail)
        : say('warning', `pauses (${event.hold})${until}`, event.detail);
    }
    case 'blocked':
      return say('error', `blocked by ${event.code}`, `${event.message} ${event.nextStep}`);
    case 'refused':
      return say('warning', `${event.action} was refused (${event.code})`, event.message);
    case 'call':
      return say(
        event.outcome === 'accepted' ? 'debug' : 'warning',
        `${event.prompt} ${event.outcome} after ${seconds(event.ms)}`,
        '',
        event.member,
      );
    case 'activity': {
      const isFailedTool = event.kind === 'tool' && /^\S+ error\b/.test(event.text);
      return say(
        event.kind === 'retry' || isFailedTool ? 'warning' : 'trace',
        event.kind === 'retry' ? 'a provider is tried again' : event.kind,
        event.text,
        event.kind === 'command' ? 'command' : event.source,
      );
    }
  }
}

function stageWords({
  label,
  state,
  exit,
  error,
  skipped,
  ms,
}: Extract<TicketEvent, { type: 'stage' }>): string {
  if (state === 'started') return label;
  if (state === 'done') return `${label}: ${stageExitLabel(exit ?? '')} (${seconds(ms)})`;
  return `${label} failed${skipped ? ' and is skipped' : ''} (${seconds(ms)}): ${error?.code ?? ''}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
