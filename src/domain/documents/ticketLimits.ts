import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import {
  isTime,
  type LimitName,
  limitFrom,
  limitNames,
  limitRange,
  limitsOf,
  type TicketLimits,
  writtenLimit,
} from '../settings/limits.ts';
import { settingRow } from '../settings/rows.ts';
import { LimitsReceipt } from '../workflow/receipts.ts';
import type { Document } from './base/document.ts';

/** `limits.yaml`: every limit as people write it, times in seconds. */
const WrittenLimits = z.strictObject(
  Object.fromEntries(
    limitNames.map((name) => {
      const { least, most } = limitRange(name);
      return [
        name,
        z
          .int()
          .min(least)
          .max(most ?? Number.MAX_SAFE_INTEGER),
      ];
    }),
  ) as { readonly [Name in LimitName]: z.ZodInt },
);
type WrittenLimits = z.infer<typeof WrittenLimits>;

/** The limits of a started ticket. Their versions are the receipts of changes. */
export const ticketLimitsDocument = {
  kind: 'ticket_limits',
  title: 'Limits',
  subject: 'The list of limits',
  file: 'limits.yaml',
  format: 'yaml',
  schema: WrittenLimits,
  ungated: {
    action: 'limits',
    artifact: 'limits_receipt',
    text: (stored, ticket) => {
      const receipt = LimitsReceipt.safeParse(jsonOf(stored ?? '')).data;
      const limits = ticket ? limitsOf(ticket) : receipt?.after;
      return limits && limitNames.map((name) => lineOf(name, limits)).join('');
    },
  },
} as const satisfies Document<WrittenLimits>;

function lineOf(name: LimitName, limits: TicketLimits): string {
  const unit = isTime(name) ? 'seconds' : settingRow(name).budget?.unit;
  return `${name}: ${String(writtenLimit(name, limits[name]))}${unit ? ` # ${unit}` : ''}\n`;
}

/** The limits that a document changes. */
export function changedLimits(present: TicketLimits, written: WrittenLimits): Partial<TicketLimits> {
  const changed = limitNames.filter((name) => written[name] !== writtenLimit(name, present[name]));
  return Object.fromEntries(changed.map((name) => [name, limitFrom(name, written[name])]));
}
