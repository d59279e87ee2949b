import * as z from 'zod';

/** What every page says, whatever it is about. A page's own texts are such a table in its contract's file. */
export const BaseTexts = z.record(z.enum(['loading', 'crashed', 'reload', 'noAnswer', 'closed', 'unreadable', 'dismiss']), z.string());
export type BaseTexts = z.infer<typeof BaseTexts>;

/** All texts of a page in the person's language, as the page's HTML carries them. `own` is read by the page's own table. */
export const PageTexts = z.object({ base: BaseTexts, own: z.unknown() });
