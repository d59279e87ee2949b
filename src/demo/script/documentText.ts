import { parse, stringify } from 'yaml';
import { isRecord } from '../../base/json.ts';
import { unfenced } from './promptParts.ts';

/** YAML or JSON as data, whose shape the caller checks. */
export function readDocument(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = parse(unfenced(text), { maxAliasCount: 0, logLevel: 'silent' });
    return value;
  } catch {
    return undefined;
  }
}

/** From JSON lines, a YAML list, or a document with a list under `key`. */
export function readRecords(text: string | undefined, key: string): readonly Record<string, unknown>[] {
  const lines = (text ?? '').split('\n').filter((line) => line.trim() !== '');
  if (lines.length > 0 && lines.every((line) => line.trimStart().startsWith('{'))) {
    const records = lines.map(readDocument).filter(isRecord);
    if (records.length === lines.length && records.every((record) => !(key in record))) return records;
  }
  const value = readDocument(text);
  return recordsIn(isRecord(value) ? value[key] : value);
}

/** The records in a list; none in anything else. */
export function recordsIn(list: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** From a YAML list, bullets, numbers or plain lines. */
export function readItems(text: string | undefined): readonly string[] {
  const value = readDocument(text);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return (text ?? '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export function textField(record: Record<string, unknown>, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? value : '';
}

/** As prompts ask for it. */
export function yamlFence(value: unknown): string {
  return `\`\`\`yaml\n${yamlText(value)}\`\`\`\n`;
}

export function tagged(tag: string, value: unknown): string {
  return `<${tag}>\n${yamlText(value)}</${tag}>\n`;
}

function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
