import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeContextFile } from '../../../src/adapters/workplace/localWorkplace.ts';
import { inputSize, provideInputs } from '../../../src/adapters/workplace/provideInputs.ts';
import type { HostFacts } from '../../../src/domain/environment/hostFacts.ts';
import type { WorktreeInput } from '../../../src/domain/environment/inputs.ts';
import type {
  DroppedContext,
  InputSize,
  Reservation,
  Workplace,
} from '../../../src/engine/ports/workplacePort.ts';

export function reservationIn(folder: string, portBase = 21_000): Reservation {
  const own = (name: string) => ({
    temporary: join(folder, `${name}temporary`),
    sandbox: join(folder, `${name}box`),
  });
  return { portBase, ports: 20, ...own(''), proof: own('proof-') };
}

/** Inputs are really copied, if there is a checkout to copy from. */
export class FakeWorkplace implements Workplace {
  readonly wishes = { copied: [] as string[], linked: [] as string[] };
  readonly environment: Record<string, string> = {};
  /** Given to every ticket that asks. */
  reservation: Reservation | undefined;
  /** Sizes that nobody wants to make for a test. */
  readonly sizes: Record<string, InputSize> = {};
  readonly released: string[] = [];
  /** One folder for each ticket. */
  ticketFolders: string | undefined;
  node = '24.0.0';
  readonly #checkout: string | undefined;

  constructor(checkout?: string) {
    this.#checkout = checkout;
  }

  async facts(): Promise<HostFacts> {
    const tools = [
      { name: 'git', version: '2.39.5' },
      { name: 'node', version: this.node },
    ];
    return { system: 'Test OS 1, x64', cores: 2, memoryGiB: 8, tools, missing: ['cargo'], containers: [] };
  }

  present(names: readonly string[]): readonly string[] {
    return names.filter((name) => Object.hasOwn(this.environment, name));
  }

  async size(path: string): Promise<InputSize | undefined> {
    return this.sizes[path] ?? (this.#checkout === undefined ? undefined : inputSize(this.#checkout, path));
  }

  async provide(worktree: string, inputs: readonly WorktreeInput[]): Promise<readonly string[]> {
    return this.#checkout === undefined ? [] : provideInputs(this.#checkout, worktree, inputs);
  }

  async reserve(): Promise<Reservation | undefined> {
    return this.reservation;
  }

  async emptyProof(): Promise<void> {
    const { proof } = this.reservation ?? {};
    for (const folder of proof ? [proof.temporary, proof.sandbox] : [])
      await rm(folder, { recursive: true, force: true });
  }

  async takeContext(ticket: string, key: string): Promise<DroppedContext | undefined> {
    return this.ticketFolders === undefined
      ? undefined
      : takeContextFile(join(this.ticketFolders, ticket), key);
  }

  async release(ticket: string): Promise<void> {
    this.released.push(ticket);
  }
}
