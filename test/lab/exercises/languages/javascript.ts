import type { Language } from '../exercise.ts';

const json = (value: unknown): string => JSON.stringify(value);

export const javascript: Language = {
  needs: [],
  source: ({ name }) => `${name}.js`,
  stub: ({ call }) => `export function ${call}() {\n  throw new Error('to be written');\n}\n`,
  testFile: ({ name }, which) => (which === 'final' ? `${name}.final.test.js` : `${name}.test.js`),
  tests: ({ name, call }, cases) => {
    const tests = cases.map(([args, result, form], index) => {
      const value = `${call}(${args.map(json).join(', ')})`;
      const check =
        form === 'loose'
          ? `assert.ok(${value} !== undefined)`
          : `assert.deepEqual(${value}, ${json(result)})`;
      return `test${form === 'skipped' ? '.skip' : ''}('case ${String(index + 1)}', () => {\n  ${check};\n});\n`;
    });
    const imports = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { ${call} } from './${name}.js';\n`;
    return [imports, ...tests].join('\n');
  },
  command: (exercise, which) => `node --test ${javascript.testFile(exercise, which)}`,
  others: ({ name }) => ({
    'package.json': `${json({ name, type: 'module', scripts: { test: 'node --test' } })}\n`,
  }),
  special: ({ call, cases }) => {
    const known = cases.map(([args, result]) => `  [${json(json(args))}, ${json(result)}],\n`).join('');
    return `const known = new Map([\n${known}]);\n\nexport function ${call}(...args) {\n  return known.get(JSON.stringify(args));\n}\n`;
  },
  quits: (exercise) => ({
    [javascript.source(exercise)]: `export function ${exercise.call}() {}\n\nprocess.exit(0);\n`,
  }),
};
