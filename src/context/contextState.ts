/** Data for prompts, never from `.ticket/` (docs/decisions/039-context-slices-and-allowlists.md). */
export interface ContextState {
  readonly ticketId: string;
  readonly title: string;
  readonly description: string;
  readonly relevantFiles: string;
  readonly interview: string;
  readonly fullAnswers: readonly string[];
  readonly prd: string;
  readonly beads: string;
  readonly beadsDraft: string;
  readonly drafts: readonly string[];
  readonly votes: readonly string[];
  readonly beadData: string;
  readonly beadNotes: readonly string[];
  readonly executionSetupProfile: string;
  readonly executionSetupPlan: string;
  readonly executionSetupPlanNotes: readonly string[];
  readonly executionSetupNotes: readonly string[];
  readonly finalTestNotes: readonly string[];
  readonly userAnswers: string;
  readonly tests: string;
  readonly errorContext: string;
}
