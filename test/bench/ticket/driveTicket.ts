import { type SandboxSetting, sandboxSetting } from '../../../src/domain/environment/sandbox.ts';
import { openParts } from '../../../src/app/createApp.ts';
import { DrivenApp } from '../../../src/app/app.ts';
import { driveToStop } from '../../../src/cli/drive/driveToStop.ts';
import { gateNames } from '../../../src/cli/base/gates.ts';
import type { Output } from '../../../src/cli/base/output.ts';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { sampleTicket } from '../../../src/demo/sample/ticket.ts';
import { AnswersFile } from '../../../src/domain/ticket/answersFile.ts';
import { completeSettings, Limits } from '../../../src/domain/settings/settings.ts';
import { type PortCall, PortMeter } from './portMeter.ts';
import { sampleAnswers } from '../../support/samples.ts';

interface DrivenTicket {
  readonly id: string;
  /** From before anything is opened until everything is closed. */
  readonly wallMs: number;
  /** From filing to COMPLETED. */
  readonly ticketMs: number;
  /** The part of `ticketMs` without an outstanding call of OpenCode, git or a command. */
  readonly ownMs: number;
  /** In the order in which they ended. */
  readonly calls: readonly PortCall[];
}

const silent: Output = { event: () => undefined, text: () => undefined, close: () => undefined };

/** From DRAFT to COMPLETED in this process, with watched ports. */
export async function driveTicket(
  repository: string,
  modelUrl: string,
  sandbox: SandboxSetting = sandboxSetting(undefined, process.env),
): Promise<DrivenTicket> {
  const start = performance.now();
  const parts = await openParts({
    folder: repository,
    drive: true,
    decisions: { decide: () => Promise.resolve() },
    env: process.env,
    sandbox,
    isUnattended: true,
    opencode: { config: providerConfig(modelUrl) },
  });
  const meter = new PortMeter();
  const { agent, git, process: commands } = parts.ports;
  const watched = {
    agent: meter.wrap('agent', agent),
    git: meter.wrap('git', git),
    process: meter.wrap('process', commands),
  };
  const app = new DrivenApp({ ...parts, ports: { ...parts.ports, ...watched } });
  try {
    const filed = performance.now();
    meter.start();
    const ticket = await app.client.create(sampleTicket);
    const settings = completeSettings({
      mainImplementer: 'scripted/alpha',
      councilMembers: ['scripted/beta'],
      review: 'off',
      agentQuestions: 'deny',
    });
    await app.client.act(ticket.id, 'start', { settings, limits: Limits.parse({}) });
    await app.start([ticket.id]);
    const policy = {
      approve: new Set(gateNames),
      answers: AnswersFile.parse(sampleAnswers),
      skipInterview: false,
      end: 'close',
    } as const;
    const holder = { app, reopen: () => Promise.reject(new Error('The driver lost its place.')) };
    const detail = await driveToStop(holder, ticket.id, {
      policy,
      signal: new AbortController().signal,
      output: silent,
    });
    const ownMs = meter.stop();
    const ticketMs = performance.now() - filed;
    if (detail?.ticket.status !== 'COMPLETED')
      throw new Error(
        `The ticket stands in ${detail?.ticket.status ?? 'nowhere'}: ${detail?.ticket.error?.code ?? 'no error'}`,
      );
    await app.dispose();
    return { id: ticket.id, wallMs: performance.now() - start, ticketMs, ownMs, calls: meter.calls };
  } finally {
    await app.dispose();
  }
}
