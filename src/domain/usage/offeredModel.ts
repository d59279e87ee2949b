import type { ModelPrice } from './modelPrice.ts';

/** A model that OpenCode offers, with what its catalogue says. */
export interface OfferedModel {
  /** As `provider/model`. */
  readonly id: string;
  /** The provider's name for people. */
  readonly provider: string;
  readonly price?: ModelPrice | undefined;
  /** Tokens of a whole request. */
  readonly context?: number | undefined;
  readonly usesTools?: boolean | undefined;
}
