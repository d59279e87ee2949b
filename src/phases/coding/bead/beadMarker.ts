import * as z from 'zod';
import { sha256 } from '../../../base/sha256.ts';
import { BeadStatusMarker, DevRecord } from '../../../domain/beads/bead.ts';
import { isPromised, readSignal } from '../../../domain/beads/signals.ts';
import { problemText } from '../../../domain/documents/base/check.ts';
import type { Run } from '../../../engine/run/run.ts';
import type { Parsed } from '../../shared/structured/askTypes.ts';
import { cleanAnswer } from '../../shared/structured/answerParts.ts';
import { keyFor } from '../../shared/structured/keys.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';
import { bareKey } from '../../shared/structured/text/spellings.ts';

/** A session's report. `unclear`: why nobody can say whose report it is; if empty, there is a marker. */
export const BeadReport = z.object({
  marker: BeadStatusMarker.nullable(),
  devRecord: DevRecord.nullable(),
  unclear: z.string().default(''),
});
export type BeadReport = z.infer<typeof BeadReport>;

/** `promise`: the word by which an agent may promise instead; empty: none. */
interface ExpectedReport {
  readonly bead: string;
  readonly nonce: string;
  readonly promise?: string;
}

/** The same on every replay, and known to nobody before. With a letter first, YAML reads a text. */
export function reportNonce(run: Run, label: string): string {
  return `n${sha256(`${run.runId}\n${label}`).slice(0, 15)}`;
}

/** A marker as models write it: any words, and the checks maybe beside the status. */
const Written = z.object({
  bead_id: z.string(),
  status: z.string(),
  nonce: z.string().optional(),
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
 * Reads the last `<BEAD_STATUS>` block with the nonce of its prompt, and the `<DEV_RECORD>`
 * (docs/decisions/031-bead-marker.md). What wasn't run counts as failed. With another nonce the report is
 * `unclear`. Without a block, a signal or the promise is a claim.
 */
export function parseBeadMarker(expected: ExpectedReport): (text: string) => Parsed<BeadReport> {
  const { bead, nonce } = expected;
  return (answer) => {
    const text = withLastBlock(answer);
    if (text === undefined) {
      const problem = `There is no <BEAD_STATUS> block. ${wanted(nonce)}`;
      return claimed(answer, expected) ?? { ok: false, problem };
    }
    const written = readWritten(text);
    const found = written.ok ? written : written.insisted;
    if (!found) return { ok: false, problem: written.ok ? '' : written.problem };
    const said = bare(found.value.nonce ?? '');
    if (said === '') return { ok: false, problem: `nonce: the block has none. ${wanted(nonce)}` };
    if (said !== nonce) {
      const unclear = `the block has the nonce "${said.slice(0, 40)}", which isn't the one of its prompt.`;
      const problem = `nonce: ${unclear} ${wanted(nonce)}`;
      return { ok: false, problem, fallback: { marker: null, devRecord: null, unclear } };
    }
    const parsed = BeadStatusMarker.safeParse(normalised(found.value));
    if (!parsed.success) return { ok: false, problem: problemText(parsed.error) };
    const { bead_id: named } = parsed.data;
    if (named !== bead)
      return { ok: false, problem: `bead_id: the block speaks of "${named}", but the bead is "${bead}".` };
    const value = { marker: parsed.data, devRecord: recordOf(answer), unclear: '' };
    return { ok: true, value, repairs: found.repairs ?? [] };
  };
}

export function wanted(nonce: string): string {
  return `Your block needs the line "nonce: ${nonce}".`;
}

function claimed(
  answer: string,
  { bead, nonce, promise = '' }: ExpectedReport,
): Parsed<BeadReport> | undefined {
  const { text } = cleanAnswer(answer);
  const signal = readSignal(text, { about: bead, nonce });
  const claim = (status: 'done' | 'error', reason: string): Parsed<BeadReport> => {
    const result = status === 'done' ? 'pass' : 'fail';
    const checks = { tests: result, lint: result, typecheck: result, qualitative: result } as const;
    const said = reason === '' ? {} : { reason };
    const blocked = status === 'done' ? {} : { blocked: true };
    const marker: BeadStatusMarker = { bead_id: bead, status, checks, nonce, ...said, ...blocked };
    return { ok: true, value: { marker, devRecord: recordOf(answer), unclear: '' } };
  };
  if (signal?.name === 'implementation_complete') return claim('done', '');
  if (signal?.name === 'implementation_blocked') return claim('error', signal.detail);
  return isPromised(text, promise, nonce) ? claim('done', '') : undefined;
}

function recordOf(answer: string): DevRecord | null {
  const record = /<DEV_RECORD\s*>/i.test(answer) ? readRecord(answer) : undefined;
  return (record?.ok ? record : record?.insisted)?.value ?? null;
}

/** The answer from its last block on; without any tag the whole answer, if it names a bead. */
function withLastBlock(answer: string): string | undefined {
  const { text } = cleanAnswer(answer);
  const starts = [...text.matchAll(/<BEAD_STATUS\s*>/gi)].map(({ index }) => index);
  const last = starts.findLast(
    (start, place) =>
      /status["'*`]{0,9}\s{0,9}:/i.test(text.slice(start, starts[place + 1] ?? text.length)) ||
      (starts.length === 1 && place === 0),
  );
  if (last === undefined) return /^\W{0,4}bead_?id\W{0,4}:/im.test(text) ? answer : undefined;
  const [, rest = ''] = text.slice(last).split(/<BEAD_STATUS\s*>/i);
  return `<BEAD_STATUS>${rest}`;
}

function normalised({
  bead_id,
  status,
  nonce = '',
  checks,
  reason,
  ...beside
}: z.infer<typeof Written>): unknown {
  const words = Object.entries({ ...beside, ...checks }).flatMap(([key, word]) => {
    const name = keyFor(key, checkNames);
    return name === undefined || word === undefined
      ? []
      : [[name, checkWord(word, name !== 'qualitative')] as const];
  });
  const isEmpty = reason === undefined || ['', 'none', 'na', 'null'].includes(bareKey(reason));
  return {
    bead_id: bare(bead_id),
    nonce: bare(nonce),
    status: statusWord(status),
    checks: Object.fromEntries(words),
    ...(isEmpty ? {} : { reason: reason.slice(0, 4_000) }),
  };
}

function bare(word: string): string {
  return word.replaceAll(/^[`*"'\s]+|[`*"'\s]+$/g, '');
}

const passes =
  'pass passed passes passing ok okay success successful succeeded true yes done green clean'.split(' ');
const fails = [
  ...'fail failed fails failing failure error errors false no red skip skipped notrun timeout'.split(' '),
  ...'timedout pending unknown none null blocked partial'.split(' '),
  '',
];
const dones = [...passes, 'complete', 'completed', 'finished'];
const errors = [...fails, 'na', 'incomplete', 'notdone', 'inprogress'];
/** Words by which models say that the project has no such check. */
const absent = ['na', 'notapplicable', 'nosuchcheck', 'doesnotexist', 'notconfigured'];

function statusWord(word: string): string {
  return meant(word, dones, 'done', errors, 'error');
}

/** `mayBeAbsent`: a check that the project doesn't have passes. */
function checkWord(word: string, mayBeAbsent: boolean): string {
  return mayBeAbsent
    ? meant(word, [...passes, ...absent], 'pass', fails, 'fail')
    : meant(word, passes, 'pass', [...fails, ...absent], 'fail');
}

/** `yes` for a good word, `no` for a bad one, else the word itself. */
function meant(
  word: string,
  good: readonly string[],
  yes: string,
  bad: readonly string[],
  no: string,
): string {
  const sign = /[✅✔☑👍]/u.test(word) ? yes : /[❌✘✗☒👎]/u.test(word) ? no : undefined;
  const bare = bareKey(word);
  if (good.includes(bare) && sign !== no) return bare === '' && sign ? sign : yes;
  if (bare === '' && sign) return sign;
  if (bad.includes(bare) && sign !== yes) return no;
  // `pass (14 tests)`: the first word counts, unless what follows takes it back.
  const [, first = '', rest = ''] = /^\W*([\w/]+)\W*[(,;:—–-]\s*(.*)$/su.exec(word) ?? [];
  if (bad.includes(bareKey(first)) && bareKey(first) !== '') return no;
  const isTakenBack = /fail|error|skip|not|n't|except|but|only|partial|timeout|pending|❌/i.test(rest);
  return good.includes(bareKey(first)) && !isTakenBack ? yes : word;
}
