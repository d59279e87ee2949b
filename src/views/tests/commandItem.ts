import type { TestItem } from 'vscode';
import type { TicketPlace } from '../shared/workbench.ts';

/** A row with a command. `bead`: null for a check of the project. */
export interface CommandItem {
  readonly item: TestItem;
  readonly place: TicketPlace;
  readonly bead: string | null;
  readonly command: string;
}
