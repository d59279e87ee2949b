import * as z from 'zod';
import type { ProbeAnswer } from './probeWords.ts';

const product = 'beadsmith.beadsmith';
const Marks = z.array(z.object({ name: z.string(), startTime: z.number() }));
const Keeper = z.object({ MonacoPerformanceMarks: z.custom<{ getMarks(): unknown }>((value) => value !== undefined) });

/** What the editor's extension host noted about the product: its marks have whole milliseconds since 1970. */
export function activationTimes(): Omit<ProbeAnswer<'activation'>, 'processorMs' | 'laterMs'> {
  const marks = Marks.parse(Keeper.parse(globalThis).MonacoPerformanceMarks.getMarks());
  const at = (name: string): number => {
    const mark = marks.find((one) => one.name === `code/extHost/${name}/${product}`);
    if (!mark) throw new Error(`The editor noted no ${name}. Was the product activated?`);
    return mark.startTime;
  };
  const [begun, loaded, entered, done] = [
    at('willLoadExtensionCode'),
    at('didLoadExtensionCode'),
    at('willActivateExtension'),
    at('didActivateExtension'),
  ];
  return { loadMs: loaded - begun, activateMs: done - entered, wholeMs: done - begun };
}
