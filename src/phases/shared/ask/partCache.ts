import { ContextCache } from '../../../context/contextCache.ts';

/** Avoids counting the same documents for every call. */
export const partCache = new ContextCache();
