import * as l10n from '@vscode/l10n';
import { holeTexts } from '../../../src/domain/links/holes.ts';
import type { BeadLink, Links } from '../../../src/domain/links/links.ts';
import { Icon } from '../../base/elements.tsx';
import { Heading } from '../../base/headings.tsx';
import { Empty, Heads, Loading, Table, type Tools, useLoaded } from '../shared/parts.tsx';

export function Matrix({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { value, failure } = useLoaded(page, 'links', {}, stamp);
  if (!value) return <Loading failure={failure} />;
  if (value.criteria.length === 0) return <Empty text={l10n.t('The matrix appears once there is a PRD.')} />;
  const unlinked = value.beads.filter(({ criteria }) => criteria.length === 0);
  const settled = value.questions.filter(({ note }) => note !== '');
  const title = l10n.t('Traceability');
  return (
    <>
      <Holes holes={value.holes} />
      <section aria-labelledby="matrix">
        <Heading id="matrix">{title}</Heading>
        <Table label={title}>
          <Heads
            texts={[
              l10n.t('Comes From'),
              l10n.t('Criterion'),
              l10n.t('Beads'),
              l10n.t('Commands'),
              l10n.t('Proved By'),
            ]}
          />
          <tbody>
            {value.criteria.map(({ id, text, questions, beads }) => (
              <tr key={id}>
                <td>{names(questions)}</td>
                <th scope="row">
                  <span class="code">{id}</span>
                  <div class="quiet wrap">{text}</div>
                </th>
                <Proof beads={value.beads.filter((bead) => beads.includes(bead.id))} />
              </tr>
            ))}
            {unlinked.map((bead) => (
              <tr key={bead.id}>
                <td>{names([])}</td>
                <th scope="row">{l10n.t('No criterion')}</th>
                <Proof beads={[bead]} />
              </tr>
            ))}
          </tbody>
        </Table>
      </section>
      {settled.length > 0 && (
        <section aria-labelledby="settled">
          <Heading id="settled">{l10n.t('Answers Without a Story')}</Heading>
          <ul>
            {settled.map(({ id, text, note }) => (
              <li key={id} class="wrap">
                <span class="code">{id}</span> {text} <span class="quiet">{note}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Holes({ holes }: { readonly holes: Links['holes'] }) {
  return (
    <section aria-labelledby="holes">
      <Heading id="holes">{l10n.t('Missing Links')}</Heading>
      {holes.length === 0 && (
        <p>
          <Icon name="pass" /> {l10n.t('Nothing is missing.')}
        </p>
      )}
      <ul>
        {holes.map(({ kind, id, name = '' }, index) => (
          <li key={index} class="wrap">
            <Icon name="warning" /> {l10n.t(holeTexts[kind], { id, name })}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Proof({ beads }: { readonly beads: readonly BeadLink[] }) {
  const commands = [...new Set(beads.flatMap((bead) => bead.commands))];
  const reasons = beads.filter(({ reason }) => reason !== '');
  return (
    <>
      <td>{names(beads.map(({ id }) => id))}</td>
      <td>
        {commands.map((command) => (
          <div key={command} class="code">
            {command}
          </div>
        ))}
        {reasons.map(({ id, reason }) => (
          <div key={id} class="quiet wrap">
            {l10n.t('No command can prove {0}: {1}', id, reason)}
          </div>
        ))}
      </td>
      <td>
        {beads.flatMap(({ id, evidence }) =>
          evidence
            ? [
                <div key={id}>
                  <span class="code">{evidence.commit.slice(0, 12)}</span>
                  {evidence.tests.length > 0 && <div class="quiet wrap">{evidence.tests.join(', ')}</div>}
                </div>,
              ]
            : [],
        )}
      </td>
    </>
  );
}

function names(ids: readonly string[]) {
  return ids.length === 0 ? <span class="quiet">–</span> : <span class="code">{ids.join(', ')}</span>;
}
