import { yamlFence } from '../../../src/demo/script/documentText.ts';
import type { ScriptInput } from '../../../src/demo/script/modelScript.ts';
import { assertAccessible, leastContrast } from '../../support/editor/accessible.ts';
import { DocumentEditor } from '../../support/editor/documentEditor.ts';
import { TicketPage } from '../../support/editor/editorPages.ts';
import type { EditorScene } from '../../support/editor/editorScene.ts';
import { analysisText, givesUp } from '../../support/models/failedBead.ts';
import { sharedScene } from '../../support/editor/sharedScene.ts';
import { until } from '../../support/until.ts';
import type { Workbench } from '../../support/editor/workbench.ts';
import { greetingFinding, greetingEdit } from '../../support/models/greetingReview.ts';

const slow = { timeout: 120_000 };
const bead = 'note-greet-by-name-1';
const review = yamlFence({
  checked: ['What the title asks for.'],
  findings: [greetingFinding(bead, { line: 5 })],
});
const analysis = analysisText({
  recommendation: 'escalate',
  rationale: 'The module isn’t there.',
  retryHint: 'Begin with the module.',
});
const tasks: ScriptInput['tasks'] = {
  coding: [givesUp(bead)],
  'failure-analysis': [{ text: analysis }],
  // Found while the others still think.
  review: [
    { when: { part: 'persona', has: 'Winston' }, text: review },
    { text: review, delayMs: 25_000 },
  ],
  fix: [{ calls: [{ tool: 'edit', args: greetingEdit(bead) }] }],
};

/** Each test continues where the one before stopped. */
describe('the parties of a ticket', function () {
  let scene: EditorScene;
  let workbench: Workbench;
  let page: TicketPage;
  let editor: DocumentEditor;
  const parties = [
    '--review',
    'party',
    '--kickoff',
    '--failure-analysis',
    'suggest',
    '--retrospective',
    '--reviewer',
    'scripted/beta',
  ];
  const ticket = {
    title: 'Greet by name',
    at: 'setup',
    options: [...parties, '--continuations', '0'],
  } as const;
  sharedScene(
    this,
    { name: 'parties', tickets: [ticket], tasks, settings: leastContrast },
    async (started) => {
      scene = started;
      workbench = scene.workbench;
      page = new TicketPage(workbench);
      editor = new DocumentEditor(workbench);
      await scene.drive();
    },
  );

  it('are asked what becomes of a bead that failed, and a person decides by keyboard', async () => {
    await scene.cli('approve', 'SAMPL-1', '--no-wait');
    await workbench.row(/· Greet by name/).click(slow);
    await workbench
      .row(/Blocked|needs a decision/i)
      .first()
      .waitFor(slow);
    await page.open();
    await page.frame.getByText('Nothing was written.').first().waitFor(slow);
    await workbench.allScreenshots('parties-failed-bead');
    await assertAccessible(page.frame, 'a failed bead');
    const retry = page.button(/Retry the Bead/);
    await workbench.tabTo(retry, 80);
    await workbench.page.keyboard.press('Enter');
  });

  it('show who speaks, what each one found so far and what it costs', async () => {
    const talk = page.frame.locator('.talk');
    await talk.getByText('found: 1 High').waitFor(slow);
    await talk.getByText(/Waiting for murat/).waitFor();
    await workbench.allScreenshots('parties-live');
    await assertAccessible(page.frame, 'a party that is under way');
  });

  it('leave findings with their votes, and what they talked about', async () => {
    await workbench.row(/Review pull request/).waitFor(slow);
    await page.part('Review');
    const row = page.frame.locator('.finding', { hasText: 'Nobody is greeted.' }).first();
    await row.locator('summary').click();
    await row
      .getByText(/winston/i)
      .first()
      .waitFor();
    await workbench.allScreenshots('parties-findings');
  });

  it('look back at the end, in documents that everyone can read', async () => {
    await workbench.run('Beadsmith: Merge');
    await workbench.answerDialog('Merge Anyway…');
    await workbench.answerDialog('Merge');
    await workbench.row(/^\s*Done/).waitFor(slow);
    const documents = {
      Retrospective: 'retrospective.yaml',
      'User acceptance test': 'uat.yaml',
      Handoff: 'handoff.yaml',
    };
    for (const [title, file] of Object.entries(documents)) {
      await editor.show(title);
      await workbench.tab(file).waitFor();
      await workbench.screenshots(`parties-${title.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('hand over to the next ticket, where a person sees, changes and removes what it received', async () => {
    await scene.cli('create', '--title', 'Say goodbye');
    await workbench.row(/· Say goodbye/).click(slow);
    await workbench.run('Beadsmith: Start Ticket');
    await workbench.choose('Quick');
    await workbench.choice('SAMPL-1 Greet by name').waitFor();
    await workbench.screenshots('parties-handoff-offered');
    await workbench.choose('SAMPL-1 Greet by name');
    await workbench.row(/Approve plan/).waitFor(slow);
    await workbench.row(/· Say goodbye/).click();
    await workbench.takeAction('Edit Received Handoff', 'SAMPL-2');
    await workbench.choice('Remove Handoff').waitFor();
    await workbench.screenshots('parties-handoff-received');
    await workbench.choose('Edit as File');
    await workbench.tab(/received-handoff\.yaml/).waitFor();
    // In a narrow editor the find widget hides what it found.
    await workbench.run('View: Close Editors in Other Groups');
    await editor.insertAfter('text: ', 'As a person wrote it. ');
    await workbench.run('File: Save');
    await workbench.run('View: Close All Editors');
    await workbench.takeAction('Edit Received Handoff', 'SAMPL-2');
    await workbench.choose('Edit as File');
    await until(
      async () => (await workbench.editorText()).includes('As a person wrote it.'),
      'the ticket has the text of the person',
    );
    await workbench.takeAction('Edit Received Handoff', 'SAMPL-2');
    await workbench.choose('Remove Handoff');
    await until(async () => {
      await workbench.takeAction('Edit Received Handoff', 'SAMPL-2');
      await workbench.choice('Edit as File').waitFor();
      return (await workbench.quickInput.innerText()).includes('received handoff (removed)');
    }, 'the handoff is removed');
  });
});
