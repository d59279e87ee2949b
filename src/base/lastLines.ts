import { redact } from './redact.ts';

const mostLines = 20;
const mostChars = 2_000;

/** The end of an output as plain text without secrets: at most 20 lines and 2,000 characters. */
export function lastLines(output: string): string {
  const lines = plainOutput(stripAnsi(output).slice(-4 * mostChars))
    .trimEnd()
    .split('\n')
    .slice(-mostLines)
    .join('\n');
  return lines.length <= mostChars ? lines : `…${lines.slice(1 - mostChars)}`;
}

/** An output without colors, control characters and secrets. */
export function plainOutput(output: string): string {
  return redact(stripAnsi(output)).replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '');
}

export function stripAnsi(text: string): string {
  return text.replace(/\u001B(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g, '');
}
