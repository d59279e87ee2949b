import assert from 'node:assert/strict';
import { syscallFilter } from '../../../../src/adapters/sandbox/syscallFilter.ts';

const [x64, x86, arm64, arm] = [0xc000003e, 0x40000003, 0xc00000b7, 0x40000028];
const [notPermitted, unknownCall] = [1, 38];

/** The kernel's answer to a call: 0 if it is let through, else its error. */
function answerOf(
  arch: NodeJS.Architecture,
  audit: number,
  call: number,
  args: readonly number[] = [],
): number {
  const program = syscallFilter(arch);
  assert.ok(program);
  const data = [call, audit, 0, 0, ...args.flatMap((arg) => [arg, 0])];
  for (let [at, loaded] = [0, 0]; ; at++) {
    const [code, holds, fails]: readonly [number, number, number] = [
      program.readUInt16LE(at * 8),
      program.readUInt8(at * 8 + 2),
      program.readUInt8(at * 8 + 3),
    ];
    const operand = program.readUInt32LE(at * 8 + 4);
    const jump = (condition: boolean) => (at += condition ? holds : fails);
    if (code === 0x20) loaded = data[operand / 4] ?? 0;
    else if (code === 0x15) jump(loaded === operand);
    else if (code === 0x35) jump(loaded >>> 0 >= operand);
    else if (code === 0x45) jump((loaded & operand) !== 0);
    else if (code === 0x06) return operand === 0x7fff0000 ? 0 : operand & 0xffff;
    else assert.fail(`code ${String(code)} at ${String(at)}`);
  }
}

describe('the filter of system calls', () => {
  it('knows no keyring, on each kind of machine', () => {
    for (const call of [248, 249, 250]) assert.equal(answerOf('x64', x64, call), unknownCall);
    for (const call of [286, 287, 288]) assert.equal(answerOf('x64', x86, call), unknownCall);
    for (const call of [217, 218, 219]) assert.equal(answerOf('arm64', arm64, call), unknownCall);
  });

  it('knows none of the calls whose arguments it can’t read', () => {
    for (const [arch, audit] of [
      ['x64', x64],
      ['x64', x86],
      ['arm64', arm64],
    ] as const)
      for (const call of [425, 437]) assert.equal(answerOf(arch, audit, call), unknownCall);
  });

  const changes = [
    ['x64', x64, 90, [0, 0o4755], [0, 0o755]],
    ['x64', x64, 91, [3, 0o6755], [3, 0o2755]],
    ['x64', x64, 268, [-100, 0, 0o4700], [-100, 0o4000, 0o700]],
    ['x64', x64, 452, [-100, 0, 0o4700, 0], [-100, 0, 0o700, 0o4000]],
    ['x64', x64, 85, [0, 0o4644], [0, 0o644]],
    ['x64', x64, 133, [0, 0o104755], [0, 0o100755]],
    ['x64', x64, 259, [-100, 0, 0o104755], [-100, 0, 0o100755]],
    ['x64', x86, 15, [0, 0o4755], [0, 0o755]],
    ['x64', x86, 306, [-100, 0, 0o4755], [-100, 0, 0o755]],
    ['arm64', arm64, 52, [3, 0o4755], [3, 0o755]],
    ['arm64', arm64, 53, [-100, 0, 0o4755], [-100, 0, 0o755]],
    ['arm64', arm64, 33, [-100, 0, 0o104755], [-100, 0, 0o100755]],
  ] as const;
  for (const [arch, audit, call, refused, allowed] of changes)
    it(`sets no set-user-id bit by call ${String(call)} of ${audit.toString(16)}, and any other bit`, () => {
      assert.equal(answerOf(arch, audit, call, refused), notPermitted);
      assert.equal(answerOf(arch, audit, call, allowed), 0);
    });

  it('checks the mode of an open only where that makes a file', () => {
    const [create, temporary, plain] = [0o101, 0o20200002, 0o2];
    for (const [arch, audit, call, before] of [
      ['x64', x64, 2, [0]],
      ['x64', x64, 257, [-100, 0]],
      ['x64', x86, 5, [0]],
      ['x64', x86, 295, [-100, 0]],
      ['arm64', arm64, 56, [-100, 0]],
    ] as const) {
      for (const flags of [create, temporary])
        assert.equal(answerOf(arch, audit, call, [...before, flags, 0o4755]), notPermitted);
      assert.equal(answerOf(arch, audit, call, [...before, plain, 0o4755]), 0);
      assert.equal(answerOf(arch, audit, call, [...before, create, 0o755]), 0);
    }
  });

  it('lets everything else through, and nothing of another kind of machine', () => {
    for (const call of [0, 1, 59, 231, 424])
      assert.equal(answerOf('x64', x64, call, [0o4000, 0o4000, 0o4000]), 0);
    assert.equal(answerOf('x64', x64, 0x4000_0000 + 90, [0, 0o4755]), unknownCall, 'x32');
    assert.equal(answerOf('x64', arm64, 63), unknownCall);
    assert.equal(answerOf('arm64', arm, 3), unknownCall);
  });

  it('is missing where calls have other numbers', () => {
    assert.equal(syscallFilter('riscv64'), undefined);
  });
});
