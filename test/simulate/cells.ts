import { statuses, type Status } from '../../src/domain/workflow/workflow.ts';
import type { Transaction } from '../../src/engine/ports/storePort.ts';
import { live, type Outcome } from './simulation.ts';
import type { CallMoment } from './world/driver.ts';
import type { Temper } from './world/person.ts';
import type { WorldOptions } from './world/world.ts';

/** Of a status's first step. */
export const cellPoints = [
  'before the intent',
  'after the intent',
  'in the middle',
  'before the receipt',
  'after the receipt',
] as const;
type CellPoint = (typeof cellPoints)[number];

/** There the driver ends at the transaction that leads to them, and at the next calls. */
const withoutSteps: readonly Status[] = ['COMPLETED', 'BLOCKED_ERROR'];

/** Of one name there is one story. */
interface Story {
  readonly name: 'full' | 'quick' | 'loop' | 'canceled' | 'blocked';
  readonly temper: Temper;
  readonly options: Pick<WorldOptions, 'turns' | 'fails'>;
}

const temper: Temper = { depth: 'full', members: 2, qa: true, asks: false, whims: 0, end: 'merge' };

/** Made for each run, because what fails once is remembered in it. */
function storyOf(status: Status): Story {
  const straight = { turns: () => false };
  if (['PLANNING_QUICK', 'WAITING_QUICK_ANSWERS', 'WAITING_PLAN_APPROVAL'].includes(status))
    return {
      name: 'quick',
      temper: { ...temper, depth: 'quick' },
      options: { turns: (identity) => identity.includes('/PLANNING_QUICK') },
    };
  if (status === 'PREPARING_LOOP')
    return { name: 'loop', temper: { ...temper, depth: 'loop' }, options: straight };
  if (status === 'CANCELED')
    return {
      name: 'canceled',
      temper: { ...temper, cancelsAt: 'WAITING_INTERVIEW_APPROVAL' },
      options: straight,
    };
  if (status !== 'BLOCKED_ERROR') return { name: 'full', temper, options: straight };
  let failed = false;
  const fails = (name: string): boolean => name === 'git.head' && !failed && (failed = true);
  return { name: 'blocked', temper, options: { ...straight, fails } };
}

const undisturbed = new Map<Story['name'], Promise<Outcome | undefined>>();

/** Lived once for all statuses with the same story. */
export function undisturbedCell(status: Status): Promise<Outcome | undefined> {
  const { name } = storyOf(status);
  const known = undisturbed.get(name) ?? runCell(status);
  undisturbed.set(name, known);
  return known;
}

/** Undefined if no call ever came to that point. */
export async function runCell(status: Status, point?: CellPoint): Promise<Outcome | undefined> {
  const story = storyOf(status);
  const crash = point && (withoutSteps.includes(status) ? atMove(status, point) : atStep(status, point));
  let ended = point === undefined;
  const options: WorldOptions = {
    seed: 1,
    ...story.options,
    crash: (moment) => {
      const ends = !ended && crash?.(moment) === true;
      ended ||= ends;
      return ends;
    },
  };
  // The next driver has to see what there is.
  const outcome = await live(
    options,
    story.temper,
    (world) => point === undefined || (ended && world.counts.drivers > 1),
  );
  return ended ? outcome : undefined;
}

/** What `npm run simulate -- --cells` prints. */
export function cellLines(): readonly string[] {
  const lines = statuses.flatMap((status) =>
    cellPoints.map((point) => `${status}: ${withoutSteps.includes(status) ? moves[point] : point}`),
  );
  return [
    ...lines,
    `${String(lines.length)} cells: ${String(statuses.length)} statuses × ${String(cellPoints.length)} points`,
  ];
}

function atStep(status: Status, point: CellPoint): (moment: CallMoment) => boolean {
  let step: string | undefined;
  let begun = false;
  return ({ name, args, when }) => {
    const entries = name === 'store.commit' ? (args[0] as Transaction).journal : [];
    const keyOf = (kind: 'step.intent' | 'step.done'): string | undefined => {
      const entry = entries.find(
        (one) =>
          one.kind === kind && one.run.split(':')[0]?.endsWith(`/${status}`) === true && isWork(one.key),
      );
      return entry?.kind === kind ? `${entry.run} ${entry.key}` : undefined;
    };
    const intent = keyOf('step.intent');
    step ??= intent;
    const isIntent = intent !== undefined && intent === step;
    const isReceipt =
      step !== undefined &&
      entries.some((entry) => entry.kind === 'step.done' && `${entry.run} ${entry.key}` === step);
    if (isIntent && when === 'answered') begun = true;
    switch (point) {
      case 'before the intent':
        return isIntent && when === 'issued';
      case 'after the intent':
        return isIntent && when === 'done';
      case 'in the middle':
        // The effect's first call has happened, and nobody knows.
        return (
          begun && !isIntent && (when === 'done' || (name.startsWith('store.') && name !== 'store.commit'))
        );
      case 'before the receipt':
        return isReceipt && when === 'issued';
      case 'after the receipt':
        return isReceipt && when === 'done';
    }
  };
}

/** A child run's own entry isn't a step that does something. */
function isWork(key: string): boolean {
  return !key.startsWith('bead:');
}

const moves: Readonly<Record<CellPoint, string>> = {
  'before the intent': 'before the move to it is written',
  'after the intent': 'when the move is written, and nobody knows',
  'in the middle': 'when the move is known',
  'before the receipt': 'at the first call after the move',
  'after the receipt': 'at the second call after the move',
};

function atMove(status: Status, point: CellPoint): (moment: CallMoment) => boolean {
  let calls = -1;
  return ({ name, args, when }) => {
    const isMove =
      name === 'store.commit' &&
      (args[0] as Transaction).journal.some((entry) => entry.kind === 'status' && entry.to === status);
    if (isMove) {
      if (when === 'answered') calls = 0;
      const at = {
        issued: 'before the intent',
        done: 'after the intent',
        answered: 'in the middle',
      } as const;
      return at[when] === point;
    }
    if (calls < 0 || when !== 'issued') return false;
    calls++;
    return (calls === 1 && point === 'before the receipt') || (calls === 2 && point === 'after the receipt');
  };
}
