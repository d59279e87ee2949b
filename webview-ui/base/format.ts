import * as l10n from '@vscode/l10n';
import type { Words } from '../../src/domain/core/errors.ts';
import type { ApprovalArtifact } from '../../src/protocol/pages/approval.ts';

/** A text of a table in the person's language. */
export const words: Words = (text, args) => l10n.t(text, { ...args });

const language = document.documentElement.lang || 'en';
const time = made(() => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }));
const dateAndTime = made(
  () => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);
const whole = made(() => new Intl.NumberFormat(language));
const [cents, money, fine] = [dollars(2), dollars(4), dollars(6)];
const list = made(() => new Intl.ListFormat(language, { style: 'narrow', type: 'unit' }));
const units = {
  day: unitFormat('day'),
  hour: unitFormat('hour'),
  minute: unitFormat('minute'),
  second: unitFormat('second'),
};

function dollars(maximumFractionDigits: number): () => Intl.NumberFormat {
  const style = { style: 'currency', currency: 'USD', maximumFractionDigits } as const;
  return made(() => new Intl.NumberFormat(language, style));
}

function unitFormat(unit: string): () => Intl.NumberFormat {
  return made(() => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }));
}

/** Makes it with its first use, and once: a format takes milliseconds. */
function made<T>(make: () => T): () => T {
  let known: T | undefined;
  return () => (known ??= make());
}

/** A time of day; with the date, if it wasn't today. */
export function when(at: number, now = Date.now()): string {
  const date = new Date(at);
  return date.toDateString() === new Date(now).toDateString()
    ? time().format(date)
    : dateAndTime().format(date);
}

/** The same of ISO text; empty for what is no time. */
export function whenWritten(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : when(at);
}

export function count(value: number): string {
  return whole().format(value);
}

export function cost(value: number): string {
  return money().format(value);
}

/** From, to. Fractions of a call or of a cent are noise in it. */
interface Range {
  readonly low: number;
  readonly high: number;
}

export function countRange({ low, high }: Range): string {
  return whole().formatRange(Math.floor(low), Math.ceil(high));
}

export function costRange({ low, high }: Range): string {
  return cents().formatRange(low, high);
}

/** US dollars of a part of a prompt, which are few; unknown is a dash. */
export function smallCost(value: number | null): string {
  return value === null ? '–' : fine().format(value);
}

/** In its two largest units; a clock that was set back counts as no time. */
export function duration(ms: number): string {
  if (ms < 9_950) return unit(Math.round(Math.max(0, ms) / 100) / 10, 'second');
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return unit(seconds, 'second');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return list().format([unit(minutes, 'minute'), unit(seconds % 60, 'second')]);
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return list().format([unit(hours, 'hour'), unit(minutes % 60, 'minute')]);
  return list().format([unit(Math.floor(hours / 24), 'day'), unit(hours % 24, 'hour')]);
}

function unit(value: number, name: keyof typeof units): string {
  return units[name]().format(value);
}

export function outcomeText(outcome: string): string {
  switch (outcome) {
    case 'completed':
      return l10n.t('completed');
    case 'timed_out':
      return l10n.t('timed out');
    case 'invalid_output':
      return l10n.t('no usable answer');
    default:
      return l10n.t('failed');
  }
}

export function documentName(artifact: ApprovalArtifact): string {
  switch (artifact) {
    case 'interview':
      return l10n.t('Interview');
    case 'prd':
      return l10n.t('PRD');
    case 'beads':
      return l10n.t('Beads');
    case 'execution_setup_plan':
      return l10n.t('Setup plan');
    // A kind that has no form here is named as its file is.
    default:
      return readableName(artifact);
  }
}

function readableName(kind: string): string {
  const words = kind.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
