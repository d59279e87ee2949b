import * as z from 'zod';
import type { SettingRow } from './rows/row.ts';
import { type SettingField, settingRow, settingRows } from './rows.ts';

/** A schema without its default. */
export function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

/** The command line's words for a setting's values, if they are few. */
export function optionWords({ schema, choices }: SettingRow): ReadonlyMap<string, string> | undefined {
  const inner = bare(schema);
  if (!(inner instanceof z.ZodEnum)) return undefined;
  return new Map(inner.options.map((value) => [choices?.[value]?.word ?? String(value), String(value)]));
}

/** A setting's sentence in plain text, with options or names for links. */
export function plainText(about: string): string {
  return about
    .replaceAll(/`?#beadsmith\.([\w.]+)#`?/g, (_, name: string) => {
      const field = (Object.keys(settingRows) as SettingField[]).find(
        (one) => (settingRow(one).setting ?? one) === name,
      );
      const option = field === undefined ? undefined : settingRow(field).option;
      return option === undefined ? name : `--${option}`;
    })
    .replaceAll(/[`*]/g, '');
}

/** An option's `help`: first sentence, meaning of 0, default. Switches say what is true with them. */
export function optionText(row: SettingRow): string {
  const sentences = plainText(row.about)
    .split(/(?<=\.) (?=[A-Z0-9])/)
    .map((sentence) => sentence.replace(/\.$/, ''));
  const zero = sentences
    .map((one) => /^0 means (?:that )?(.+)$/.exec(one)?.[1])
    .find((one) => one !== undefined);
  const empty = sentences.map((one) => /^If empty, (.+)$/.exec(one)?.[1]).find((one) => one !== undefined);
  const [first = '', second] = sentences.filter((one) => !/^(?:If empty,|0 means) /.test(one));
  const start = lowered(
    first
      .replace(/^The (?=maximum|minimum|number|model)/, '')
      .replace(/^Controls (?:whether )?/, (words) =>
        bare(row.schema) instanceof z.ZodBoolean ? '' : words.slice(9),
      ),
  );
  const usual = defaultText(row) ?? empty;
  return [
    second !== undefined && start.length + second.length < longest ? `${start}. ${second}` : start,
    ...(zero === undefined ? [] : [`0: ${zero}`]),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
  ].join('; ');
}

const longest = 150;

function lowered(text: string): string {
  return text.startsWith('Beadsmith') ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function defaultText({ schema, choices, unit }: SettingRow): string | undefined {
  const usual: unknown = schema.safeParse(undefined).data;
  if (typeof usual === 'number' && usual > 0) return String(unit === 'seconds' ? usual / 1_000 : usual);
  if (Array.isArray(usual) && usual.length > 0) return `${usual.join(', ')}; none for none`;
  return typeof usual === 'string' && usual !== '' ? (choices?.[usual]?.word ?? usual) : undefined;
}
