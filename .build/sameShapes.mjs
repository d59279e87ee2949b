// Types that have the same members as another one: one of them would do.
import { readFileSync } from 'node:fs';
import fs from 'node:fs'; // globSync by name would keep Node 20 from reading this file far enough to change over
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Types with fewer members are alike by accident. */
const leastMembers = 3;

/**
 * The groups of interfaces and types with the same members, in any order, each as `file: Name`.
 * @returns {Promise<readonly (readonly string[])[]>}
 */
export async function sameShapes() {
  const { default: ts } = await import('typescript');
  const groups = new Map();
  for (const file of fs.globSync(['src/**/*.ts', 'webview-ui/**/*.{ts,tsx}'], { cwd: root })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(root, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node) => {
      const members = membersOf(ts, node);
      if (members && members.length >= leastMembers) {
        const shape = members
          .map((member) => withoutNoise(member.getText(source)))
          .sort()
          .join(';');
        groups.set(shape, [...(groups.get(shape) ?? []), `${file}: ${node.name.text}`]);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...groups.values()].filter((names) => names.length > 1);
}

function membersOf(ts, node) {
  if (ts.isInterfaceDeclaration(node) && !node.heritageClauses) return node.members;
  return ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type) ? node.type.members : undefined;
}

function withoutNoise(member) {
  return member
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll('readonly ', '')
    .replace(/\s+/g, ' ')
    .replace(/;$/, '');
}
