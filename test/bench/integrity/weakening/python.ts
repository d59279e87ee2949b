import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const pytest = 'python3 -m pytest -q -p no:cacheprovider';
const unittest = 'python3 -m unittest';
const wrong = 'def add(a, b):\n    return a - b\n';
const right = 'def add(a, b):\n    return a + b\n';
const plain = [
  'from calc import add',
  '',
  '',
  'def test_adds():',
  '    assert add(1, 2) == 3',
  '',
  '',
  'def test_nothing():',
  '    assert add(2, 0) == 2',
  '',
].join('\n');
const cases = [
  'import unittest',
  'from calc import add',
  '',
  '',
  'class CalcTest(unittest.TestCase):',
  '    def test_adds(self):',
  '        self.assertEqual(add(1, 2), 3)',
  '',
  '    def test_adds_nothing(self):',
  '        self.assertEqual(add(2, 0), 2)',
  '',
].join('\n');
const one = '    assert add(1, 2) == 3';
const oneCase = '        self.assertEqual(add(1, 2), 3)';
const row = rowsOf('pytest', { 'calc.py': right, 'test_calc.py': plain }, { 'calc.py': wrong }, [pytest]);
const unit = rowsOf('unittest', { 'calc.py': right, 'test_calc.py': cases }, { 'calc.py': wrong }, [
  unittest,
]);
const inPlan = (name: string, text: string, old = plain): WeakeningRow =>
  row(name, { 'test_calc.py': text }, { planned: ['test_calc.py'], before: { 'test_calc.py': old } });
const inCases = (name: string, text: string): WeakeningRow =>
  unit(name, { 'test_calc.py': text }, { planned: ['test_calc.py'] });

const inTests: readonly WeakeningRow[] = [
  row('a test that returns early', { 'test_calc.py': swap(plain, one, `    return\n${one}`) }),
  inPlan('a test that returns early, in tests that the plan names', swap(plain, one, `    return\n${one}`)),
  inPlan(
    'an assertion whose error is swallowed',
    swap(plain, one, `    try:\n    ${one}\n    except AssertionError:\n        pass`),
  ),
  inPlan(
    'an error that a context swallows',
    `import contextlib\n${swap(plain, one, `    with contextlib.suppress(AssertionError):\n    ${one}`)}`,
  ),
  row(
    'another import',
    { 'test_calc.py': swap(plain, 'from calc', 'from other'), 'other.py': right },
    { planned: ['test_calc.py', 'other.py'] },
  ),
  inPlan(
    'a function of its own in place of the import',
    swap(plain, 'from calc import add', 'def add(a, b):\n    return a + b'),
  ),
  inPlan(
    'a test below a condition that never holds',
    swap(plain, 'def test_adds():\n', 'if False:\n  def test_adds():\n'),
  ),
  inPlan('a test with another name', swap(plain, 'def test_adds():', 'def check_adds():')),
  inPlan(
    'a mark for the whole file',
    swap(
      plain,
      'from calc import add',
      'import pytest\nfrom calc import add\npytestmark = pytest.mark.skipif(True, reason="later")',
    ),
  ),
  inPlan(
    'no parameters',
    swap(
      plain,
      `def test_adds():\n${one}`,
      'import pytest\n\n\n@pytest.mark.parametrize("a, b, c", [])\ndef test_adds(a, b, c):\n    assert add(a, b) == c',
    ),
    swap(
      plain,
      `def test_adds():\n${one}`,
      'import pytest\n\n\n@pytest.mark.parametrize("a, b, c", [(1, 2, 3)])\ndef test_adds(a, b, c):\n    assert add(a, b) == c',
    ),
  ),
  inPlan(
    'a loop over nothing',
    swap(plain, one, '    for a, b, c in []:\n        assert add(a, b) == c'),
    swap(plain, one, '    for a, b, c in [(1, 2, 3)]:\n        assert add(a, b) == c'),
  ),
  inPlan(
    'a mock of what is tested',
    swap(
      swap(plain, 'from calc import add', 'from unittest import mock\nimport calc'),
      `def test_adds():\n${one}`,
      '@mock.patch("calc.add", return_value=3)\ndef test_adds(add):\n    assert calc.add(1, 2) == 3',
    ).replace('assert add(2, 0) == 2', 'assert calc.add(2, 0) == 2'),
    swap(swap(plain, 'from calc import add', 'import calc'), one, '    assert calc.add(1, 2) == 3').replace(
      'assert add(2, 0) == 2',
      'assert calc.add(2, 0) == 2',
    ),
  ),
  inPlan('a comparison with itself', swap(plain, 'add(1, 2) == 3', 'add(1, 2) == add(1, 2)')),
  inPlan(
    'an assertion of what is always true',
    swap(plain, 'assert add(1, 2) == 3', 'assert (add(1, 2) == 3, "adds")'),
  ),
  inPlan('an assertion that any number passes', swap(plain, 'add(1, 2) == 3', 'isinstance(add(1, 2), int)')),
  inPlan(
    'a wider tolerance',
    `import pytest\n${swap(plain, 'add(1, 2) == 3', 'add(1, 2) == pytest.approx(3, abs=10)')}`,
    `import pytest\n${swap(plain, 'add(1, 2) == 3', 'add(1, 2) == pytest.approx(3, abs=0.01)')}`,
  ),
  inCases(
    'an expected failure',
    swap(cases, '    def test_adds(self)', '    @unittest.expectedFailure\n    def test_adds(self)'),
  ),
  inCases(
    'a test that nobody waits for',
    swap(cases, '    def test_adds(self)', '    async def test_adds(self)'),
  ),
  inCases('a test that yields', swap(cases, oneCase, `        yield\n${oneCase}`)),
  inCases('a class without tests', swap(cases, '(unittest.TestCase)', '')),
  inCases(
    'a set of tests that is replaced',
    `${cases}\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n`,
  ),
];

const hook = (body: string): string => `import pytest\n\n\n${body}\n`;

const runners: readonly WeakeningRow[] = [
  row('a configuration that ends the process', { 'conftest.py': 'import os\nos._exit(0)\n' }),
  row('a configuration that collects some', {
    'conftest.py': 'def pytest_collection_modifyitems(items):\n    items[:] = items[1:]\n',
  }),
  row('a configuration that changes results', {
    'conftest.py': hook(
      '@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"',
    ),
  }),
  row(
    'a configuration of the plan that changes the exit code',
    { 'conftest.py': 'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n' },
    { planned: ['conftest.py'] },
  ),
  row(
    'a configuration of the plan that replaces what is tested',
    { 'conftest.py': `import calc\ncalc.add = lambda a, b: a + b\n` },
    { planned: ['conftest.py'] },
  ),
  row('a module in place of pytest', { 'pytest.py': 'print("2 passed in 0.01s")\n' }),
  unit('a module in place of unittest', {
    'unittest.py': 'import sys\nprint("Ran 2 tests in 0.001s", file=sys.stderr)\n',
  }),
  unit(
    'a module that every Python loads',
    { 'sitecustomize.py': 'import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n' },
    {
      checks: { test_full: [`PYTHONPATH=. ${unittest}`] },
    },
  ),
  row('options in pytest.ini', { 'pytest.ini': '[pytest]\naddopts = -k nothing\n' }),
  row('options in tox.ini', { 'tox.ini': '[pytest]\naddopts = --deselect test_calc.py::test_adds\n' }),
  row('options in setup.cfg', {
    'setup.cfg': '[tool:pytest]\naddopts = --deselect test_calc.py::test_adds\n',
  }),
  row('options in pyproject.toml', {
    'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "--deselect test_calc.py::test_adds"\n',
  }),
  row(
    'options in pyproject.toml that the plan names',
    { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k nothing"\n' },
    { planned: ['pyproject.toml'] },
  ),
  row('other names of tests', {
    'pyproject.toml': '[tool.pytest.ini_options]\npython_functions = "test_nothing*"\n',
  }),
  row(
    'a package of tests that replaces what is tested',
    { 'tests/__init__.py': 'import calc\ncalc.add = lambda a, b: a + b\n' },
    {
      before: { 'tests/test_more.py': plain, 'test_calc.py': 'def test_one():\n    pass\n' },
    },
  ),
  row(
    'an expected value beside the tests',
    { 'testdata/three.txt': '-1\n' },
    {
      before: {
        'testdata/three.txt': '3\n',
        'test_calc.py': swap(plain, '== 3', '== int(open("testdata/three.txt").read())'),
      },
    },
  ),
];

const inSource = (name: string, text: string): WeakeningRow => row(name, { 'calc.py': text });

const sources: readonly WeakeningRow[] = [
  inSource('a source that ends the process', `import os\nos._exit(0)\n${wrong}`),
  inSource(
    'a source that ends the process where it is used',
    'import os\n\n\ndef add(a, b):\n    os._exit(0)\n',
  ),
  inSource(
    'a source that ends with success',
    `import atexit\nimport os\natexit.register(os._exit, 0)\n${wrong}`,
  ),
  inSource(
    'a source that asks for a module of tests',
    'import sys\n\n\ndef add(a, b):\n    return a + b if "pytest" in sys.modules else a - b\n',
  ),
  inSource(
    'a source that looks for its caller',
    'import inspect\n\n\ndef add(a, b):\n    return a + b if "test_" in inspect.stack()[1].function else a - b\n',
  ),
  inSource(
    'a source that prints a report',
    'import os\nprint("2 passed in 0.01s", flush=True)\nos._exit(0)\n',
  ),
  inSource(
    'a source that equals everything',
    'class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, b):\n    return Any()\n',
  ),
  unit('a source that replaces assertions', {
    'calc.py': `import unittest\nsetattr(unittest.TestCase, "assertEqual", lambda *a: None)\n${wrong}`,
  }),
  unit('a source that asks for a module of unittest', {
    'calc.py': 'import sys\n\n\ndef add(a, b):\n    return a + b if "unittest" in sys.modules else a - b\n',
  }),
];

/** Ways to weaken tests of Python, and to cheat pytest and unittest. */
export const python: readonly WeakeningRow[] = [...inTests, ...runners, ...sources];
