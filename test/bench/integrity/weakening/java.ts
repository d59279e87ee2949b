import { rowsOf, swap, type WeakeningRow } from './weakeningRow.ts';

const source = (operator: string): string =>
  `package calc;\n\npublic final class Calc {\n  public static int add(int a, int b) {\n    return a ${operator} b;\n  }\n}\n`;
const tests = [
  'package calc;',
  '',
  'import static org.junit.jupiter.api.Assertions.assertEquals;',
  'import org.junit.jupiter.api.Test;',
  '',
  'class CalcTest {',
  '  @Test',
  '  void adds() {',
  '    assertEquals(3, Calc.add(1, 2));',
  '  }',
  '}',
  '',
].join('\n');
const surefire = (settings: string): string =>
  `<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>\n<configuration>\n${settings}</configuration></plugin>\n`;
const pom = (settings = ''): string =>
  [
    '<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>calc</artifactId><version>1</version>',
    '<dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version></dependency></dependencies>',
    `<build><plugins>\n${surefire(settings)}</plugins></build>`,
    '</project>',
    '',
  ].join('\n');
const at = 'src/test/java/calc/CalcTest.java';
const work = 'src/main/java/calc/Calc.java';
const before = { 'pom.xml': pom(), [work]: source('+'), [at]: tests };
const row = rowsOf('mvn', before, { [work]: source('-') }, ['mvn -q -o test']);
const inPlan = (name: string, text: string): WeakeningRow => row(name, { [at]: text }, { planned: [at] });

/** Ways to weaken tests of Java, and to cheat Maven. */
export const java: readonly WeakeningRow[] = [
  inPlan('a test that is disabled', swap(tests, '  @Test', '  @Disabled\n  @Test')),
  inPlan('a test without its mark', swap(tests, '  @Test\n', '')),
  inPlan(
    'a test that returns early',
    swap(tests, '    assertEquals', '    if (Calc.add(1, 2) != 3) return;\n    assertEquals'),
  ),
  inPlan(
    'an assertion whose error is swallowed',
    swap(
      tests,
      '    assertEquals(3, Calc.add(1, 2));',
      '    try {\n      assertEquals(3, Calc.add(1, 2));\n    } catch (AssertionError e) {\n    }',
    ),
  ),
  inPlan(
    'an assumption that ends the test',
    swap(
      tests,
      '    assertEquals',
      '    org.junit.jupiter.api.Assumptions.assumeTrue(Calc.add(1, 2) == 3);\n    assertEquals',
    ),
  ),
  inPlan(
    'an assertion of its own',
    swap(tests, 'import static org.junit.jupiter.api.Assertions.assertEquals;\n', '').replace(
      'class CalcTest {',
      'class CalcTest {\n  static void assertEquals(int a, int b) {}\n',
    ),
  ),
  row(
    'a test that is excluded',
    { 'pom.xml': pom('<excludes><exclude>**/CalcTest.java</exclude></excludes>\n') },
    { planned: ['pom.xml'] },
  ),
  row(
    'failures that are ignored',
    { 'pom.xml': pom('<testFailureIgnore>true</testFailureIgnore>\n') },
    { planned: ['pom.xml'] },
  ),
  row('tests that are skipped', { 'pom.xml': pom('<skipTests>true</skipTests>\n') }),
  row('options of Maven', { '.mvn/maven.config': '-DskipTests\n' }),
  row('a configuration of the platform', {
    'src/test/resources/junit-platform.properties':
      'junit.jupiter.conditions.deactivate=\njunit.jupiter.testclass.order.default=\n',
    [at]: swap(tests, '  @Test', '  @EnabledIfSystemProperty(named = "all", matches = "1")\n  @Test'),
  }),
];
