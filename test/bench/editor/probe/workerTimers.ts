// Loaded into the product's threads before anything of theirs: tells the probe of their short timers.
import { BroadcastChannel } from 'node:worker_threads';
import { watchTimers } from './timerWatch.ts';

const channel = new BroadcastChannel('bench timers');
channel.unref();
watchTimers((timer) => channel.postMessage(timer));
