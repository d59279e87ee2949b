import type { Bead } from '../../domain/beads/bead.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { workflow } from '../../domain/workflow/workflow.ts';

/** A line of bd's `issues.jsonl`. */
type BdIssue = Readonly<Record<string, unknown>> & { readonly id: string };

/** A ticket and its beads as issues of bd: the beads are the ticket's children, in the order of the plan. */
export function bdIssues(ticket: Ticket, beads: readonly Bead[]): readonly BdIssue[] {
  const { id, title, description, priority, status, createdAt, updatedAt, origin } = ticket;
  const [made, changed] = [timeOf(createdAt), timeOf(updatedAt)];
  const isOver = workflow[status].column === 'Done';
  const idOf = new Map(beads.map((bead, place) => [bead.id, `${id}.${String(place + 1)}`]));
  return [
    filled({
      id,
      title,
      description,
      status: isOver ? 'closed' : status === 'DRAFT' ? 'open' : 'in_progress',
      priority: Math.min(Math.max(priority - 1, 0), 4),
      issue_type: beads.length > 0 ? 'epic' : 'task',
      created_at: made,
      updated_at: changed,
      ...(isOver ? { closed_at: changed, close_reason: workflow[status].label } : {}),
      external_ref: origin ? `gh-${String(origin.number)}` : '',
    }),
    ...beads.map((bead) => {
      const child = idOf.get(bead.id) ?? '';
      const blocks = bead.dependencies.blocked_by.flatMap((one) => idOf.get(one) ?? []);
      const state = states[bead.status];
      return filled({
        id: child,
        title: bead.title,
        description: bead.description,
        design: designOf(bead),
        acceptance_criteria: bead.acceptanceCriteria.map(listed).join('\n'),
        notes: bead.notes,
        status: state,
        priority: Math.min(Math.max(bead.priority - 1, 0), 4),
        issue_type: types.has(bead.issueType) ? bead.issueType : 'task',
        created_at: bead.createdAt === '' ? made : bead.createdAt,
        updated_at: bead.updatedAt === '' ? changed : bead.updatedAt,
        ...(state === 'closed'
          ? {
              closed_at: bead.completedAt === '' ? changed : bead.completedAt,
              close_reason: bead.skipped?.reason ?? '',
            }
          : {}),
        labels: [...new Set([...bead.labels, `bead:${bead.id}`])],
        dependencies: [
          { issue_id: child, depends_on_id: id, type: 'parent-child' },
          ...blocks.map((one) => ({ issue_id: child, depends_on_id: one, type: 'blocks' })),
        ],
      });
    }),
  ];
}

const types = new Set(['bug', 'feature', 'task', 'epic', 'chore']);
const states = {
  pending: 'open',
  in_progress: 'in_progress',
  done: 'closed',
  error: 'blocked',
  skipped: 'closed',
} as const satisfies Record<Bead['status'], string>;

function designOf({ targetFiles, testCommands, tests, contextGuidance }: Bead): string {
  const { patterns, anti_patterns } = contextGuidance;
  return (
    [
      ['Target files', targetFiles],
      ['Patterns', patterns],
      ['Anti-patterns', anti_patterns],
      ['Tests', tests],
      ['Test commands', testCommands],
    ] as const
  )
    .filter(([, texts]) => texts.length > 0)
    .map(([name, texts]) => `${name}:\n${texts.map(listed).join('\n')}`)
    .join('\n\n');
}

/** An item of a list, whose other lines are indented. */
function listed(text: string): string {
  return `- ${text.replaceAll(/\r\n?|\n/gu, '\n  ')}`;
}

/** Without fields that say nothing. */
function filled(issue: BdIssue): BdIssue {
  const said = Object.entries(issue).filter(
    ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { ...Object.fromEntries(said), id: issue.id };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
