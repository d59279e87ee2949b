import { l10n, type TestController, type TestItem, TestRunProfileKind, TestRunRequest, tests } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { CommandGroup } from '../../protocol/ticketCommands.ts';
import { codesInWorktree } from '../commands/offered.ts';
import { plainLabel } from '../shared/plainText.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';
import { CommandDebugger, debugTag, isNodeCommand } from './debugCommand.ts';
import { runCommands, runInWorktree, type CommandItem, reportEvidence } from './runCommands.ts';
import { jsonOf } from '../../base/json.ts';
import { BeadExecution, FinalTestReport } from '../../domain/beads/reports.ts';
import type { Evidence } from '../../domain/core/evidence.ts';

type Parts = Pick<Workbench, 'board' | 'repositories' | 'logError'>;

export function ticketTests(workbench: Parts): Disposable {
  return new TicketTests(workbench, tests.createTestController('beadsmith', l10n.t('Beadsmith')), 1_000);
}

interface TicketRow {
  readonly place: TicketPlace;
  readonly item: TestItem;
  readonly runs: EngineRuns;
  commands: readonly CommandItem[];
  /** Since a person unfolded it. */
  isOpen: boolean;
}

/** Tickets in the Test Explorer, with the project's checks and the commands of their beads. */
export class TicketTests implements Disposable {
  readonly #parts: Parts;
  readonly #pauseMs: number;
  readonly #controller: TestController;
  readonly #lifetime = new DisposableStore();
  readonly #rows = new Map<string, TicketRow>();
  #due = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `controller` is its own from now on. `pauseMs`: an unfolded ticket is read no more often. */
  constructor(parts: Parts, controller: TestController, pauseMs: number) {
    const { board, repositories } = parts;
    this.#parts = parts;
    this.#pauseMs = pauseMs;
    this.#controller = this.#lifetime.add(controller);
    this.#controller.resolveHandler = async (item) => {
      if (!item) return repositories.open();
      const row = this.#rows.get(item.id);
      if (row) await this.#unfold(row);
    };
    // Not a default: *Run All Tests* is about the person's own checkout.
    this.#controller.createRunProfile(
      l10n.t('Run in Worktree'),
      TestRunProfileKind.Run,
      (request) => this.#run(request, runInWorktree),
      false,
    );
    const debugging = new CommandDebugger();
    this.#controller.createRunProfile(
      l10n.t('Debug in Worktree'),
      TestRunProfileKind.Debug,
      (request) => this.#run(request, (...one) => debugging.debug(...one)),
      false,
      debugTag,
    );
    this.#lifetime.add(board.onDidChange(() => this.#settle()));
    this.#lifetime.add(
      board.onDidTouch(({ root, ticket }) => {
        for (const [key, { place, isOpen }] of this.#rows)
          if (isOpen && place.repository.root === root && place.ticket === (ticket ?? place.ticket))
            this.#readSoon(key);
      }),
    );
    this.#settle();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#lifetime.dispose();
    this.#rows.clear();
  }

  #settle(): void {
    const { board, repositories } = this.#parts;
    const wanted = new Set<string>();
    for (const { root, repository, tickets } of repositories.trusted ? board.rows : [])
      for (const view of repository ? tickets : []) {
        if (!repository || !codesInWorktree(view)) continue;
        const key = `${root}\n${view.id}`;
        wanted.add(key);
        const row = this.#rows.get(key);
        const label = `${view.id} ${plainLabel(view.title)}`;
        if (row?.place.repository === repository) row.item.label = label;
        else this.#add(key, label, { repository, ticket: view.id });
      }
    for (const key of [...this.#rows.keys()].filter((one) => !wanted.has(one))) {
      this.#rows.delete(key);
      this.#controller.items.delete(key);
    }
  }

  #add(key: string, label: string, place: TicketPlace): void {
    const item = this.#controller.createTestItem(key, label);
    item.canResolveChildren = true;
    this.#controller.items.add(item);
    const runs = new EngineRuns(this.#controller, place);
    this.#rows.set(key, { place, item, runs, commands: [], isOpen: false });
  }

  async #unfold(row: TicketRow): Promise<void> {
    const { place, item } = row;
    row.isOpen = true;
    const groups = await place.repository.commands.list(place.ticket);
    const commands: CommandItem[] = [];
    item.children.replace(groups.map((group) => this.#group(row, group, commands)));
    row.commands = commands;
    await row.runs.show(commands);
  }

  #group({ place, item }: TicketRow, { bead, commands }: CommandGroup, into: CommandItem[]): TestItem {
    const id = `${item.id}\n${bead?.id ?? ''}`;
    const label = bead ? plainLabel(bead.title) : l10n.t('Project Checks');
    const group = item.children.get(id) ?? this.#controller.createTestItem(id, label);
    const known = group.children;
    const items = commands.map((command) => {
      const key = `${id}\n${command}`;
      const one = known.get(key) ?? this.#controller.createTestItem(key, plainLabel(command));
      one.tags = isNodeCommand(command) ? [debugTag] : [];
      into.push({ item: one, place, bead: bead?.id ?? null, command });
      return one;
    });
    group.children.replace(items);
    return group;
  }

  #run(request: TestRunRequest, runOne: Parameters<typeof runCommands>[3]): Promise<void> {
    return runCommands(this.#controller, request, (items) => this.#commandsOf(items), runOne);
  }

  /** Those of these rows and below them; undefined for all. Folded tickets are read first. */
  async #commandsOf(items: readonly TestItem[] | undefined): Promise<readonly CommandItem[]> {
    const isMeant = ({ id }: TestItem): boolean =>
      items?.some((one) => id === one.id || id.startsWith(`${one.id}\n`)) ?? true;
    const isAbove = ({ id }: TestItem): boolean => items?.some((one) => one.id.startsWith(`${id}\n`)) ?? true;
    const found: CommandItem[] = [];
    for (const row of [...this.#rows.values()].filter(({ item }) => isMeant(item) || isAbove(item))) {
      if (!row.isOpen) await this.#unfold(row);
      found.push(...row.commands.filter(({ item }) => isMeant(item)));
    }
    return found;
  }

  #readSoon(key: string): void {
    this.#due.add(key);
    this.#timer ??= setTimeout(() => void this.#readDue(), this.#pauseMs);
  }

  async #readDue(): Promise<void> {
    const due = this.#due;
    this.#due = new Set();
    for (const key of due) {
      const row = this.#rows.get(key);
      if (row)
        await this.#unfold(row).catch((error: unknown) => this.#parts.logError('test explorer', error));
    }
    this.#timer = undefined;
    for (const key of this.#due) this.#readSoon(key);
  }
}

/** Results of the engine's own runs, each shown once. */
class EngineRuns {
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
