// Loaded into the product's threads before their own modules.
import { BroadcastChannel } from 'node:worker_threads';
import { watchTimers } from './timerWatch.ts';

const channel = new BroadcastChannel('bench timers');
channel.unref();
watchTimers((timer) => channel.postMessage(timer));
