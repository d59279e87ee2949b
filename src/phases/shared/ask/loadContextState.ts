import { type SliceName, sliceNames } from '../../../context/slices.ts';
import type { ContextState } from '../../../context/contextState.ts';
import { interviewDocument } from '../../../domain/requirements/interview.ts';
import { prdDocument } from '../../../domain/requirements/prd.ts';
import { relevantFilesDocument } from '../../../domain/documents/relevantFiles.ts';
import { setupPlanDocument } from '../../../domain/documents/setupPlan.ts';
import type { ArtifactType } from '../../../domain/ticket/artifacts.ts';
import type { Bead } from '../../../domain/beads/bead.ts';
import { planLines } from '../../../domain/beads/beadPlan.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import { ReceivedHandoff, receivedHandoffDocument } from '../../../domain/documents/receivedHandoff.ts';
import { readText } from '../../../domain/documents/base/text.ts';
import { handoffText } from '../../../domain/handoff/handoff.ts';
import { readNotes, type StoreIo } from '../ticket/artifacts.ts';

/**
 * The ticket's state as prompts see it (docs/decisions/039-context-slices-and-allowlists.md). What no slice
 * of `needed` shows isn't looked up.
 */
export async function loadContextState(
  io: StepIo,
  overrides: Partial<ContextState> = {},
  needed: readonly SliceName[] = sliceNames,
): Promise<ContextState> {
  const { store } = io.ports;
  const text = async (slice: SliceName, type: ArtifactType): Promise<string> =>
    needed.includes(slice) ? ((await store.artifact(io.ticket, type))?.content ?? '') : '';
  const notes = async (type: SliceName & ArtifactType): Promise<readonly string[]> =>
    readNotes(await text(type, type));
  // In parallel: the round trip to the database's thread costs more than the reads.
  const [ticket, executionSetupPlanNotes, executionSetupNotes, finalTestNotes, ...documents] =
    await Promise.all([
      store.ticket(io.ticket),
      overrides.executionSetupPlanNotes ?? notes('execution_setup_plan_notes'),
      overrides.executionSetupNotes ?? notes('execution_setup_notes'),
      overrides.finalTestNotes ?? notes('final_test_notes'),
      overrides.relevantFiles ?? text('relevant_files', relevantFilesDocument.kind),
      overrides.interview ?? text('interview', interviewDocument.kind),
      overrides.prd ?? text('prd', prdDocument.kind),
      overrides.beads ?? (needed.includes('beads') ? store.beads(io.ticket).then(planText) : ''),
      overrides.beadsDraft ?? text('beads_draft', 'beads_blueprint'),
      overrides.executionSetupProfile ?? text('execution_setup_profile', 'execution_setup_profile'),
      overrides.executionSetupPlan ?? text('execution_setup_plan', setupPlanDocument.kind),
    ]);
  const [relevantFiles, interview, prd, beads, beadsDraft, executionSetupProfile, executionSetupPlan] =
    documents;
  if (!ticket) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: io.ticket });
  return {
    ticketId: ticket.id,
    title: ticket.title,
    description: ticket.description,
    relevantFiles,
    interview,
    prd,
    beads,
    beadsDraft,
    executionSetupProfile,
    executionSetupPlan,
    executionSetupPlanNotes,
    executionSetupNotes,
    finalTestNotes,
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

/** A line for each bead, without what changes at work. A replaced bead isn't told. */
function planText(beads: readonly Bead[]): string {
  return beads
    .map((bead) => (bead.status === 'skipped' ? skippedText(bead) : planLines([bead])))
    .join('')
    .trimEnd();
}

function skippedText({ id, title, skipped }: Bead): string {
  const text = 'It was left out. Its work isn’t there: neither do it nor test it.';
  return (skipped?.replacedBy ?? []).length > 0 ? '' : `${JSON.stringify({ id, title, skipped: text })}\n`;
}

/** An earlier ticket's handoff (docs/decisions/139-retrospective-and-handoff.md). */
export async function receivedText(io: StoreIo): Promise<string> {
  const stored = await io.ports.store.artifact(io.ticket, receivedHandoffDocument.kind);
  const read = stored && readText(receivedHandoffDocument.format, stored.content);
  const received = read?.ok === true ? ReceivedHandoff.safeParse(read.value).data : undefined;
  return received ? handoffText(received) : '';
}
