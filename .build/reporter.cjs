// Mocha's own output, and the counts and failures in a file for .build/test.mjs. A process that has finished its tests but not itself is an error
// worth a name: it is a timer, socket or child that somebody forgot to close.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

const patience = 5000;

module.exports = class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env['BEADSMITH_COUNTS'];
    if (!file) return;
    const failed = [];
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failed.push({ title: test.titlePath().join(' › '), message: String(error?.message ?? error) }),
    );
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      const counts = { passed: passes, failed: failures, skipped: pending, failures: failed };
      writeFileSync(file, JSON.stringify(counts));
      // Inside an editor's extension host the process is not ours to end.
      if (!process.env['BEADSMITH_COUNTS_ONLY']) setTimeout(() => complain(file, counts), patience).unref();
    });
  }
};

function complain(file, counts) {
  const left = process.getActiveResourcesInfo().join(', ');
  console.error(`\nThe tests are over, but the process is kept alive by: ${left}`);
  // In the file, because mocha sets the exit code itself on the way out.
  writeFileSync(file, JSON.stringify({ ...counts, left }));
  process.exit();
}
