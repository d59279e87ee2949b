import { isRecord } from '../../base/json.ts';

/** `key`: where it stands; in a list, the list's. */
interface KeyedText {
  readonly key: string;
  readonly text: string;
}

function textsOf(value: unknown, key = ''): readonly KeyedText[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, key));
  return isRecord(value) ? Object.entries(value).flatMap(([name, item]) => textsOf(item, name)) : [];
}

const commandKeys = ['required_commands', 'testCommands'];
const nameKeys = ['id', 'phase', 'prdRefs', 'interview_refs'];

/** A document's texts in order, without item names, numbers and booleans. */
export function sayingTexts(value: unknown): readonly KeyedText[] {
  return textsOf(value).filter(({ key }) => !nameKeys.includes(key));
}

/** A document's texts: commands, and the others. */
export function commandsAndTexts(value: unknown): {
  readonly commands: readonly string[];
  readonly texts: readonly string[];
} {
  const all = sayingTexts(value);
  const isCommand = ({ key }: KeyedText): boolean => commandKeys.includes(key);
  return {
    commands: all.filter(isCommand).map(({ text }) => text),
    texts: all.filter((one) => !isCommand(one)).map(({ text }) => text),
  };
}
