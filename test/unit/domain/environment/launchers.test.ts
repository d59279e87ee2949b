import assert from 'node:assert/strict';
import { launcherProbe, launchersOf } from '../../../../src/domain/environment/launchers.ts';

describe('the launchers of commands', () => {
  for (const [command, expected] of [
    ['npm test', ['npm']],
    ['cd app && CI=1 pytest -q tests | tee log', ['pytest', 'tee']],
    ['./gradlew test; echo done', ['./gradlew']],
    ['env A=b go test ./...', ['go']],
    ['timeout 60 cargo test 2>&1 | grep -q ok', ['cargo', 'grep']],
    ['if test -f x; then make all; fi', ['make']],
    [`node -e "process.exit(0) && rm" # comment && tool`, ['node']],
    ['(cd sub && mvn -q verify) || exit 1', ['mvn']],
    ['test $(wc -l < a) = 1', ['wc']],
    ['$TOOL run', []],
    ['> out.txt sort in.txt', ['sort']],
    ["sh -c 'npm test'", ['sh']],
    ['! grep -r TODO src', ['grep']],
  ] as const)
    it(`are found in ${command}`, () => assert.deepEqual(launchersOf([command]), expected));

  it('are each named once', () =>
    assert.deepEqual(launchersOf(['npm ci', 'npm test', 'node a.js']), ['npm', 'node']));

  it('are looked for on the search path, or at their place', () => {
    assert.equal(launcherProbe('npm'), 'command -v npm');
    assert.equal(launcherProbe('./gradlew'), 'test -x ./gradlew');
  });
});
