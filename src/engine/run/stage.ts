import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type {
  BeadStage,
  RequiredStage,
  StageExit,
  StageInput,
  StageOutput,
  StageRow,
  SwitchableStage,
} from '../../domain/beads/beadStages.ts';
import type { Run } from './run.ts';

/**
 * Handles a stage of a bead's iteration. Like any handler it is called again after an interruption, so
 * everything that touches the world is in steps of `run`. It returns its own part of the iteration's state;
 * the machine keeps the rest.
 */
export type Stage<In, Out, Exit extends string> = (
  run: Run,
  ticket: TicketSnapshot,
  input: In,
) => Promise<{ readonly exit: Exit; readonly output: Out }>;

/** The handler of one stage of the table. */
export type StageHandler<S extends BeadStage> = Stage<StageInput<S>, StageOutput<S>, StageExit<S>>;

/** A handler for every required stage. An optional stage may have one once its setting exists. */
export type StageHandlers = { readonly [S in RequiredStage]: StageHandler<S> } & {
  readonly [S in SwitchableStage]?: StageHandler<S>;
};

/**
 * The stages of an iteration as the engine runs them. `version` rises when a change would make old iterations
 * replay differently: a run whose open iteration was started under another version is superseded together
 * with it (docs/ARCHITECTURE.md §5.5).
 */
export interface StageMachine {
  readonly version: number;
  readonly table: Readonly<Record<string, StageRow>>;
  /** Typed by `StageHandlers` where they are listed; here each gets what its own row's `input` parsed. */
  readonly handlers: Readonly<Record<string, Stage<never, unknown, string> | undefined>>;
}
