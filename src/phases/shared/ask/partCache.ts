import { ContextCache } from '../../../context/contextCache.ts';

/**
 * Avoids counting the same documents for every call. An entry is used only for exactly its own content; those
 * of a ticket are forgotten when it ends (docs/decisions/040-prompt-order-and-budget.md).
 */
export const partCache = new ContextCache();
