import * as z from 'zod';

/** Parts that are open, and the one that was due when a person last saw them. */
export const Opened = z.object({ due: z.string().nullable(), open: z.array(z.string()) });
export type Opened = z.infer<typeof Opened>;

/** The part that was due closes, unless a person is typing there, and the one that is due opens. */
export function followed({ due: before, open }: Opened, due: string | null, isTyping: boolean): Opened {
  const others = open.filter((one) => one !== due && (one !== before || isTyping));
  return { due, open: due === null ? others : [...others, due] };
}

export function toggled({ due, open }: Opened, part: string): Opened {
  return { due, open: open.includes(part) ? open.filter((one) => one !== part) : [...open, part] };
}
