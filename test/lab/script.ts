import { tagged, yamlFence } from '../../src/demo/script/documentText.ts';
import { codingReport, finalTestReport, runCommand } from '../../src/demo/generic/execution.ts';
import type { ScriptInput } from '../../src/demo/script/modelScript.ts';
import { type Kind, type LabBead, write } from './kind.ts';

export const finalTest = { path: 'lab-final.sh', command: 'sh lab-final.sh' };

/** Interview and PRD are generic. */
export function scriptOf({
  name,
  beads,
  checks,
  bootstrap,
  services,
}: Pick<Kind, 'name' | 'beads' | 'checks' | 'bootstrap' | 'services'>): ScriptInput {
  const plan = yamlFence({ beads: beads.map(blueprintOf), changes: [] });
  return {
    version: 1,
    name,
    tasks: {
      'beads-draft': [{ text: yamlFence({ beads: beads.map(blueprintOf) }) }],
      'beads-refine': [{ text: plan }],
      'beads-revise': [{ text: plan }],
      'beads-expand': [{ text: beads.map(expansionOf).join('\n') }],
      'setup-plan': [{ text: setupPlanOf(checks, bootstrap, services) }],
      setup: [{ calls: bootstrap.map(runCommand), text: setupResultOf(bootstrap) }],
      coding: beads.map((bead) => ({
        when: { bead: bead.id },
        calls: [...bead.does, ...(bead.untried ? [] : bead.commands.map(runCommand))],
        text: codingReport(
          { id: bead.id, title: titleOf(bead), iteration: 1, testCommands: bead.commands },
          bead.targets,
        ),
      })),
      'final-test': [
        {
          calls: [write(finalTest.path, finalScript(beads)), runCommand(finalTest.command)],
          text: finalTestReport([finalTest.command], [finalTest.path]),
        },
      ],
    },
  };
}

function finalScript(beads: readonly LabBead[]): string {
  const commands = beads.flatMap((bead) =>
    bead.commands.length > 0 ? bead.commands : bead.targets.map((path) => `test -f '${path}'`),
  );
  return `set -e\n${commands.map((command) => `(${command})\n`).join('')}`;
}

function titleOf({ id }: LabBead): string {
  return `Do what ${id} is about`;
}

function blueprintOf(bead: LabBead): Record<string, unknown> {
  return {
    id: bead.id,
    title: titleOf(bead),
    prdRefs: ['US-1-1'],
    description: `Work on ${bead.targets.join(', ') || 'the repository'}.`,
    contextGuidance: { patterns: ['As in the files beside it.'], anti_patterns: ['No other files.'] },
    acceptanceCriteria: ['What is written works.'],
    tests: ['The commands pass.'],
    testCommands: bead.commands,
    ...(bead.unproved === undefined ? {} : { unprovedReason: bead.unproved }),
  };
}

function expansionOf(bead: LabBead, index: number, all: readonly LabBead[]): string {
  const before = all.slice(Math.max(0, index - 1), index).map(({ id }) => id);
  const dependencies = { blocked_by: before };
  return JSON.stringify({
    id: bead.id,
    issueType: 'task',
    labels: ['lab'],
    dependencies,
    targetFiles: bead.targets,
  });
}

function setupPlanOf(
  checks: Kind['checks'],
  bootstrap: readonly string[],
  services: Kind['services'],
): string {
  const isReady = bootstrap.length === 0;
  return tagged('EXECUTION_SETUP_PLAN', {
    summary: isReady ? 'Nothing has to be prepared.' : 'The dependencies have to be installed.',
    readiness: {
      status: isReady ? 'ready' : 'partial',
      actions_required: !isReady,
      evidence: ['A scripted answer.'],
      gaps: [],
    },
    steps: isReady
      ? []
      : [
          {
            id: 'install',
            title: 'Install',
            purpose: 'Dependencies',
            commands: bootstrap,
            rationale: 'Tests need them.',
          },
        ],
    project_commands: {
      prepare: [],
      test_full: [],
      lint_full: [],
      typecheck_full: [],
      build_full: [],
      ...checks,
    },
    services,
    cautions: [],
  });
}

function setupResultOf(bootstrap: readonly string[]): string {
  return tagged('EXECUTION_SETUP_RESULT', {
    status: 'ready',
    summary: 'Prepared.',
    bootstrap_commands: bootstrap,
    tooling_probe_commands: ['git --version'],
    environment: { path_prepend: [], variables: {} },
    cautions: [],
    checks: { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' },
  });
}
