import { join } from 'node:path';
import type { CommandRunner, Repository } from '../engine/ports/ports.ts';
import type { Box } from '../engine/ports/sandboxPort.ts';
import type { Reservation } from '../engine/ports/workplacePort.ts';

type CommandOptions = Parameters<CommandRunner['run']>[1];

export interface TicketBoxesOptions {
  readonly repository: Pick<Repository, 'root' | 'commonDir'>;
  readonly reserve: (ticket: string) => Promise<Reservation | undefined>;
}

/**
 * The boxes of a ticket's programs (docs/decisions/105-the-box.md): one folder for all of them, so that they
 * share HOME and `/tmp`.
 */
export class TicketBoxes {
  readonly #options: TicketBoxesOptions;

  constructor(options: TicketBoxesOptions) {
    this.#options = options;
  }

  /**
   * The box of a command of the engine's own. What a person approved as an input is shown where it is,
   * because a link may lead there.
   */
  async forCommand({ cwd, allowed, box }: CommandOptions): Promise<Box> {
    const inputs = (allowed?.files ?? []).map((path) => join(this.#options.repository.root, path));
    return {
      domain: box?.network === 'install' ? 'setup' : 'commands',
      tree: cwd,
      treeAccess: 'rw',
      ...(await this.places(box?.ticket ?? 'none', box?.isProof)),
      readOnly: [...inputs, ...(box === undefined || box.worktree === cwd ? [] : [box.worktree])],
      // Each command is a box of its own, and only the machine's loopback is common to several. An
      // installation gets a way to registries alone.
      network: box?.network === 'services' ? 'host' : 'none',
      isProof: box?.isProof ?? false,
    };
  }

  /** The folders in which programs of a ticket write beside its worktree; those of its proofs elsewhere. */
  async places(ticket: string, isProof = false): Promise<Pick<Box, 'folder' | 'readWrite'>> {
    const reservation = await this.#options.reserve(ticket);
    const own = isProof ? reservation?.proof : reservation;
    if (own) return { folder: own.box, readWrite: [own.temporary] };
    return {
      folder: join(
        this.#options.repository.commonDir,
        'beadsmith',
        'boxes',
        isProof ? `${ticket}.proof` : ticket,
      ),
      readWrite: [],
    };
  }
}
