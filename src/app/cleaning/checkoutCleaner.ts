import type { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { startedByAgent } from '../../adapters/system/startedBy.ts';
import type { Cleanable } from '../../domain/core/cleaning.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { TicketView } from '../../protocol/api.ts';
import type { Cleaned, RemoveOptions } from '../../protocol/upkeep.ts';
import { type Found, measure, removeFound, shownOf } from './found.ts';

interface CheckoutCleanerParts {
  readonly git: Pick<GitAdapter, 'checkoutsOfTeam' | 'removeCheckoutOfTeam'>;
  readonly tickets: () => Promise<readonly Pick<TicketView, 'id' | 'status' | 'updatedAt'>[]>;
}

/** Removes a person's checkouts of a team's tickets that ended. */
export class CheckoutCleaner {
  readonly #parts: CheckoutCleanerParts;

  constructor(parts: CheckoutCleanerParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly Cleanable[]> {
    return shownOf(await this.#find());
  }

  /** Throws DECISION_BY_AGENT. */
  async remove(wanted: readonly Cleanable[], options: RemoveOptions = {}): Promise<Cleaned> {
    if (startedByAgent() === true) throw new BeadsmithError('DECISION_BY_AGENT');
    return removeFound(await this.#find(), wanted, options);
  }

  async #find(): Promise<readonly Found[]> {
    const { git, tickets } = this.#parts;
    const all = new Map((await tickets()).map((one) => [one.id, one]));
    const found: Found[] = [];
    for (const { ticket, path } of await git.checkoutsOfTeam()) {
      const known = all.get(ticket);
      if (!known || !isTerminal(known.status)) continue;
      const { bytes } = await measure(path);
      const remove = (): Promise<void> => git.removeCheckoutOfTeam(ticket);
      found.push({ ticket, kind: 'worktree', count: 1, bytes, at: known.updatedAt, remove });
    }
    return found;
  }
}
