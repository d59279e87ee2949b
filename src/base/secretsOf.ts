import { isRecord } from './json.ts';

/** Every text in a configuration that may be a secret by the name it stands under, to be taken out of what is shown. */
export function secretsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(secretsOf);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? (/key|token|secret|password|authorization/i.test(key) && item.length > 3 ? [item] : []) : secretsOf(item),
  );
}
