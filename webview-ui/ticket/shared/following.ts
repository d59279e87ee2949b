import * as z from 'zod';

/** Parts that are open, and the one that was due when a person last saw them. */
export const Opened = z.object({ due: z.string().nullable(), open: z.array(z.string()) });
export type Opened = z.infer<typeof Opened>;

/** What was due closes, unless somebody is typing there, and what is due opens. The rest stays as it was. */
export function followed({ due: before, open }: Opened, due: string | null, isTyping: boolean): Opened {
  const others = open.filter((one) => one !== due && (one !== before || isTyping));
  return { due, open: due === null ? others : [...others, due] };
}

export function toggled({ due, open }: Opened, part: string): Opened {
  return { due, open: open.includes(part) ? open.filter((one) => one !== part) : [...open, part] };
}
