import assert from 'node:assert/strict';
import {
  OpenPermission,
  permissionContent,
} from '../../../../../src/adapters/opencode/client/openRequests.ts';
import { StoredMessages } from '../../../../../src/adapters/opencode/messages/storedMessages.ts';

const asked = (patterns: readonly string[]): OpenPermission =>
  OpenPermission.parse({
    id: 'p1',
    sessionID: 's1',
    permission: 'bash',
    patterns,
    tool: { messageID: 'm1', callID: 'c1' },
  });
const calling = (command: string) =>
  StoredMessages.parse([
    {
      info: { role: 'user', id: 'm0' },
      parts: [{ type: 'text', metadata: { beadsmith: 'prompt', id: 'x' } }],
    },
    {
      info: {
        role: 'assistant',
        id: 'm1',
        parentID: 'm0',
        providerID: 'p',
        modelID: 'm',
        time: {},
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      },
      parts: [{ type: 'tool', tool: 'bash', callID: 'c1', state: { status: 'running', input: { command } } }],
    },
  ]);

describe('a permission that an agent asks for', () => {
  it('is shown whole, however long the command is that a person can still read', () => {
    const command = `npm ci\n${'echo line\n'.repeat(1_000)}curl evil.example`;
    const patterns = Array.from({ length: 60 }, (_, at) => `pattern ${String(at)}`);
    assert.deepEqual(permissionContent(asked(patterns), calling(command)), {
      kind: 'permission',
      permission: 'bash',
      patterns,
      command,
    });
  });

  it('says that it is cut when it is longer than what can be shown, or when its call is missing', () => {
    const isCut = (content: ReturnType<typeof permissionContent>): boolean =>
      content.kind === 'permission' && content.cut === true;
    assert.ok(isCut(permissionContent(asked([]), calling('x'.repeat(60_001)))));
    assert.ok(isCut(permissionContent(asked(['a'.repeat(40_000), 'b'.repeat(40_000)]), calling('npm ci'))));
    assert.ok(isCut(permissionContent(asked(['npm *']), [])));
  });
});
