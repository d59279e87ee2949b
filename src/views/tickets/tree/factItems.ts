import { l10n, Uri } from 'vscode';
import { joined } from '../../../base/joined.ts';
import { assertNever } from '../../../base/assertNever.ts';
import type { ContextEntry } from '../../../domain/prompts/contextEntries.ts';
import { fromRecord } from '../../../domain/core/errors.ts';
import { stageLabel } from '../../../domain/beads/beadStages.ts';
import { documentAddress } from '../../../protocol/documents.ts';
import type { StageView } from '../../../protocol/history.ts';
import { artifactTitle } from '../../documents/documentTypes.ts';
import { contextRow } from '../../shared/contextRow.ts';
import type { FindingState } from '../../review/findingState.ts';
import { findingPlace, severityText, standingText } from '../../review/findingTexts.ts';
import { errorText, failureWords } from '../../shared/errorText.ts';
import { plainLabel } from '../../shared/plainText.ts';
import { iterationOutcome, runOutcome, stageOutcome } from '../../shared/statusTexts.ts';
import { commandId } from '../../commands/commands.ts';
import type { Target } from '../../commands/ticketTarget.ts';
import { isMarkdown } from '../../documents/openDocument.ts';
import { durationText } from './listText.ts';
import { callParts, partParts, sentPrompt } from './lateFacts.ts';
import type { ArtifactFact, BeadFact, DraftFact, Fact, FactTree } from './facts.ts';
import { type ItemParts, type Look, looks, warning } from './rowItems.ts';
import type { NodeOf } from './nodes.ts';

export function factParts(node: NodeOf<'fact'>, { fact, children, late }: FactTree): ItemParts {
  return {
    ...partsOf(fact),
    ...(children.length > 0 || late ? { folded: fact.kind !== 'evidence' } : {}),
    ...documentOf(node, fact),
  };
}

export function factTarget(fact: Fact): Target {
  switch (fact.kind) {
    case 'bead':
      return { bead: fact.bead };
    case 'iteration':
      return { bead: fact.iteration.bead, iteration: fact.iteration.iteration };
    case 'failure':
      return { bead: fact.bead, iteration: fact.iteration };
    case 'finding':
      return { bead: fact.found.review.bead, finding: fact.found.finding.id };
    case 'evidence':
      return { bead: fact.bead, artifact: fact.artifact, version: fact.version };
    case 'artifact':
      return { artifact: fact.artifact, ...(fact.archived ? { version: fact.version } : {}) };
    case 'version':
      return { artifact: fact.artifact, version: fact.version };
    case 'draft':
      return { artifact: `${fact.domain}_drafts` };
    case 'vote':
      return { artifact: `${fact.domain}_votes` };
    default:
      return {};
  }
}

function partsOf(fact: Fact): ItemParts {
  switch (fact.kind) {
    case 'error': {
      const { message, nextStep } = errorText(fromRecord(fact.error));
      const look = fact.isPause === true ? warning('debug-pause') : looks.failed;
      return { label: message, description: nextStep, ...look, context: 'fact;error' };
    }
    case 'line':
      return {
        label: l10n.t(fact.line.label),
        description: fact.line.text ?? new Date(fact.line.at ?? 0).toLocaleString(),
        icon: fact.line.icon,
        context: `fact;${fact.line.name}`,
      };
    case 'beads':
      return {
        label: l10n.t('Beads'),
        description: l10n.t('{0} of {1} done', fact.done, fact.total),
        icon: 'checklist',
        context: 'group;beads',
      };
    case 'bead':
      return beadParts(fact);
    case 'evidence':
      return { label: l10n.t('Evidence'), icon: 'beaker', context: 'evidence' };
    case 'command':
      return {
        label: fact.command,
        description: `${fact.exitCode === null ? l10n.t('stopped') : l10n.t('exit {0}', fact.exitCode)} · ${durationText(fact.durationMs)}`,
        ...(fact.passed ? looks.passed : { icon: 'error', color: 'testing.iconFailed' }),
        context: 'command',
      };
    case 'verdict':
      return {
        label: verdictText(fact.outcome),
        ...(fact.reason === '' ? {} : { description: fact.reason }),
        icon: fact.outcome === 'accepted' ? 'verified' : 'circle-slash',
        context: 'verdict',
      };
    case 'findings':
      return { label: l10n.t('Review'), description: countsText(fact), icon: 'eye', context: 'findings' };
    case 'finding':
      return findingParts(fact);
    case 'failures':
      return {
        label: l10n.t('Failed Iterations'),
        ...warning('warning'),
        context: 'failures',
      };
    case 'failure':
      return {
        label: l10n.t('Iteration {0}', fact.iteration),
        description: fact.failure
          ? failureWords(fact.failure).reason
          : fact.interrupted
            ? l10n.t('interrupted')
            : l10n.t('failed'),
        icon: 'debug-step-over',
        context: 'failure',
      };
    case 'contexts':
      return {
        label: l10n.t('Context'),
        description: String(fact.count),
        icon: 'comment',
        context: 'group;context',
      };
    case 'context':
      return contextParts(fact.entry);
    case 'reviewNote':
      return {
        label: plainLabel(fact.text.replace(/\s+/g, ' ').slice(0, 200)),
        description: l10n.t('waits for the next review'),
        icon: 'inbox',
        tooltip: () => [fact.text, l10n.t('Waits for the next review.')].join('\n'),
        context: 'reviewNote',
      };
    case 'artifacts':
      return {
        label: l10n.t('Artifacts'),
        description: String(fact.count),
        icon: 'files',
        context: 'group;artifacts',
      };
    case 'artifact':
    case 'version':
      return artifactParts(fact);
    case 'councils':
      return { label: l10n.t('Drafts and Votes'), icon: 'organization', context: 'group;council' };
    case 'council':
      return {
        label: artifactTitle(fact.domain),
        description: fact.votes ? l10n.t('voted') : l10n.t('drafted'),
        icon: 'law',
        context: 'council',
      };
    case 'draft':
      return draftParts(fact);
    case 'vote':
      return {
        label: fact.voter,
        description: l10n.t('voter · {0}', outcomeText(fact.outcome)),
        icon: 'person',
        context: 'vote',
      };
    case 'calls':
      return { label: l10n.t('Model Calls'), icon: 'comment-discussion', context: 'group;calls' };
    case 'call':
      return callParts(fact);
    case 'part':
      return partParts(fact.part);
    case 'runs':
      return {
        label: l10n.t('Runs'),
        description: String(fact.count),
        icon: 'history',
        context: 'group;runs',
      };
    case 'run':
      return runParts(fact.run);
    case 'iteration': {
      const { bead, iteration, state } = fact.iteration;
      return {
        label: l10n.t('Iteration {0}', iteration),
        description: [bead, iterationOutcome(fact.iteration)].join(' · '),
        ...(state === 'open' ? looks.working : { icon: 'debug-step-over' }),
        context: `iteration;${state};`,
      };
    }
    case 'stage':
      return stageParts(fact.stage);
    default:
      return assertNever(fact);
  }
}

function stageParts(stage: StageView): ItemParts {
  const duration = stage.endedAt === null ? '' : durationText(stage.endedAt - stage.startedAt);
  return {
    label: l10n.t(stageLabel(stage.stage)),
    description: joined([stageOutcome(stage), duration]),
    ...(stage.state === 'open'
      ? looks.working
      : stage.state === 'failed'
        ? warning('warning')
        : { icon: 'debug-step-over' }),
    context: 'stage',
  };
}

function beadParts({
  title,
  bead,
  status,
  iteration,
  stage,
  verdict,
  unproved,
  offers,
  position,
  total,
  waitsFor,
}: BeadFact): ItemParts {
  const waits = waitsFor.length === 0 ? '' : l10n.t('depends on {0}', waitsFor.join(', '));
  const again =
    iteration > 1 || status === 'in_progress' || status === 'error' ? l10n.t('iteration {0}', iteration) : '';
  const at = stage === null ? '' : l10n.t(stageLabel(stage));
  const proof = unproved ? l10n.t('not proved by a command') : '';
  const place = `${String(position)}/${String(total)}`;
  const said =
    verdict === null ? '' : verdict === 'accepted' ? l10n.t('accepted by you') : l10n.t('rejected by you');
  const { text, ...look } = beadStates()[status];
  const facts = [proof, said, again, at, waits];
  return {
    label: title,
    description: joined([place, ...facts]),
    ...look,
    ...(verdict === 'accepted' ? { icon: 'verified-filled' } : {}),
    tooltip: () => joined([bead, text, ...facts], '\n'),
    spoken: joined([l10n.t('Bead {0} of {1}', position, total), title, text, ...facts], ', '),
    // Menus match a command's name between two semicolons.
    context: `${['bead', status, ...offers].join(';')};`,
  };
}

function countsText({ total, fixed, dismissed, open }: Extract<Fact, { kind: 'findings' }>): string {
  return joined(
    [
      total === 1 ? l10n.t('1 finding') : l10n.t('{0} findings', total),
      open === 0 ? '' : l10n.t('{0} to be fixed', open),
      fixed === 0 ? '' : l10n.t('{0} fixed', fixed),
      dismissed === 0 ? '' : l10n.t('{0} dismissed', dismissed),
    ],
    ', ',
  );
}

function findingParts({ found, offers }: Extract<Fact, { kind: 'finding' }>): ItemParts {
  const { finding, review, state } = found;
  const about = [severityText(finding.severity), standingText(found), findingPlace(finding)];
  return {
    label: plainLabel(finding.claim),
    description: plainLabel(about.join(' · ')),
    ...findingIcon(state),
    tooltip: () => joined([finding.claim, ...about, review.reviewer, found.decision?.reason ?? ''], '\n'),
    spoken: [l10n.t('Finding'), finding.claim, ...about].join(', '),
    context: `${['finding', state, ...offers].join(';')};`,
  };
}

function contextParts(entry: ContextEntry): ItemParts {
  const { mode, label, where } = contextRow(entry);
  return {
    label: plainLabel(entry.text.replace(/\s+/g, ' ').slice(0, 200)),
    description: [label, mode].join(' · '),
    icon: entry.acknowledged
      ? 'pass'
      : entry.state === 'withdrawn'
        ? 'circle-slash'
        : entry.state === 'queued'
          ? 'inbox'
          : 'comment',
    tooltip: () => [entry.text, label, mode, ...where].join('\n'),
    context: `context;${entry.state};`,
  };
}

function findingIcon(state: FindingState): Look {
  if (state === 'fixed') return looks.passed;
  if (state === 'open') return warning('circle-large-filled');
  if (state === 'unfounded') return { icon: 'question' };
  return { icon: state === 'dismissed' || state === 'earlier' ? 'circle-slash' : 'info' };
}

function beadStates(): Readonly<Record<BeadFact['status'], Look & { readonly text: string }>> {
  return {
    pending: { icon: 'circle-large-outline', text: l10n.t('pending') },
    in_progress: { ...looks.working, text: l10n.t('in progress') },
    done: { ...looks.passed, text: l10n.t('done') },
    error: { ...looks.failed, text: l10n.t('failed') },
    skipped: { ...warning('circle-slash'), text: l10n.t('skipped') },
  };
}

function artifactParts({ kind, artifact, version, versions, archived, createdAt }: ArtifactFact): ItemParts {
  const old = archived ? l10n.t('archived') : '';
  const number = l10n.t('Version {0}', version);
  const when = new Date(createdAt).toLocaleString();
  if (kind === 'version')
    return {
      label: number,
      description: joined([old, when]),
      icon: archived ? 'archive' : 'history',
      context: 'version',
    };
  return {
    label: artifactTitle(artifact),
    description: joined([versions > 1 ? l10n.t('version {0}', version) : '', old]),
    icon: archived ? 'archive' : artifact.startsWith('bead_diff:') ? 'diff' : 'file',
    tooltip: () => `${artifactTitle(artifact)}, ${number}\n${when}`,
    context: `artifact;${artifact};`,
  };
}

function draftParts({ member, outcome, score, isWinner }: DraftFact): ItemParts {
  const points = score === null ? '' : l10n.t('{0} of 100', score);
  return {
    label: member,
    description: joined([
      isWinner ? l10n.t('won') : '',
      points,
      outcome === 'completed' ? '' : outcomeText(outcome),
    ]),
    ...(isWinner
      ? { icon: 'star-full', color: 'charts.yellow' }
      : { icon: outcome === 'completed' ? 'note' : 'warning' }),
    context: 'draft',
  };
}

function runParts({
  label,
  attempt,
  state,
  exit,
  startedAt,
  endedAt,
  error,
}: Extract<Fact, { kind: 'run' }>['run']): ItemParts {
  const duration = endedAt === null ? '' : durationText(endedAt - startedAt);
  const outcome = error ? l10n.t('failed') : runOutcome({ state, exit });
  return {
    label: l10n.t(label),
    description: joined([attempt > 1 ? l10n.t('attempt {0}', attempt) : '', outcome, duration]),
    ...(error
      ? looks.failed
      : state === 'open'
        ? looks.working
        : { icon: state === 'closed' ? 'check' : 'archive' }),
    tooltip: () =>
      joined(
        [
          l10n.t(label),
          l10n.t('since {0}', new Date(startedAt).toLocaleString()),
          error ? `${error.code}: ${error.message}` : '',
        ],
        '\n',
      ),
    context: `run;${state};`,
  };
}

function outcomeText(outcome: string): string {
  const texts: Readonly<Record<string, string>> = {
    completed: l10n.t('completed'),
    timed_out: l10n.t('timed out'),
    invalid_output: l10n.t('no usable answer'),
    failed: l10n.t('failed'),
  };
  return texts[outcome] ?? outcome;
}

function verdictText(outcome: string): string {
  if (outcome === 'accepted') return l10n.t('Accepted');
  return outcome === 'timed_out' ? l10n.t('Timed out') : l10n.t('Rejected');
}

/** A document is decorated as that document; a finding opens the diff at its line. */
function documentOf({ root, ticket }: NodeOf<'fact'>, fact: Fact): Pick<ItemParts, 'command' | 'uri'> {
  const show = (command: string, argument: unknown): Pick<ItemParts, 'command'> => ({
    command: { command, title: l10n.t('Show'), arguments: [argument] },
  });
  if (fact.kind === 'finding')
    return show(commandId('showFinding'), { root, ticket, finding: fact.found.finding.id });
  const sent = sentPrompt(root, ticket, fact);
  if (sent) return show('vscode.open', sent);
  const { artifact, version } = factTarget(fact);
  const address = artifact === undefined ? undefined : documentAddress(root, ticket, artifact, version);
  if (!address) return {};
  const uri = Uri.from(address);
  // The editor itself would show Markdown as text.
  if (isMarkdown(uri))
    return { uri, ...show(commandId('showArtifact'), { root, ticket, artifact, version }) };
  return { uri, ...show('vscode.open', uri) };
}
