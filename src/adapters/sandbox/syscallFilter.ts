/**
 * Filters of system calls for bubblewrap's `--seccomp`
 * (docs/decisions/170-agent-commands-in-a-sandbox-of-their-own.md): against the kernel's keyrings, which
 * namespaces share, and set-user-id bits, which outlive the sandbox. Sources: seccomp(2), keyctl(2), Linux's
 * tables of calls, systemd's RestrictSUIDSGID.
 */

/** Makes or changes a file: the arguments of its mode, and of its flags if only some make one. */
interface Making {
  readonly call: number;
  readonly mode: number;
  readonly flags?: number;
}

interface Machine {
  readonly audit: number;
  /** Calls from this number on are of another kind (x32), and refused. */
  readonly below?: number;
  readonly refused: readonly number[];
  readonly making: readonly Making[];
}

/**
 * Refused: add_key, request_key, keyctl; openat2 and io_uring_setup, whose arguments in memory no filter
 * reads. Programs do without: they are told that the kernel doesn't know them.
 */
const x64: Machine = {
  audit: 0xc000003e,
  below: 0x4000_0000,
  refused: [248, 249, 250, 437, 425],
  making: [
    { call: 90, mode: 1 }, // chmod
    { call: 91, mode: 1 }, // fchmod
    { call: 268, mode: 2 }, // fchmodat
    { call: 452, mode: 2 }, // fchmodat2
    { call: 85, mode: 1 }, // creat
    { call: 2, mode: 2, flags: 1 }, // open
    { call: 257, mode: 3, flags: 2 }, // openat
    { call: 133, mode: 1 }, // mknod
    { call: 259, mode: 2 }, // mknodat
  ],
};

const x86: Machine = {
  audit: 0x40000003,
  refused: [286, 287, 288, 437, 425],
  making: [
    { call: 15, mode: 1 },
    { call: 94, mode: 1 },
    { call: 306, mode: 2 },
    { call: 452, mode: 2 },
    { call: 8, mode: 1 },
    { call: 5, mode: 2, flags: 1 },
    { call: 295, mode: 3, flags: 2 },
    { call: 14, mode: 1 },
    { call: 297, mode: 2 },
  ],
};

const arm64: Machine = {
  audit: 0xc00000b7,
  refused: [217, 218, 219, 437, 425],
  making: [
    { call: 52, mode: 1 },
    { call: 53, mode: 2 },
    { call: 452, mode: 2 },
    { call: 56, mode: 3, flags: 2 },
    { call: 33, mode: 2 },
  ],
};

const machines: Partial<Record<NodeJS.Architecture, readonly Machine[]>> = {
  x64: [x64, x86],
  arm64: [arm64],
};

const setUserId = 0o4000;
/** `O_CREAT`, and `O_TMPFILE`'s own bit: an open without them has no mode. */
const makesFile = 0o100 | 0o20000000;

const [notPermitted, unknownCall] = [1, 38];

/** The kernel's packet filter (linux/filter.h). */
const op = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, answer: 0x06 } as const;
const allow: Instruction = [op.answer, 0, 0, 0x7fff0000];
const refuse = (error: number): Instruction => [op.answer, 0, 0, 0x00050000 | error];

type Instruction = readonly [code: number, holds: number, fails: number, operand: number];

export function syscallFilter(arch: NodeJS.Architecture): Buffer | undefined {
  const known = machines[arch];
  if (!known) return undefined;
  const program = [...known.flatMap(forMachine), refuse(unknownCall)];
  return Buffer.concat(program.map(encoded));
}

/** Instructions for one kind of program end with an answer, which others jump over. */
function forMachine({ audit, below, refused, making }: Machine): readonly Instruction[] {
  const body: readonly Instruction[] = [
    [op.load, 0, 0, 0],
    ...(below === undefined ? [] : [[op.atLeast, 0, 1, below] as const, refuse(unknownCall)]),
    ...refused.flatMap((call) => [[op.equal, 0, 1, call] as const, refuse(unknownCall)]),
    ...making.flatMap(forMaking),
    allow,
  ];
  return [[op.load, 0, 0, 4], [op.equal, 0, body.length, audit], ...body];
}

function forMaking({ call, mode, flags }: Making): readonly Instruction[] {
  const ofFlags: readonly Instruction[] =
    flags === undefined ? [] : [[op.load, 0, 0, argument(flags)], [op.anyBit, 1, 0, makesFile], allow];
  const body: readonly Instruction[] = [
    ...ofFlags,
    [op.load, 0, 0, argument(mode)],
    [op.anyBit, 0, 1, setUserId],
    refuse(notPermitted),
    allow,
  ];
  return [[op.equal, 0, body.length, call], ...body];
}

/** An argument's lower half, first on both machines. */
function argument(index: number): number {
  return 16 + 8 * index;
}

function encoded([code, holds, fails, operand]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(holds, 2);
  bytes.writeUInt8(fails, 3);
  bytes.writeUInt32LE(operand, 4);
  return bytes;
}
