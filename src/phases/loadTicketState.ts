import type { ArtifactType } from '../domain/artifacts.ts';
import { BeadsmithError } from '../domain/errors.ts';
import type { TicketState } from '../context/ticketState.ts';
import type { StepIo } from '../engine/run.ts';
import { planText } from './planText.ts';

/**
 * What the database knows of the ticket, as prompts see it (seed 000 section 4); `.ticket/` is never read. What is given in `overrides`
 * isn't looked up. Drafts, votes, Full Answers, the active bead and what belongs to one call come from the caller only.
 */
export async function loadTicketState(io: StepIo, overrides: Partial<TicketState> = {}): Promise<TicketState> {
  const { store } = io.ports;
  const ticket = await store.ticket(io.ticket);
  if (!ticket) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: io.ticket });
  const text = async (type: ArtifactType): Promise<string> => (await store.artifact(io.ticket, type))?.content ?? '';
  const notes = async (type: ArtifactType): Promise<readonly string[]> => noteList(await text(type));
  return {
    ticketId: ticket.id,
    title: ticket.title,
    description: ticket.description,
    relevantFiles: overrides.relevantFiles ?? (await text('relevant_files')),
    interview: overrides.interview ?? (await text('interview')),
    prd: overrides.prd ?? (await text('prd')),
    beads: overrides.beads ?? planText(await store.beads(io.ticket)),
    beadsDraft: overrides.beadsDraft ?? (await text('beads_blueprint')),
    executionSetupProfile: overrides.executionSetupProfile ?? (await text('execution_setup_profile')),
    executionSetupPlan: overrides.executionSetupPlan ?? (await text('execution_setup_plan')),
    executionSetupPlanNotes: overrides.executionSetupPlanNotes ?? (await notes('execution_setup_plan_notes')),
    executionSetupNotes: overrides.executionSetupNotes ?? (await notes('execution_setup_notes')),
    finalTestNotes: overrides.finalTestNotes ?? (await notes('final_test_notes')),
    fullAnswers: overrides.fullAnswers ?? [],
    drafts: overrides.drafts ?? [],
    votes: overrides.votes ?? [],
    beadData: overrides.beadData ?? '',
    beadNotes: overrides.beadNotes ?? [],
    userAnswers: overrides.userAnswers ?? '',
    tests: overrides.tests ?? '',
    errorContext: overrides.errorContext ?? '',
  };
}

/** Notes are kept as a JSON array of texts; anything else is one note. */
function noteList(content: string): readonly string[] {
  if (content === '') return [];
  try {
    const parsed: unknown = JSON.parse(content);
    if (Array.isArray(parsed)) return parsed.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
  } catch {
    // Plain text is fine.
  }
  return [content];
}
