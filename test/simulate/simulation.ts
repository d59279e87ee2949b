import { sha256 } from '../../src/base/sha256.ts';
import type { Status } from '../../src/domain/workflow/workflow.ts';
import { findings } from './checks.ts';
import { faultsOf } from './world/faults.ts';
import { Person, type Temper } from './world/person.ts';
import { Random } from './world/random.ts';
import { World, type WorldOptions } from './world/world.ts';
import { newTicket } from '../support/samples.ts';

/** `problems` is empty if everything held. */
export interface Outcome {
  readonly seed: number;
  readonly problems: readonly string[];
  readonly status: string;
  readonly visited: ReadonlySet<Status>;
  readonly counts: World['counts'];
  readonly virtualMs: number;
  readonly events: number;
  readonly trace: readonly string[];
  /** Prompts that reached a model, and the tree of the branch. */
  readonly prompts: number;
  readonly tree: string | undefined;
}

/** More than any run needs. */
const mostEvents = 20_000;
/** A run without a kill is checked this often. */
const checkedEvery = 1_500;

/** Everything that goes wrong is drawn from the seed. */
export async function simulate(seed: number, tampering: WorldOptions['tampering'] = {}): Promise<Outcome> {
  const random = new Random(seed);
  const temper: Temper = {
    depth: depthOf(random.next()),
    members: random.between(1, 3),
    qa: random.chance(0.5),
    asks: random.chance(0.5),
    whims: random.chance(0.5) ? 0.3 * random.next() : 0,
    end: random.chance(0.7) ? 'merge' : 'close',
  };
  return live({ seed, faults: faultsOf(random), tampering }, temper);
}

/** `drawn`: from 0 to 1. A full ticket goes through three times as many statuses. */
function depthOf(drawn: number): Temper['depth'] {
  if (drawn < 0.66) return 'quick';
  return drawn < 0.72 ? 'loop' : 'full';
}

/** With given faults and decisions. */
export async function live(
  options: WorldOptions,
  temper: Temper,
  isEnough: (world: World) => boolean = () => true,
): Promise<Outcome> {
  const world = new World(options);
  try {
    const problems: string[] = [];
    const check = (when: string): void => {
      for (const problem of findings(world))
        if (!problems.some((known) => known.endsWith(problem))) problems.push(`${when}: ${problem}`);
    };
    world.onDidEnd = () => check(`at ${String(world.timeline.now)} ms, when a driver ended`);
    world.reader.calls.createTicket({ ...newTicket, prefix: 'SIM' });
    new Person(world, temper);
    world.start();
    const isDone = (): boolean => {
      if (world.timeline.events % checkedEvery === checkedEvery - 1)
        check(`at ${String(world.timeline.now)} ms`);
      return (world.isOver() && isEnough(world)) || problems.length > 0;
    };
    const ended = await world.timeline.run(isDone, mostEvents);
    check('at the end');
    const [ticket] = world.tickets();
    const tip = world.repository.refs.get('refs/heads/ticket/SIM-1');
    if (!ended && problems.length === 0)
      problems.push(
        `it came no further than ${String(ticket?.status)} (${JSON.stringify(ticket?.hold ?? ticket?.error ?? null)})`,
      );
    return {
      seed: options.seed,
      problems,
      status: ticket?.status ?? '',
      visited: visitedBy(world),
      counts: world.counts,
      virtualMs: world.timeline.now,
      events: world.timeline.events,
      trace: world.trace,
      prompts: world.server.received.length,
      tree: tip && world.repository.commit(tip).tree,
    };
  } finally {
    world.dispose();
  }
}

/** The same for two runs of a seed. */
export function fingerprint({ trace, status }: Outcome): string {
  return sha256([...trace, status].join('\n'));
}

function visitedBy(world: World): ReadonlySet<Status> {
  const visited = new Set<Status>(['DRAFT']);
  for (const { id } of world.tickets())
    for (const { entry } of world.reader.calls.journal(id))
      if (entry.kind === 'status') visited.add(entry.to);
  return visited;
}
