import { isRecord } from '../../base/json.ts';

/** A text of a document, and the key it stands under; of a list, the list's. */
interface KeyedText {
  readonly key: string;
  readonly text: string;
}

/** Every text of a document's value, in its order. Numbers and booleans aren't texts. */
export function textsOf(value: unknown, key = ''): readonly KeyedText[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, key));
  return isRecord(value) ? Object.entries(value).flatMap(([name, item]) => textsOf(item, name)) : [];
}

const commandKeys = ['required_commands', 'testCommands'];
/** Keys whose texts only name something. */
const nameKeys = ['id', 'phase', 'prdRefs', 'interview_refs'];

/** A document's texts as they are checked, without names of items: its commands, and the others. */
export function commandsAndTexts(value: unknown): {
  readonly commands: readonly string[];
  readonly texts: readonly string[];
} {
  const all = textsOf(value).filter(({ key }) => !nameKeys.includes(key));
  const isCommand = ({ key }: KeyedText): boolean => commandKeys.includes(key);
  return {
    commands: all.filter(isCommand).map(({ text }) => text),
    texts: all.filter((one) => !isCommand(one)).map(({ text }) => text),
  };
}
