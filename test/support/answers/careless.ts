import { isRecord } from '../../../src/base/json.ts';
import { endMark } from '../../../src/context/promptFile.ts';
import type { Artifact } from './artifacts.ts';
import type { Style } from './styles.ts';
import { asAsked, enclosed, type WriteText, withTexts, writeYaml } from './writing.ts';

/** `stopped`: the provider said that the model ended by itself. `fits`: the kinds it can be written for. */
export interface Manner extends Style {
  readonly stopped?: true;
  readonly fits?: (artifact: Artifact, value: object) => boolean;
}

const quoted: WriteText = (text) => JSON.stringify(text);
const yamlOf = (value: unknown): string => writeYaml(value, quoted);
const fence = (text: string, language = 'yaml'): string => `\`\`\`${language}\n${text}\n\`\`\``;
const unmarked = (answer: string): string => answer.replace(`\n${endMark}`, '');
const isDocument = ({ lines }: Artifact): boolean => lines !== true;
const isBead = ({ tag }: Artifact): boolean => tag === 'BEAD_STATUS';
const records = isDocument;
const cutAt = (value: unknown, count: number): readonly [object, object] => {
  const entries = Object.entries(value as object);
  return [Object.fromEntries(entries.slice(0, count)), Object.fromEntries(entries.slice(count))];
};
const half = (value: unknown): readonly [object, object] =>
  cutAt(value, Math.ceil(Object.keys(value as object).length / 2));
const hasTwoKeys = (artifact: Artifact, value: object): boolean =>
  isDocument(artifact) && Object.keys(value).length > 1;
/** The first list of several objects at the top of a document. */
const listIn = (value: object): readonly [string, readonly unknown[]] | undefined =>
  Object.entries(value).find(
    (entry): entry is [string, unknown[]] =>
      Array.isArray(entry[1]) && entry[1].length > 1 && entry[1].every((item) => isRecord(item)),
  );
const hasList = (artifact: Artifact, value: object): boolean =>
  isDocument(artifact) && listIn(value) !== undefined;
const withList = (value: object, items: readonly unknown[]): object => ({
  ...value,
  [listIn(value)?.[0] ?? '']: items,
});
const hasTag = ({ tag }: Artifact): boolean => tag !== undefined;
const hasKeys = (artifact: Artifact): boolean => isDocument(artifact) && !isBead(artifact);

const read = (name: string, write: Style['write'], more: Partial<Manner> = {}): Manner => ({
  name,
  write,
  ...more,
});
const asked = (name: string, write: Style['write'], more: Partial<Manner> = {}): Manner => ({
  name,
  write,
  ...more,
  refused: true,
});

/** Spellings of the last line. */
const marks: readonly string[] = [
  'END OF ANSWER',
  'END-OF-ANSWER',
  'End of answer.',
  '<END_OF_ANSWER>',
  '</END_OF_ANSWER>',
  '[END_OF_ANSWER]',
  '"END_OF_ANSWER"',
  '--- END_OF_ANSWER ---',
  '== END_OF_ANSWER ==',
  '# END_OF_ANSWER',
  'END_OF_ANSWER ✅',
  'END_OF_ANSWER<|im_end|>',
  'END_OF_ANSWER</s>',
  'END_OF_ANSWER\n<|eot_id|>',
  'END_OF_ANSWER<end_of_turn>',
  'END_OF_ANSWER\nEND_OF_ANSWER',
  'END_OF_ANSWER\n\n**END_OF_ANSWER**',
  'END_OF_ANSWER: the document is complete.',
  'END_OF_ANSWER - let me know what you think!',
  'END_OF_ANSWER (whole document)',
  'END_OF_ANSWER\n\nI hope this helps. Everything you asked for is in it.',
  'This is the END_OF_ANSWER.',
];

const readAtOnce: readonly Manner[] = [
  ...marks.map((mark) =>
    read(`mark ${JSON.stringify(mark)}`, (_, value) => `${yamlOf(value)}\n${mark}`, { fits: isDocument }),
  ),
  read('mark on the line of the fence', (_, value) => `\`\`\`yaml\n${yamlOf(value)}\n\`\`\` ${endMark}`, {
    fits: isDocument,
  }),
  read(
    'mark on the line of the tag',
    (artifact, value) => asAsked(artifact, value).replace(`>\n${endMark}`, `> ${endMark}`),
    {
      fits: hasTag,
    },
  ),
  read('mark in the fence', (_, value) => fence(`${yamlOf(value)}\n${endMark}`), { fits: isDocument }),
  read('mark behind JSON', (_, value) => `${JSON.stringify(value)} ${endMark}`, { fits: isDocument }),
  read('bare, ended by stop', (_, value) => yamlOf(value), {
    fits: (artifact, value) => saysEnough(artifact, value),
    stopped: true,
  }),
  read('bare after prose, ended by stop', (_, value) => `Here is the document:\n\n${yamlOf(value)}`, {
    fits: (artifact, value) => saysEnough(artifact, value),
    stopped: true,
  }),
  read('end token, ended by stop', (_, value) => `${yamlOf(value)}<|im_end|>`, {
    fits: (artifact, value) => saysEnough(artifact, value),
    stopped: true,
  }),
  read('a whole document behind the mark', (artifact, value) => {
    const first = withTexts(value, (text) => `Wrong ${text}`);
    return `${asAsked(artifact, first)}\n\nThat had mistakes. The right one:\n\n${unmarked(asAsked(artifact, value))}`;
  }, { fits: isDocument }), // prettier-ignore
  read('two marked documents', (_, value) => {
    const first = withTexts(value, (text) => `Wrong ${text}`);
    return `${yamlOf(first)}\n${endMark}\n\n${yamlOf(value)}\n${endMark}`;
  }, { fits: isDocument }), // prettier-ignore
  read(
    'pieces in fences',
    (_, value) =>
      half(value)
        .map((part) => fence(yamlOf(part)))
        .join('\n\nand\n\n') + `\n${endMark}`,
    {
      fits: hasTwoKeys,
    },
  ),
  read('a piece behind the mark', (_, value) => {
    const [first, rest] = cutAt(value, Object.keys(value as object).length - 1);
    return `${yamlOf(first)}\n${endMark}\n\n${fence(yamlOf(rest))}`;
  }, { fits: hasTwoKeys }), // prettier-ignore
  read(
    'pieces of JSON',
    (_, value) =>
      half(value)
        .map((part) => JSON.stringify(part, null, 2))
        .join('\n\n'),
    { fits: hasTwoKeys },
  ),
  read('a command in another fence', (artifact, value) => `${fence('npm test\nnpm run lint', 'sh')}\n\n${asAsked(artifact, value)}\n\n${fence('npm test', 'sh')}`, { fits: isDocument }), // prettier-ignore
  read(
    'a checklist before it',
    (_, value) => `[x] Read the files\n[x] Wrote the document\n\n${yamlOf(value)}\n${endMark}`,
    {
      fits: isDocument,
    },
  ),
  read(
    'prose with colons before it',
    (_, value) => `Note: I read everything.\nResult: see below.\n\n${yamlOf(value)}\n${endMark}`,
    {
      fits: isDocument,
    },
  ),
  read(
    'the engine’s keys before it',
    (_, value) => `schema_version: 1\nartifact: draft\n${yamlOf(value)}\n${endMark}`,
    {
      fits: isDocument,
    },
  ),
  ...['content', 'result', 'document', 'yaml'].flatMap((name) => [
    read(
      `wrapper ${name}`,
      (artifact, value) => enclosed(artifact, `${name}:\n${writeYaml(value, quoted, '  ')}`),
      { fits: isDocument },
    ),
    read(
      `text in the wrapper ${name}`,
      (artifact, value) => enclosed(artifact, `${name}: |\n${indented(yamlOf(value))}`),
      {
        fits: isDocument,
      },
    ),
  ]),
  read('JSON in a wrapper as a text', (_, value) => JSON.stringify({ content: yamlOf(value) }), {
    fits: isDocument,
  }),
  read(
    'wrapper with a type',
    (artifact, value) => enclosed(artifact, `type: yaml\ncontent: |\n${indented(yamlOf(value))}`),
    {
      fits: hasKeys,
    },
  ),
  read(
    'wrapper named as the tag',
    (artifact, value) => enclosed(artifact, `${artifact.tag ?? ''}:\n${writeYaml(value, quoted, '  ')}`),
    {
      fits: hasTag,
    },
  ),
  ...['none', 'None.', 'no', 'false', 'N/A', 'Nothing', '(none)', '- none', '- "N/A"', '- None.'].map(
    (nothing) =>
      read(
        `${nothing} in empty lists`,
        (artifact, value) => enclosed(artifact, withNothing(value, nothing)),
        {
          fits: (artifact, value) => isDocument(artifact) && /^\w[^:\n]*: \[\]$/m.test(yamlOf(value)),
        },
      ),
  ),
];

/** Something would be lost, or nothing says which of two is meant. */
const askedAgain: readonly Manner[] = [
  asked(
    'an unknown part before it',
    (_, value) => `deviation:\n  - "Something nobody asked for"\n${yamlOf(value)}\n${endMark}`,
    {
      fits: hasKeys,
    },
  ),
  asked('a list cut in two fences', (_, value) => listParts(value).map((part) => fence(yamlOf(part))).join('\n\nPart 2:\n\n') + `\n${endMark}`, { fits: hasList }), // prettier-ignore
  asked(
    'a list cut at the mark',
    (_, value) => listParts(value).map(yamlOf).join(`\n${endMark}\n\n`) + `\n${endMark}`,
    { fits: hasList },
  ),
  asked('more items behind the mark', (_, value) => {
    const [first, second] = listParts(value);
    return `${yamlOf(first)}\n${endMark}\n\nI forgot one:\n\n${fence(yamlOf(listIn2(second)))}`;
  }, { fits: hasList }), // prettier-ignore
  asked('a list that is repeated', (artifact, value) => {
    const [name = '', items = []] = listIn(value as object) ?? [];
    const { [name]: _, ...rest } = value as Record<string, unknown>;
    const text = [{ ...rest, [name]: items.slice(0, 1) }, { [name]: items.slice(1) }].map(yamlOf).join('\n');
    return enclosed(artifact, text);
  }, { fits: (artifact, value) => hasList(artifact, value) }), // prettier-ignore
  asked('a correction behind the mark', (artifact, value) => `${asAsked(artifact, value)}\n\nCorrection: the first item should say something else.`, { fits: hasKeys }), // prettier-ignore
  asked('bare and cut off, without a word of its end', (_, value) => yamlOf(value).slice(0, -4), {
    fits: (artifact, value) => isDocument(artifact) && !/[\]"']$/.test(yamlOf(value).slice(0, -4)),
  }),
  asked('a first part, ended by stop', (_, value) => yamlOf(half(value)[0]), {
    fits: (artifact, value) => hasTwoKeys(artifact, value) && !saysEnough(artifact, half(value)[0]),
    stopped: true,
  }),
  asked('a fence that stays open, ended by stop', (_, value) => `\`\`\`yaml\n${yamlOf(half(value)[0])}`, {
    fits: hasTwoKeys,
    stopped: true,
  }),
  asked('keys without a word', (artifact, value) => enclosed(artifact, Object.keys(value as object).slice(0, 1).map((key) => `${key}:`).join('\n')), { fits: records }), // prettier-ignore
  asked('an empty document', (artifact) => enclosed(artifact, '{}'), { fits: records }),
  asked('the mark alone', () => endMark),
];

export const manners: readonly Manner[] = [...readAtOnce, ...askedAgain];

function listParts(value: unknown): readonly [object, object] {
  const [, items = []] = listIn(value as object) ?? [];
  return [withList(value as object, items.slice(0, 1)), withList(value as object, items.slice(1))];
}

function listIn2(value: object): readonly unknown[] {
  return (
    Object.values(value).find(
      (one): one is unknown[] => Array.isArray(one) && one.every((item) => isRecord(item)) && one.length > 0,
    ) ?? []
  );
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function withNothing(value: unknown, nothing: string): string {
  return yamlOf(value).replaceAll(
    /^(\w[^:\n]*): \[\]$/gm,
    nothing.startsWith('-') ? `$1:\n  ${nothing}` : `$1: ${nothing}`,
  );
}

/** Shows by what must be there that a document ended by itself; a schema that demands nothing never does. */
function saysEnough(artifact: Artifact, value: object): boolean {
  return isDocument(artifact) && !demandsNothing(value) && artifact.read(asAsked(artifact, value)).ok;
}

/** The kinds of which every key may be left out. */
function demandsNothing(value: object): boolean {
  const ownKeys = ['ballots', 'architectural_notes', 'testing_approach', 'notes_for_reviewer', 'files'];
  return (
    ownKeys.some((key) => key in value) ||
    ('summary' in value && typeof value.summary === 'object' && !Array.isArray(value.summary))
  );
}
