import * as z from 'zod';

/**
 * `z.array(element)` for plans that are read by the thousand: `z.array` takes a call and two objects for every element, this only for a list in which
 * something is wrong, and then its words are those of `z.array`. `isFine` may answer true only for what `element` accepts.
 */
export function textList(element: z.ZodType<string, string>, isFine: (text: string) => boolean = () => true) {
  const list = z.array(element);
  return z.custom<string[]>().check((payload) => {
    const value: unknown = payload.value;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string' && isFine(item))) return;
    for (const { path, message } of list.safeParse(value).error?.issues ?? [])
      payload.issues.push({ code: 'custom', path, message, input: value });
  });
}
