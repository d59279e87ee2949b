import * as z from 'zod';
import type { ProbeAnswer } from './probeWords.ts';

const Marks = z.array(z.object({ name: z.string(), startTime: z.number() }));
const Keeper = z.object({
  MonacoPerformanceMarks: z.custom<{ getMarks(): unknown }>((value) => value !== undefined),
});

/**
 * What the editor's extension host noted about an extension: its marks have whole milliseconds since 1970.
 */
export function activationTimes(
  extension: string,
): Pick<ProbeAnswer<'activation'>, 'loadMs' | 'prepareMs' | 'activateMs'> {
  const marks = Marks.parse(Keeper.parse(globalThis).MonacoPerformanceMarks.getMarks());
  const at = (name: string): number => {
    const mark = marks.find((one) => one.name === `code/extHost/${name}/${extension}`);
    if (!mark) throw new Error(`The editor noted no ${name} of ${extension}. Was it activated?`);
    return mark.startTime;
  };
  const [begun, loaded, entered, done] = [
    at('willLoadExtensionCode'),
    at('didLoadExtensionCode'),
    at('willActivateExtension'),
    at('didActivateExtension'),
  ];
  return { loadMs: loaded - begun, prepareMs: entered - loaded, activateMs: done - entered };
}
