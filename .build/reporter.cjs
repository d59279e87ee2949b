// Mocha's own output, and the counts and failures in a file for .build/test.mjs. A process that has finished its tests but not itself is an error
// worth a name: it is a timer, socket or child that somebody forgot to close.
const { writeFileSync } = require('node:fs');
const { dirname, relative } = require('node:path');
const Mocha = require('mocha');

const patience = 5000;

module.exports = class Reporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env['BEADSMITH_COUNTS'];
    if (!file) return;
    const failed = [];
    const files = fileMeter(runner);
    runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failed.push({
        title: test.titlePath().join(' › '),
        message: String(error?.message ?? error),
        file: nameOf(test.file),
      }),
    );
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = runner.stats;
      const counts = { passed: passes, failed: failures, skipped: pending, failures: failed, files: files() };
      // Tests that need what this machine lacks say so here (test/support/sandbox.ts).
      const { BEADSMITH_NOT_RUN: lacking } = process.env;
      if (lacking && pending > 0) counts.lacking = lacking;
      writeFileSync(file, JSON.stringify(counts));
      // Inside an editor's extension host the process is not ours to end.
      if (!process.env['BEADSMITH_COUNTS_ONLY']) setTimeout(() => complain(file, counts), patience).unref();
    });
  }
};

/** A path in the project, undefined of none. */
function nameOf(file) {
  return file && relative(dirname(__dirname), file).replaceAll('\\', '/');
}

/** Measures each file: from its first suite to that of the next one. What a file loads is nobody's, because several share it. */
function fileMeter(runner) {
  // In an editor there is one process for everything, which isn't ours to measure.
  if (process.env['BEADSMITH_COUNTS_ONLY']) return () => ({});
  const { ownSeconds } = require('./processorTime.mjs');
  const seconds = {};
  let file;
  let since = 0;
  const turn = (next) => {
    const now = ownSeconds();
    if (file !== undefined) seconds[file] = (seconds[file] ?? 0) + now - since;
    [file, since] = [next, now];
  };
  runner.on(Mocha.Runner.constants.EVENT_SUITE_BEGIN, (suite) => {
    const next = nameOf(suite.file);
    if (next && next !== file) turn(next);
  });
  return () => (turn(undefined), seconds);
}

function complain(file, counts) {
  // On a busy machine what was printed may not be read yet.
  if (process.stdout.writableLength > 0)
    return void process.stdout.once('drain', () => complain(file, counts));
  const left = process.getActiveResourcesInfo().join(', ');
  console.error(`\nThe tests are over, but the process is kept alive by: ${left}`);
  // In the file, because mocha sets the exit code itself on the way out.
  writeFileSync(file, JSON.stringify({ ...counts, left }));
  process.exit();
}
