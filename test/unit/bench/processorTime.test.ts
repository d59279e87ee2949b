import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { processorTime, secondsOf } from '../../bench/cost/processorTime.ts';

describe('the processor time of a program', () => {
  it('is what the shell says of its children where there is nothing better', () => {
    assert.equal(secondsOf('0m0.004000s 0m0.002000s\n1m2.500000s 0m0.250000s\n'), 62.75);
    assert.equal(secondsOf(''), 0);
  });

  it('counts what it starts, and passes on how it ended', async () => {
    const time = processorTime();
    const work = '(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); exit 7';
    const child = spawn('/bin/sh', ['-c', time.script, 'sh', '/bin/sh', '-c', work], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
    });
    let said = '';
    child.stdio[3]?.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const seconds = await time.seconds(said);
    assert.equal(code, 7);
    assert.ok(seconds > 0.02 && seconds < 60, String(seconds));
  });
});
