import type { OpenRepository } from '../views/repositories.ts';

/** An open repository with what only its owner does. */
export interface OpenedRepository extends OpenRepository {
  /** Asked every few seconds: whether opening it anew would mend something, for example because the process that drove is gone. */
  wantsReopening(): Promise<boolean>;
  /** Passwords that a report must not hold. */
  passwords(): Promise<readonly string[]>;
  /** Ends it in an orderly way. OpenCode's server stays for a while, so that the next window takes over what runs on it. */
  close(): Promise<void>;
}
