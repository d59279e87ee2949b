import type { Settled } from '../../../../base/result.ts';
import { jsonText } from './jsonText.ts';
import { asWritten, type Repair } from './repair.ts';
import { textsOf, treeOf, type Tree } from './tree.ts';
import { yamlRules } from './yamlRules.ts';

/** The content of a text, and the rules that it took to read it. */
export interface Decoded {
  readonly tree: Tree;
  readonly repairs: readonly Repair[];
  /** The text after a JSON value. */
  readonly rest: string;
}

/**
 * Reads YAML or JSON that a model wrote (docs/decisions/091-repairs.md). `keys` are the keys that exist,
 * bare. A repair that would change a text is refused.
 */
export function decode(text: string, keys: ReadonlySet<string>): Settled<Decoded, string> {
  const decoded = /^[[{]/.test(text) ? decodeJson(text) : decodeYaml(text, keys);
  if (!decoded.ok || decoded.value.repairs.length === 0 || keepsTexts(decoded.value.tree, text))
    return decoded;
  return {
    ok: false,
    error:
      'It can only be read by changing its texts. Put every text in double quotes, with inner quotes escaped.',
  };
}

function decodeJson(text: string): Settled<Decoded, string> {
  const json = jsonText(text);
  if (!json.ok) return json;
  const tree = treeOf(json.value.text.replaceAll('\t', ' '));
  const written = text.slice(0, text.length - json.value.rest.length);
  return tree.ok
    ? {
        ok: true,
        value: {
          tree: tree.value,
          rest: json.value.rest,
          repairs: json.value.text === written ? [] : [repairOf('json', written, json.value.text)],
        },
      }
    : tree;
}

function decodeYaml(text: string, keys: ReadonlySet<string>): Settled<Decoded, string> {
  const repairs: Repair[] = [];
  let repaired = text;
  const apply = ({ name, repair }: (typeof yamlRules)[number]): boolean => {
    const next = repair(repaired, keys);
    if (next === repaired) return false;
    repairs.push(repairOf(name, repaired, next));
    repaired = next;
    return true;
  };
  for (const rule of yamlRules) if (rule.always) apply(rule);
  const first = treeOf(repaired);
  let tree = first;
  for (const rule of yamlRules) {
    if (tree.ok) break;
    if (!rule.always && apply(rule)) tree = treeOf(repaired);
  }
  if (tree.ok) return { ok: true, value: { tree: tree.value, repairs, rest: '' } };
  return { ok: false, error: `It is not valid YAML: ${asWritten(first.ok ? tree.error : first.error)}` };
}

/** The first lines that a rule changed. */
function repairOf(rule: string, before: string, after: string): Repair {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  return { rule, before: shortened(old[at] ?? before), after: shortened(now[at] ?? after) };
}

function shortened(text: string): string {
  return text.replaceAll('\uE000', '').trim().slice(0, 300);
}

/** Returns true if every text of a repaired document is in what the model wrote, spaces and escapes apart. */
function keepsTexts(tree: Tree, source: string): boolean {
  const written = squeezed(source);
  let from = 0;
  return textsOf(tree).every((text) => {
    const forms = [squeezed(text), squeezed(JSON.stringify(text))];
    // The texts stand there in their order: the next one is nearly always close to the one before.
    const near = forms.find((form) => {
      const at = written.slice(from, from + form.length + nearby).indexOf(form);
      if (at >= 0) from += at + form.length;
      return at >= 0;
    });
    return near !== undefined || forms.some((form) => written.includes(form));
  });
}

/** So many characters after a text the next one is looked for first. */
const nearby = 1_000;

function squeezed(text: string): string {
  return text.replaceAll(/[\s\\"'“”\u00A0]+/g, '');
}
