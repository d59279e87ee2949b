import type * as z from 'zod';
import type { ChangeRecord } from '../../../domain/requirements/interview.ts';
import type { Domain } from '../../../domain/documents/workDocuments.ts';
import { claimProblems, type Difference, provedResolutions } from '../../../domain/loss/claims.ts';
import { compare, lossText } from '../../../domain/loss/compare.ts';
import { type ClaimedResolution, undeclared } from '../../../domain/loss/declared.ts';
import { type Decisions, writtenByPeople } from '../../../domain/loss/decisions.ts';
import { type LeftOut, LossReport } from '../../../domain/loss/lossReport.ts';
import type { Outline } from '../../../domain/documents/base/outline.ts';
import { putBack } from '../../../domain/loss/putBack.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { artifactChange, type Place, storedDocument, type StoreIo, yamlText } from '../ticket/artifacts.ts';
import { parsedAs, type Call } from '../structured/askTypes.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { unresolved } from './coverageLoop.ts';
import { listLines } from '../../../base/listed.ts';
import { storedDecisions } from '../ticket/contextEntries.ts';

interface Changing {
  readonly changes: readonly ChangeRecord[];
  readonly gap_resolutions?: readonly ClaimedResolution[];
}

/** `D`: the document in the answer. */
export interface Guard<T, D> {
  readonly domain: Domain;
  readonly outline: Outline;
  readonly before: (io: StepIo) => Promise<unknown>;
  readonly documentOf: (answer: T) => D;
  readonly gaps?: readonly string[];
  readonly problemOf?: (answer: T) => string | undefined;
  readonly problemIn?: (io: StepIo) => Promise<(answer: T) => string | undefined>;
}

/**
 * Losses, false claims and gaps passed over are asked about once; after that they are put back, corrected, or
 * unresolved (docs/decisions/095-nothing-is-lost-in-a-revision.md).
 */
export function guardedParse<T extends Changing & D, D extends object>(
  schema: z.ZodType<T>,
  guard: Guard<T, D>,
): Call<T & LeftOut>['parse'] {
  return {
    inStep: async (io) => {
      const start: Start = {
        before: await guard.before(io),
        decisions: await storedDecisions(io, guard.domain),
      };
      const elsewhere = await guard.problemIn?.(io);
      const problemOf = (answer: T): string | undefined => guard.problemOf?.(answer) ?? elsewhere?.(answer);
      const settle = (answer: T): T & LeftOut => settled(guard, start, answer);
      const read = parseStructured({
        schema,
        check: (answer) => {
          const own = problemOf(answer);
          const problem = [own, ...objections(guard, start, answer)]
            .filter((line) => line !== undefined)
            .join('\n');
          if (problem === '') return undefined;
          return own !== undefined && problemOf(settle(answer)) !== undefined ? problem : { problem };
        },
      });
      return (text) => parsedAs(read(text), settle);
    },
  };
}

export async function saveLeftOut(
  io: StoreIo & Pick<StepIo, 'save'>,
  domain: Domain,
  step: string,
  { put_back, dropped }: LeftOut,
  place: Place,
): Promise<void> {
  if (put_back.length + dropped.length === 0) return;
  const artifact = `${domain}_losses` as const;
  const stored = await io.ports.store.artifact(io.ticket, artifact);
  const steps = stored ? (await storedDocument(io, artifact, LossReport)).document.steps : [];
  const report: LossReport = { schema_version: 1, steps: [...steps, { step, put_back, dropped }] };
  io.save(artifactChange(place, artifact, yamlText(report)));
}

interface Start {
  readonly before: unknown;
  readonly decisions: Decisions;
}

/** `written`: what a person wrote, which no declaration removes. */
function lossesOf<T extends Changing, D>(
  { outline, documentOf }: Guard<T, D>,
  { before, decisions }: Start,
  answer: T,
) {
  const comparison = compare(outline, before, documentOf(answer));
  const written = new Set(writtenByPeople(comparison, decisions));
  const open = new Set(
    undeclared(comparison, { changes: answer.changes, resolutions: answer.gap_resolutions ?? [] }),
  );
  return { all: comparison.losses, written, open };
}

function objections<T extends Changing, D>(guard: Guard<T, D>, start: Start, answer: T): readonly string[] {
  const { written, open } = lossesOf(guard, start, answer);
  const claims = claimProblems(
    difference(guard, start.before, guard.documentOf(answer)),
    answer.gap_resolutions ?? [],
  );
  return [
    ...listed(writtenText, [...written].map(lossText)),
    ...listed(lostText, [...open].filter((loss) => !written.has(loss)).map(lossText)),
    ...unresolved(guard.gaps ?? [], answer.gap_resolutions ?? []).map(
      (gap) => `gap_resolutions: none for the gap "${gap}".`,
    ),
    ...listed(claimText, claims),
  ];
}

function listed(about: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [[about, ...listLines(lines, mostShown, String)].join('\n')];
}

const mostShown = 30;
const writtenText =
  'A person wrote this, and it stays word for word, whatever an audit says of it. Put it back:';
const lostText =
  'This stood in the document, and is gone or worded differently, without an entry under "changes" that says so. Put it back word for word, or list what was removed, replaced or modified:';
const claimText =
  'These resolutions say that something was changed, and it was not. Make the change, or say already_covered or left_unresolved:';

function settled<T extends Changing & D, D extends object>(
  guard: Guard<T, D>,
  start: Start,
  answer: T,
): T & LeftOut {
  const { all, written, open } = lossesOf(guard, start, answer);
  const restored = all.filter((loss) => open.has(loss) || written.has(loss));
  const document = putBack(guard.outline, start.before, guard.documentOf(answer), restored);
  const claimed = answer.gap_resolutions && [
    ...answer.gap_resolutions,
    ...unresolved(guard.gaps ?? [], answer.gap_resolutions).map((gap) => ({
      gap,
      action: 'left_unresolved' as const,
      rationale: '',
      affected_items: [],
    })),
  ];
  const resolutions = claimed && provedResolutions(difference(guard, start.before, document), claimed);
  return {
    ...answer,
    ...document,
    ...(resolutions ? { gap_resolutions: resolutions } : {}),
    put_back: restored.map(lossText),
    dropped: all.filter((loss) => !restored.includes(loss)).map(lossText),
  };
}

function difference({ outline }: { readonly outline: Outline }, before: unknown, after: unknown): Difference {
  return { lost: compare(outline, before, after), gained: compare(outline, after, before) };
}
