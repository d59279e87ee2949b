import type { Bead } from './bead.ts';

const mostNeighbors = 10;

type Placed = Pick<Bead, 'id' | 'title' | 'dependencies' | 'status'>;

/** A bead's place: the ticket, and a line for each other bead. */
export function placeInPlan(
  ticket: { readonly id: string; readonly title: string },
  { id, dependencies }: Pick<Bead, 'id' | 'dependencies'>,
  plan: readonly Placed[],
): string {
  const place = plan.findIndex((bead) => bead.id === id);
  const needed = plan.filter((bead) => dependencies.blocked_by.includes(bead.id));
  const waiting = plan.filter((bead) => bead.dependencies.blocked_by.includes(id));
  return [
    `Ticket ${ticket.id}: ${ticket.title}`,
    ...(place < 0 ? [] : [`This bead: ${String(place + 1)} of ${String(plan.length)}`]),
    ...neighbors('Builds on', needed),
    ...neighbors('Needed by', waiting),
  ].join('\n');
}

function neighbors(what: string, beads: readonly Placed[]): readonly string[] {
  const lines = beads.slice(0, mostNeighbors).map(({ id, title, status }) => {
    return `- ${what} ${id}: ${title}${status === 'skipped' ? ' (left out; its work isn’t there)' : ''}`;
  });
  return beads.length > mostNeighbors
    ? [...lines, `- ${what} ${String(beads.length - mostNeighbors)} more`]
    : lines;
}
