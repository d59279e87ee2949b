import * as z from 'zod';
import { ToolPolicy } from '../../../src/domain/usage/promptPlan.ts';
import type { PortCall } from './portMeter.ts';

/** As a straight script would do it. */
export type Deed =
  | {
      readonly kind: 'prompt';
      readonly session: string;
      readonly member: string;
      readonly policy: ToolPolicy;
      readonly stable: string | undefined;
      readonly text: string;
    }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'worktree'; readonly branch: string; readonly commit: string }
  /** `sha` is what the driven side got. */
  | {
      readonly kind: 'commit';
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
      readonly paths: readonly string[];
      readonly sha: string;
    }
  | { readonly kind: 'reset'; readonly commit: string };

/** The lanes of a stage run side by side, as council members do. */
export type Stage = readonly (readonly Deed[])[];

const Session = z.object({ id: z.string() });
const SessionOptions = z.object({ title: z.string() });
const Request = z.object({
  member: z.string(),
  policy: ToolPolicy,
  text: z.string(),
  stable: z.string().optional(),
});
const Worktree = z.object({ branch: z.string(), commit: z.string() });
const Commit = z.object({
  message: z.string(),
  trailers: z.record(z.string(), z.string()),
  paths: z.array(z.string()),
});
type Commit = z.infer<typeof Commit>;

/** What the engine only reads (status, diffs, sessions) isn't among them. */
export function recordingOf(calls: readonly PortCall[]): readonly Stage[] {
  const titles = new Map<string, string>();
  for (const { method, args, result } of calls)
    if (method === 'createSession') titles.set(Session.parse(result).id, SessionOptions.parse(args[0]).title);
  const candidates = candidatesOf(calls);
  const stages: { readonly council: string; readonly lanes: Map<string, Deed[]> }[] = [];
  for (const call of calls.toSorted((a, b) => a.from - b.from)) {
    const deed = deedOf(call, candidates);
    if (!deed) continue;
    const branch =
      deed.kind === 'prompt' ? /^(.*\/)(member-\d+)\//.exec(titles.get(deed.session) ?? '') : null;
    const [council, lane] = [branch?.[1] ?? '', branch?.[2] ?? ''];
    let stage = stages.at(-1);
    if (stage === undefined || stage.council !== council)
      stages.push((stage = { council, lanes: new Map() }));
    const deeds = stage.lanes.get(lane) ?? [];
    stage.lanes.set(lane, deeds);
    deeds.push(deed);
  }
  return stages.map(({ lanes }) => [...lanes.values()]);
}

/** By hash. A script commits the same where the driven side takes it over. */
function candidatesOf(calls: readonly PortCall[]): ReadonlyMap<unknown, Commit> {
  const made = calls.filter(
    ({ port, method, result }) => port === 'git' && method === 'candidate' && typeof result === 'string',
  );
  return new Map(made.map(({ args, result }) => [result, Commit.parse(args[1])]));
}

function deedOf(
  { port, method, args }: PortCall,
  candidates: ReadonlyMap<unknown, Commit>,
): Deed | undefined {
  switch (`${port}.${method}`) {
    case 'agent.prompt': {
      const { member, policy, text, stable } = Request.parse(args[1]);
      return { kind: 'prompt', session: Session.parse(args[0]).id, member, policy, text, stable };
    }
    case 'process.run':
      return { kind: 'command', command: z.string().parse(args[0]) };
    case 'git.addWorktree':
      return { kind: 'worktree', ...Worktree.parse(args[0]) };
    case 'git.adopt': {
      const [, commit] = args;
      const work = candidates.get(commit);
      if (!work) throw new Error(`Nobody knows what the commit ${String(commit)} is made of.`);
      return { kind: 'commit', ...work, sha: z.string().parse(commit) };
    }
    case 'git.resetHard':
      return { kind: 'reset', commit: z.string().parse(args[1]) };
    default:
      return undefined;
  }
}
