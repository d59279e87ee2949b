import { stringify } from 'yaml';

/** A document as YAML: keys in the order they have, long lines unbroken, no aliases. The same value always gives the same bytes. */
export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, schema: 'core' });
}
