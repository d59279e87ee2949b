import { stringify } from 'yaml';

/** A document the way prompts ask for it: one YAML fence. */
export function yamlFence(value: unknown): string {
  return `\`\`\`yaml\n${yamlText(value)}\`\`\`\n`;
}

/** A document inside a tag. */
export function tagged(tag: string, value: unknown): string {
  return `<${tag}>\n${yamlText(value)}</${tag}>\n`;
}

export function yamlText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
