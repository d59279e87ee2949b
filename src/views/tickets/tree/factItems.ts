import { l10n, Uri } from 'vscode';
import { joined } from '../../../base/joined.ts';
import { assertNever } from '../../../base/assertNever.ts';
import { passed } from '../../../domain/core/evidence.ts';
import { fromRecord } from '../../../domain/core/errors.ts';
import { failedCheckLine, lastOutput } from '../../../domain/forge/failedCheck.ts';
import { beadStatusLabels } from '../../../domain/beads/bead.ts';
import { stageLabel } from '../../../domain/beads/beadStages.ts';
import { requestLine } from '../../../domain/ticket/agentRequest.ts';
import { documentAddress } from '../../../protocol/documents.ts';
import { artifactTitle } from '../../documents/documentTypes.ts';
import { changeText } from '../../review/showDiff.ts';
import { errorText, words } from '../../shared/errorText.ts';
import { plainLabel } from '../../shared/plainText.ts';
import { holdName } from '../../shared/statusTexts.ts';
import { commandId } from '../../commands/commands.ts';
import type { Target } from '../../commands/ticketTarget.ts';
import { isMarkdown } from '../../documents/openDocument.ts';
import type { ArtifactFact, BeadFact, Fact, FactTree, FileFact } from './facts.ts';
import { type ItemParts, type Look, looks, opensTicket, warning } from './rowItems.ts';
import type { NodeOf } from './nodes.ts';

/** More of a text is no overview; the tooltip or the page has all of it. */
const longestLabel = 200;

export function factParts(node: NodeOf<'fact'>, { fact, children, late }: FactTree): ItemParts {
  return {
    ...partsOf(fact),
    ...(children.length > 0 || late ? { folded: true } : {}),
    ...opened(node, fact),
  };
}

export function factTarget(fact: Fact): Target {
  switch (fact.kind) {
    case 'bead':
    case 'moreFiles':
      return { bead: fact.bead };
    case 'file':
      return { bead: fact.bead, file: fact.path };
    case 'artifact':
      return { artifact: fact.artifact, ...(fact.archived ? { version: fact.version } : {}) };
    case 'version':
      return { artifact: fact.artifact, version: fact.version };
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
    case 'request':
      return {
        label: plainLabel(requestLine(fact.content).slice(0, longestLabel)),
        description: holdName(fact.content.kind),
        ...warning('comment-unresolved'),
        // Menus match a command's name between two semicolons.
        context: `${['request', ...fact.offers].join(';')};`,
      };
    case 'pullRequest':
      return {
        label: l10n.t('Pull request'),
        description: plainLabel(fact.look),
        icon: 'git-pull-request',
        tooltip: () => fact.location,
        context: 'pullRequest',
      };
    case 'issue':
      return {
        label: l10n.t('Issue'),
        description: plainLabel(fact.look),
        icon: 'issues',
        tooltip: () => fact.location,
        context: 'issue',
      };
    case 'failedChecks':
      return {
        label: l10n.t('Failed checks'),
        description: plainLabel(fact.checks.map(({ name }) => name).join(', ')),
        ...looks.failed,
        tooltip: () =>
          fact.checks
            .map((check) => [failedCheckLine(check, fact.base, words), lastOutput(check)].join('\n').trim())
            .join('\n\n'),
        context: 'failedChecks',
      };
    case 'bead':
      return beadParts(fact);
    case 'file':
      return fileParts(fact);
    case 'moreFiles':
      return { label: l10n.t('And {0} more.', fact.count), icon: 'ellipsis', context: 'files;more' };
    case 'noFiles':
      return { label: l10n.t('No changes yet.'), context: 'files;none' };
    case 'details':
      return { label: l10n.t('Details'), icon: 'files', context: 'group;details' };
    case 'reviewNote':
      return {
        label: plainLabel(fact.text.replace(/\s+/g, ' ').slice(0, longestLabel)),
        description: l10n.t('waits for the next review'),
        icon: 'inbox',
        tooltip: () => [fact.text, l10n.t('Waits for the next review.')].join('\n'),
        context: 'reviewNote',
      };
    case 'artifact':
    case 'version':
      return artifactParts(fact);
    default:
      return assertNever(fact);
  }
}

function beadParts({
  title,
  bead,
  status,
  iteration,
  stage,
  verdict,
  viewed,
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
  const seen = viewed ? l10n.t('{0} of {1} viewed', viewed.viewed, viewed.total) : '';
  const place = `${String(position)}/${String(total)}`;
  const said =
    verdict === null ? '' : verdict === 'accepted' ? l10n.t('accepted by you') : l10n.t('rejected by you');
  const text = l10n.t(beadStatusLabels[status]);
  const facts = [proof, said, seen, again, at, waits];
  return {
    label: title,
    description: joined([place, ...facts]),
    ...beadLooks[status],
    ...(verdict === 'accepted' ? { icon: 'verified-filled' } : {}),
    tooltip: () => joined([bead, text, ...facts], '\n'),
    spoken: joined([l10n.t('Bead {0} of {1}', position, total), title, text, ...facts], ', '),
    // Menus match a command's name between two semicolons.
    context: `${['bead', status, ...offers].join(';')};`,
  };
}

const beadLooks: Readonly<Record<BeadFact['status'], Look>> = {
  pending: { icon: 'circle-large-outline' },
  in_progress: looks.working,
  done: looks.passed,
  error: looks.failed,
  skipped: warning('circle-slash'),
};

/** Name and numbers come first: a narrow view cuts the folder. */
function fileParts(file: FileFact): ItemParts {
  const { path, change, binary, proof, added = 0, deleted = 0 } = file;
  const at = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
  const what = changeText(file);
  const lines = binary ? l10n.t('binary') : added + deleted === 0 ? '' : `+${added} −${deleted}`;
  const inWords = lines === '' || binary ? lines : l10n.t('{0} lines added, {1} deleted', added, deleted);
  return {
    label: plainLabel(name),
    description: joined([lines, change === 'renamed' ? plainLabel(what) : '', plainLabel(folder)]),
    ...changeLooks[change],
    tooltip: () => joined([path, what, lines, ...proof.map(proofText)], '\n'),
    spoken: joined([name, what, inWords, folder], ', '),
    context: 'file',
  };
}

function proofText(ran: FileFact['proof'][number]): string {
  return passed(ran) ? l10n.t('{0}: passed', ran.command) : l10n.t('{0}: failed', ran.command);
}

const changeLooks: Readonly<Record<FileFact['change'], Look>> = {
  added: { icon: 'diff-added', color: 'gitDecoration.addedResourceForeground' },
  modified: { icon: 'diff-modified', color: 'gitDecoration.modifiedResourceForeground' },
  deleted: { icon: 'diff-removed', color: 'gitDecoration.deletedResourceForeground' },
  renamed: { icon: 'diff-renamed', color: 'gitDecoration.renamedResourceForeground' },
};

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

/** A click opens a document, which is decorated as that, a diff, or the page of the ticket. */
function opened({ root, ticket }: NodeOf<'fact'>, fact: Fact): Pick<ItemParts, 'command' | 'uri'> {
  const about = { root, ticket, ...factTarget(fact) };
  const show = (command: string, argument: unknown): Pick<ItemParts, 'command'> => ({
    command: { command, title: l10n.t('Show'), arguments: [argument] },
  });
  if (fact.kind === 'request' || fact.kind === 'failedChecks') return opensTicket(about);
  if (fact.kind === 'pullRequest' || fact.kind === 'issue')
    return show('vscode.open', Uri.parse(fact.location, true));
  if (fact.kind === 'file') return show(commandId('showFileDiff'), about);
  if (fact.kind === 'moreFiles') return show(commandId('showDiff'), about);
  const { artifact, version } = about;
  const address = artifact === undefined ? undefined : documentAddress(root, ticket, artifact, version);
  if (!address) return {};
  const uri = Uri.from(address);
  // The editor itself would show Markdown as text.
  if (isMarkdown(uri)) return { uri, ...show(commandId('showArtifact'), about) };
  return { uri, ...show('vscode.open', uri) };
}
