import * as z from 'zod';
import { BeadStatusMarker, DevRecord } from '../../domain/beads/bead.ts';
import { problemText } from '../../domain/documents/check.ts';
import type { Parsed } from '../shared/ask/askTypes.ts';
import { cleanAnswer } from '../shared/structured/candidates.ts';
import { keyFor } from '../shared/structured/keys.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { bareKey } from '../shared/structured/spellings.ts';
import { checkWord, statusWord } from './markerWords.ts';

export interface BeadReport {
  readonly marker: BeadStatusMarker;
  readonly devRecord: DevRecord | null;
}

/** A marker as models write it: any words, and the checks maybe beside the status. */
const Written = z.object({
  bead_id: z.string(),
  status: z.string(),
  checks: z.record(z.string(), z.string()).optional(),
  tests: z.string().optional(),
  lint: z.string().optional(),
  typecheck: z.string().optional(),
  qualitative: z.string().optional(),
  reason: z.string().optional(),
});

const checkNames = Object.keys(BeadStatusMarker.shape.checks.shape);
const readWritten = parseStructured({ tag: 'BEAD_STATUS', schema: Written });
const readRecord = parseStructured({ tag: 'DEV_RECORD', schema: DevRecord });

/**
 * Reads how a coding session ended: the last `<BEAD_STATUS>` block, for this bead, and the `<DEV_RECORD>` if there is a readable one. Words for
 * success and failure are normalized (docs/decisions/031-bead-marker.md): what wasn't run counts as failed.
 */
export function parseBeadMarker(beadId: string): (text: string) => Parsed<BeadReport> {
  return (answer) => {
    const text = withLastBlock(answer);
    if (text === undefined) return { ok: false, problem: 'There is no <BEAD_STATUS> block.' };
    const written = readWritten(text);
    // What a block says beside the marker isn't its matter.
    const found = written.ok ? written : written.insisted;
    if (!found) return { ok: false, problem: written.ok ? '' : written.problem };
    const parsed = BeadStatusMarker.safeParse(normalised(found.value));
    if (!parsed.success) return { ok: false, problem: problemText(parsed.error) };
    if (parsed.data.bead_id !== beadId)
      return { ok: false, problem: `bead_id: the block speaks of "${parsed.data.bead_id}", but the bead is "${beadId}".` };
    const record = /<DEV_RECORD\s*>/i.test(answer) ? readRecord(answer) : undefined;
    const devRecord = (record?.ok ? record : record?.insisted)?.value ?? null;
    return { ok: true, value: { marker: parsed.data, devRecord }, repairs: found.repairs ?? [] };
  };
}

/**
 * The answer from its last block on; a mention of the tag after it, without a status, is no block. Without any tag, an answer that names a bead is the
 * block itself. Undefined when there is neither.
 */
function withLastBlock(answer: string): string | undefined {
  const { text } = cleanAnswer(answer);
  const starts = [...text.matchAll(/<BEAD_STATUS\s*>/gi)].map(({ index }) => index);
  const last = starts.findLast(
    (start, place) =>
      /status["'*`]{0,9}\s{0,9}:/i.test(text.slice(start, starts[place + 1] ?? text.length)) || (starts.length === 1 && place === 0),
  );
  if (last === undefined) return /^\W{0,4}bead_?id\W{0,4}:/im.test(text) ? answer : undefined;
  const [, rest = ''] = text.slice(last).split(/<BEAD_STATUS\s*>/i);
  return `<BEAD_STATUS>${rest}`;
}

function normalised({ bead_id, status, checks, reason, ...beside }: z.infer<typeof Written>): unknown {
  const words = Object.entries({ ...beside, ...checks }).flatMap(([key, word]) => {
    const name = keyFor(key, checkNames);
    return name === undefined || word === undefined ? [] : [[name, checkWord(word, name !== 'qualitative')] as const];
  });
  const isEmpty = reason === undefined || ['', 'none', 'na', 'null'].includes(bareKey(reason));
  return {
    bead_id: bead_id.replaceAll(/^[`*"'\s]+|[`*"'\s]+$/g, ''),
    status: statusWord(status),
    checks: Object.fromEntries(words),
    ...(isEmpty ? {} : { reason: reason.slice(0, 4_000) }),
  };
}
