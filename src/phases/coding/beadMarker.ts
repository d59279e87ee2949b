import { isRecord } from '../../base/json.ts';
import { BeadStatusMarker, DevRecord } from '../../domain/beads/bead.ts';
import type { Parsed } from '../shared/ask/askTypes.ts';
import { fencesOf } from '../shared/structured/candidates.ts';
import { problemText } from '../../domain/documents/check.ts';
import { decode, aliasKeys } from '../shared/structured/decode.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';

const passes = ['pass', 'passed', 'passes', 'ok', 'success', 'successful', 'succeeded', 'true', 'yes', 'done', 'green', 'clean'];
const fails = [
  ...[
    'fail',
    'failed',
    'fails',
    'failure',
    'error',
    'false',
    'no',
    'skip',
    'skipped',
    'notrun',
    'timeout',
    'timedout',
    'pending',
    'unknown',
  ],
  ...['none', 'na', 'blocked', 'partial'],
];
const dones = [...passes, 'complete', 'completed', 'finished'];
const errors = [...fails, 'incomplete', 'notdone', 'inprogress'];

export interface BeadReport {
  readonly marker: BeadStatusMarker;
  readonly devRecord: DevRecord | null;
}

/**
 * Reads how a coding session ended: exactly one `<BEAD_STATUS>` block, for this bead, and the `<DEV_RECORD>` if there is a readable one. Words for
 * success and failure are normalized (docs/decisions/031-bead-marker.md): what wasn't run counts as failed.
 */
export function parseBeadMarker(beadId: string): (text: string) => Parsed<BeadReport> {
  const readRecord = parseStructured({ tag: 'DEV_RECORD', schema: DevRecord });
  return (text) => {
    const blocks = Array.from(
      text.matchAll(/<BEAD_STATUS>([\s\S]*?)(?:<\/BEAD_STATUS>|(?=<BEAD_STATUS>)|$(?![\s\S]))/g),
      ([, inner = '']) => inner,
    );
    if (blocks.length !== 1) {
      return {
        ok: false,
        problem:
          blocks.length === 0 ? 'There is no <BEAD_STATUS> block.' : `There are ${blocks.length} <BEAD_STATUS> blocks; one is needed.`,
      };
    }
    const marker = readMarker(blocks[0] ?? '');
    if (!marker.ok) return marker;
    if (marker.value.bead_id !== beadId) {
      return { ok: false, problem: `bead_id: the block speaks of "${marker.value.bead_id}", but the bead is "${beadId}".` };
    }
    const record = text.includes('<DEV_RECORD>') ? readRecord(text) : undefined;
    return { ok: true, value: { marker: marker.value, devRecord: record?.ok ? record.value : null } };
  };
}

function readMarker(block: string): Parsed<BeadStatusMarker> {
  const decoded = decode((fencesOf(block)[0] ?? block).trim());
  if (!decoded.ok) return { ok: false, problem: decoded.error };
  const raw = aliasKeys(decoded.value, Object.keys(BeadStatusMarker.shape));
  const parsed = BeadStatusMarker.safeParse(isRecord(raw) ? normalised(raw) : raw);
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, problem: problemText(parsed.error) };
}

function normalised(raw: Record<string, unknown>): Record<string, unknown> {
  const checks = aliasKeys(raw['checks'], ['tests', 'lint', 'typecheck', 'qualitative']);
  const result: Record<string, unknown> = {
    ...raw,
    status: word(raw['status'], dones, 'done', errors, 'error'),
    checks: isRecord(checks)
      ? Object.fromEntries(Object.entries(checks).map(([name, value]) => [name, word(value, passes, 'pass', fails, 'fail')]))
      : checks,
  };
  if (raw['reason'] === null) delete result['reason'];
  else if (typeof raw['reason'] === 'string') result['reason'] = raw['reason'].slice(0, 4_000);
  return result;
}

function word(value: unknown, good: readonly string[], yes: string, bad: readonly string[], no: string): unknown {
  // A check that was left out in words ("null", "~") was not run.
  if (value === null) return no;
  if (typeof value !== 'string' && typeof value !== 'boolean') return value;
  const bare = String(value)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  if (good.includes(bare)) return yes;
  return bad.includes(bare) ? no : value;
}
