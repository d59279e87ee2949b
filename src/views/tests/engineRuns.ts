import { l10n, type TestController, TestRunRequest } from 'vscode';
import { jsonOf } from '../../base/json.ts';
import { BeadExecution, FinalTestReport } from '../../domain/beads/reports.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import type { TicketPlace } from '../shared/workbench.ts';
import type { CommandItem } from './commandItem.ts';
import { reportEvidence } from './evidenceText.ts';

/** Results of the engine's own runs, each shown once. */
export class EngineRuns {
  readonly #controller: TestController;
  readonly #place: TicketPlace;
  readonly #shown = new Set<number>();

  constructor(controller: TestController, place: TicketPlace) {
    this.#controller = controller;
    this.#place = place;
  }

  async show(commands: readonly CommandItem[]): Promise<void> {
    const { repository, ticket } = this.#place;
    const { client } = repository;
    const infos = (await client.artifacts(ticket)).filter(({ archived }) => !archived);
    const newest = new Map(infos.map((info) => [info.type, info]));
    for (const { id, type, version } of newest.values()) {
      const bead = type.startsWith('bead_execution:') ? type.slice('bead_execution:'.length) : undefined;
      if ((bead === undefined && type !== 'final_test_report') || this.#shown.has(id)) continue;
      this.#shown.add(id);
      const content = (await client.artifact(ticket, type, version))?.content ?? '';
      const evidence =
        bead === undefined
          ? finalTest(content)
          : (BeadExecution.safeParse(jsonOf(content)).data?.evidence ?? []);
      this.#report(evidence, bead ?? null, commands);
    }
  }

  #report(evidence: readonly Evidence[], bead: string | null, commands: readonly CommandItem[]): void {
    const pairs = evidence.flatMap((seen) => {
      const same = commands.filter(({ command }) => command === seen.command);
      const found = same.find((one) => one.bead === bead) ?? same.find((one) => one.bead === null) ?? same[0];
      return found && seen.bootstrap !== true ? [{ seen, item: found.item }] : [];
    });
    if (pairs.length === 0) return;
    const { ticket } = this.#place;
    const name = l10n.t('{0}: checks by Beadsmith', ticket);
    // Results that come by themselves move no focus, and stay in the ticket, not in the editor's storage.
    const request = new TestRunRequest(
      pairs.map(({ item }) => item),
      undefined,
      undefined,
      false,
      true,
    );
    const run = this.#controller.createTestRun(request, name, false);
    for (const { seen, item } of pairs) {
      run.started(item);
      reportEvidence(run, item, seen);
    }
    run.end();
  }
}

function finalTest(content: string): readonly Evidence[] {
  const report = FinalTestReport.safeParse(jsonOf(content)).data;
  return [...(report?.attempts.at(-1)?.evidence ?? []), ...(report?.regression ?? [])];
}
