import { stringify } from 'yaml';
import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import { coverageOf } from '../../../domain/ticket/artifacts.ts';
import type { Section } from '../../../context/sections.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import type { CoverageReport, interviewDocument } from '../../../domain/requirements/interview.ts';
import { CoverageAudit, type GapResolution } from '../../../domain/requirements/prd.ts';
import { Sha256 } from '../../../domain/core/ids.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, RecordIo } from '../../../engine/run/run.ts';
import { type AuditSubject, rowsProblem, withHoles } from '../../../domain/links/auditRows.ts';
import type { StoreIo } from '../ticket/artifacts.ts';
import { ask } from '../ask/ask.ts';
import { type Parse, parsedAs, type Call } from '../structured/askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';

export type Resolution = z.infer<typeof GapResolution>;

/** An interview is asked further instead. */
export type AuditedDomain = Exclude<Domain, typeof interviewDocument.kind>;

export function gapSections(gaps: readonly string[], history: readonly Resolution[]): readonly Section[] {
  const sections: Section[] = [{ name: 'gaps', content: stringify([...gaps], { lineWidth: 0 }) }];
  if (history.length > 0)
    sections.push({ name: 'extra_fix_history', content: stringify([...history], { lineWidth: 0 }) });
  return sections;
}

/** Differences in quoting and spacing don't matter. */
export function unresolved(
  gaps: readonly string[],
  resolutions: readonly { readonly gap: string }[],
): readonly string[] {
  const dealtWith = resolutions.map((resolution) => bare(resolution.gap));
  return gaps.filter((gap) => !dealtWith.includes(bare(gap)));
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

export type Subject = (io: StoreIo) => Promise<AuditSubject>;

/** Holes of documents and rows are gaps, whatever the audit says (docs/decisions/093-links.md). */
function auditParse(subject: AuditSubject): Parse<CoverageAudit> {
  const read = parseStructured({
    schema: CoverageAudit,
    check: ({ rows }) => {
      const problem = rowsProblem(rows, subject);
      return problem === undefined ? undefined : { problem };
    },
  });
  return (text) => parsedAs(read(text), (audit) => withHoles(audit, subject));
}

export async function auditCoverage(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly key: string;
    readonly domain: AuditedDomain;
    readonly member: string;
    readonly pass: number;
    readonly maxPasses: number;
    readonly sections: readonly Section[];
    readonly state: NonNullable<Call<unknown>['state']>;
    readonly subject: Subject;
  },
): Promise<CoverageAudit> {
  const { domain, pass, maxPasses } = options;
  const counters = {
    coverage_run_number: pass,
    max_coverage_passes: maxPasses,
    is_final_coverage_run: pass >= maxPasses,
  };
  const { value } = await ask(run, ticket, {
    key: options.key,
    contextKey: coverageOf(domain),
    prompt: `${domain}-coverage`,
    member: options.member,
    sections: [...options.sections, { name: 'counters', content: stringify(counters) }],
    state: options.state,
    parse: { inStep: async (io) => auditParse(await options.subject(io)) },
    result: CoverageAudit,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
  });
  return value;
}

type Pass = CoverageReport['passes'][number];
const Candidate = z.object({ candidate: Sha256, meaning: Sha256 });

/** Ends when nothing is missing, the passes are used up, or a candidate comes again. */
export async function coverageLoop(
  run: Run,
  options: {
    readonly maxPasses: number;
    readonly candidate: (io: RecordIo) => Promise<{ readonly sha256: string; readonly document: unknown }>;
    readonly audit: (pass: number) => Promise<CoverageAudit>;
    readonly revise: (pass: number, gaps: readonly string[]) => Promise<void>;
  },
): Promise<CoverageReport> {
  const passes: Pass[] = [];
  const checked: string[] = [];
  let rows: CoverageAudit['rows'] = [];
  const report = (outcome: CoverageReport['outcome'], open_gaps: string[]): CoverageReport => {
    return { schema_version: 1, passes, outcome, open_gaps, rows };
  };
  for (let pass = 1; ; pass++) {
    const { candidate, meaning } = await run.record(`candidate-${pass}`, Candidate, async (io) => {
      const { sha256: candidate, document } = await options.candidate(io);
      return { candidate, meaning: sha256(canonicalJson(document)) };
    });
    const known = passes[checked.indexOf(meaning)];
    if (known) return report('no_progress', known.gaps);
    checked.push(meaning);
    const audit = await options.audit(pass);
    rows = audit.rows;
    passes.push({ pass, status: audit.status, gaps: audit.gaps, candidate, by: 'check' });
    if (audit.status === 'clean') return report('clean', []);
    if (pass >= options.maxPasses) return report('limit', audit.gaps);
    await options.revise(pass, audit.gaps);
  }
}
