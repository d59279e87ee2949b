import { type DataTransfer, DataTransferItem, l10n, window } from 'vscode';
import { roleOf } from '../../../domain/workflow/roles.ts';
import type { TicketView } from '../../../protocol/api.ts';
import { isOwnTarget } from '../../shared/ownTargets.ts';
import { showError } from '../../shared/showError.ts';
import type { Workbench } from '../../shared/workbench.ts';
import type { BoardTicket } from '../board.ts';
import { savePriority } from '../setPriority.ts';
import { draggedType } from '../ticketsViewId.ts';
import type { Node, NodeOf } from './nodes.ts';

type TicketNode = NodeOf<'ticket'>;

/** A draft that is dragged onto another one takes its priority. */
export class TicketDrag {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  handleDrag(nodes: readonly Node[], data: DataTransfer): void {
    data.set(draggedType, new DataTransferItem(nodes));
  }

  async handleDrop(target: Node | undefined, data: DataTransfer): Promise<void> {
    const dragged = ticketsIn(data.get(draggedType)?.value);
    if (dragged.length === 0 || !this.#workbench.repositories.trusted) return;
    const onto = target?.kind === 'ticket' ? this.#draft(target) : undefined;
    const drafts = dragged.filter((node) => node.root === target?.root && this.#draft(node));
    if (this.#workbench.list.order !== 'priority')
      tell(l10n.t('Sort tickets by priority to change their order.'));
    else if (!onto || drafts.length < dragged.length)
      tell(l10n.t('Drafts can be dragged onto other drafts, and take their priority.'));
    else for (const node of drafts) await this.#prioritize(node, onto.priority);
  }

  #draft(ticket: BoardTicket): TicketView | undefined {
    const view = this.#workbench.board.find(ticket);
    return view && roleOf(view.status) === 'draft' ? view : undefined;
  }

  async #prioritize({ root, ticket }: BoardTicket, priority: number): Promise<void> {
    const row = this.#workbench.board.rows.find((one) => one.root === root);
    if (!row?.repository) return;
    if (this.#draft({ root, ticket })?.priority === priority) {
      tell(l10n.t('{0} already has priority {1}.', ticket, priority));
      return;
    }
    try {
      await savePriority({ repository: row.repository, ticket }, priority);
    } catch (error) {
      await showError(this.#workbench, 'priority', error);
    }
  }
}

function tell(text: string): void {
  void window.showInformationMessage(text);
}

/** Any extension may have put something there. */
function ticketsIn(value: unknown): readonly TicketNode[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all.filter((one): one is TicketNode => isOwnTarget(one) && (one as Partial<Node>).kind === 'ticket');
}
