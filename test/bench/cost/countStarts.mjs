// Loaded before a program of the product: writes a line for each process that it starts, the program's name.
// It sits where every way of starting one (spawn, execFile, fork, those of packages) comes by, so it works
// for every checkout, and reads no clock, so that it costs next to nothing.
import { ChildProcess } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';

const file = process.env['BEADSMITH_BENCH_STARTS'];
const spawn = ChildProcess.prototype.spawn;
/** A command that agents or the repository choose is started by a shell, which becomes it. */
const isMarked = (args) => args?.[0] === '/bin/sh' && args[2]?.startsWith('ulimit');

if (file !== undefined)
  ChildProcess.prototype.spawn = function (options) {
    const args = options.args ?? [];
    appendFileSync(file, `${basename(isMarked(args) ? args[3] : (args[0] ?? options.file))}\n`);
    return spawn.call(this, options);
  };
