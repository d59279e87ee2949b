import { stringify } from 'yaml';
import type { Section } from '../../context/sections.ts';
import { CoverageAudit } from '../../domain/prd.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { Run } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import type { Question } from '../askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

/** One audit of a PRD or a bead plan by its winner, in a fresh session. */
export async function auditCoverage(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly domain: 'prd' | 'beads';
    readonly member: string;
    readonly pass: number;
    readonly maxPasses: number;
    readonly sections: readonly Section[];
    readonly state: NonNullable<Question<unknown>['state']>;
  },
): Promise<CoverageAudit> {
  const { domain, pass, maxPasses } = options;
  const counters = { coverage_run_number: pass, max_coverage_passes: maxPasses, is_final_coverage_run: pass >= maxPasses };
  const { value } = await ask(run, ticket, {
    key: options.key,
    contextKey: `${domain}_coverage`,
    prompt: `${domain}-coverage`,
    member: options.member,
    sections: [...options.sections, { name: 'counters', content: stringify(counters) }],
    state: options.state,
    parse: parseStructured({ schema: CoverageAudit }),
    result: CoverageAudit,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
  });
  return value;
}
