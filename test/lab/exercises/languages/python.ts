import type { Json } from '../../../../src/base/json.ts';
import type { Language } from '../exercise.ts';

function literal(value: Json): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${JSON.stringify(key)}: ${literal(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
const moduleOf = (name: string): string => name.replaceAll('-', '_');

export const python: Language = {
  needs: ['python3'],
  source: ({ name }) => `${moduleOf(name)}.py`,
  stub: ({ call }) => `def ${call}(*args):\n    raise NotImplementedError\n`,
  testFile: ({ name }, which) => `test_${moduleOf(name)}${which === 'final' ? '_final' : ''}.py`,
  tests: ({ name, call }, cases) => {
    const tests = cases.map(([args, result, form], index) => {
      const value = `${call}(${args.map(literal).join(', ')})`;
      const check =
        form === 'loose'
          ? `self.assertIsNotNone(${value})`
          : `self.assertEqual(${value}, ${literal(result)})`;
      const skip = form === 'skipped' ? '    @unittest.skip("later")\n' : '';
      return `${skip}    def test_case_${String(index + 1)}(self):\n        ${check}\n`;
    });
    return `import unittest\n\nfrom ${moduleOf(name)} import ${call}\n\n\nclass Tests(unittest.TestCase):\n${tests.join('\n')}`;
  },
  command: (exercise, which) => `python3 -m unittest ${python.testFile(exercise, which).replace('.py', '')}`,
  others: () => ({ '.gitignore': '__pycache__/\n' }),
  special: ({ call, cases }) => {
    const known = cases
      .map(([args, result]) => `    ${JSON.stringify(JSON.stringify(args))}: ${literal(result)},\n`)
      .join('');
    return `import json\n\nKNOWN = {\n${known}}\n\n\ndef ${call}(*args):\n    return KNOWN.get(json.dumps(list(args), separators=(",", ":"), ensure_ascii=False))\n`;
  },
  quits: (exercise) => ({
    [python.source(exercise)]:
      `import os\n\nos._exit(0)\n\n\ndef ${exercise.call}(*args):\n    return None\n`,
  }),
};
