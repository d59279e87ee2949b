import type { OpenRepository } from '../../views/shared/repositories.ts';

/** A repository as the window that opened it holds it. */
export interface OpenedRepository extends OpenRepository {
  /** Asked every few seconds. */
  wantsReopening(): Promise<boolean>;
  /** A report must not hold them. */
  passwords(): Promise<readonly string[]>;
  /** OpenCode's server stays for the next window. */
  close(): Promise<void>;
}
