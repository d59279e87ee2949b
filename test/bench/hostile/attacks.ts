import type { Victim } from './victim.ts';

/**
 * One try to get out: a command as an agent or a test would run it in the worktree. It escaped if it printed
 * the victim's secret or `ESCAPED`, if something connected to the machine, if anything changed outside of the
 * worktree, or if it left a process (`leaves`: the name by which that is found).
 */
export interface Attack {
  readonly area: string;
  readonly name: string;
  readonly command: string;
  readonly leaves?: string;
  /** The quick subset that tests run. */
  readonly quick?: true;
}

/** The area whose attacks need the built program. */
export const commandLine = 'the command line';

/** The area whose attacks are made by a command of an agent, beside the agent's server. */
export const agentServer = 'the server of agents';

/** Everything that is tried. `$` names in the text are what the victim's places are called. */
export function attacksOn(victim: Victim): readonly Attack[] {
  const { home, repository, worktree, other, state, root, port, address, pid, abstractName, shared } = victim;
  const git = join(repository, '.git');
  const own = join(git, 'worktrees', 'SHOP-1');
  const cli = `node cli/cli.js`;
  const connect = (what: string) =>
    node(
      `require('net').connect(${what}).on('connect', function () { console.log('ESCAPED'); this.destroy(); }).on('error', () => {})`,
    );
  const opens = (file: string) => `test -e ${file} && (: >> ${file}) 2>/dev/null && echo ESCAPED`;
  const tell = (text: string) => `(${text}) && echo ESCAPED`;
  const left = (name: string, how: string) => ({
    command: `cp "$(command -v sleep)" ./${name}; ${how.replaceAll('LEFT', `./${name} 600`)} sleep 0.3`,
    leaves: name,
  });
  const rows: Record<string, readonly (readonly [name: string, command: string, more?: Partial<Attack>])[]> =
    {
      'read the home folder': [
        ['SSH key', `cat ${home}/.ssh/id_ed25519`, { quick: true }],
        ['cloud credentials', `cat ${home}/.aws/credentials`],
        ['npm token', `cat ${home}/.npmrc`],
        ['.netrc', `cat ${home}/.netrc`],
        ['OpenCode’s logins', `cat ${home}/.local/share/opencode/auth.json`, { quick: true }],
        ['by a link in the worktree', `ln -sfn ${home} link; cat link/.ssh/id_ed25519`, { quick: true }],
        ['by the root folder of process 1', `cat /proc/1/root${home}/.ssh/id_ed25519`],
        [
          'by the folder of another process',
          `cat /proc/[0-9]*/root${home}/.ssh/id_ed25519 /proc/[0-9]*/cwd/../home/.ssh/id_ed25519`,
        ],
        ['by a search', `grep -rhs the-victims-secret ${root} /root /home --include=id_ed25519`],
      ],
      'read the system': [
        ['/etc/shadow', tell('cat /etc/shadow')],
        ['sudoers', tell('cat /etc/sudoers || ls /etc/sudoers.d/*')],
        ['SSH host keys', tell('ls /etc/ssh/ssh_host_* 2>/dev/null')],
        ['logs', tell('ls /var/log/*.log || ls /var/log/apt')],
        ['files of other projects', `cat ${root}/neighbour/notes.txt`],
      ],
      'write outside': [
        ['.bashrc', `echo evil >> ${home}/.bashrc`, { quick: true }],
        ['authorized_keys', `echo evil > ${home}/.ssh/authorized_keys`],
        ['a package cache', `mkdir -p ${home}/.npm && echo evil > ${home}/.npm/evil`],
        ['a neighbouring project', `echo evil > ${root}/neighbour/evil.txt`],
        [
          'a toolchain',
          `f="$(dirname "$(readlink -f "$(command -v git)")")/beadsmith-evil"; ${tell('echo x > "$f"')}; rm -f "$f"`,
        ],
        ['a link in the worktree', `ln -sfn ${home} out; echo evil > out/evil`, { quick: true }],
        ['a hard link', tell(`ln -f ${home}/.bashrc hard`)],
        [
          'the checkout of the person',
          `echo evil > ${repository}/README.md; ${tell(`grep -q evil ${repository}/README.md`)}`,
        ],
      ],
      'other tickets': [
        ['read a worktree', `cat ${other}/plan.txt`, { quick: true }],
        ['write a worktree', `echo evil > ${other}/evil.txt`],
        ['their git folder', `echo evil > ${git}/worktrees/SHOP-2/evil`],
      ],
      git: [
        ['write a hook', `printf '#!/bin/sh\\n' > ${git}/hooks/pre-commit`, { quick: true }],
        ['set core.hooksPath', `git config core.hooksPath ${worktree}`],
        [
          'set fsmonitor for the worktree',
          `git config --worktree core.fsmonitor evil; printf '[core]\\nfsmonitor=evil\\n' > ${own}/config.worktree`,
        ],
        [
          'make a commit',
          `echo x > new; git add new; git -c user.name=E -c user.email=e@x commit -m evil`,
          { quick: true },
        ],
        ['move the base branch', `git update-ref refs/heads/main HEAD; echo evil > ${git}/refs/heads/evil`],
        ['delete a branch', `git update-ref -d refs/heads/release; rm -f ${git}/refs/heads/release`],
        ['add an object', `echo evil | git hash-object -w --stdin`],
        ['stash', `echo changed > README.md; git -c user.name=E -c user.email=e@x stash`],
        ['write attributes', `echo '* filter=evil' > ${git}/info/attributes`],
        ['delete objects', `rm -rf ${git}/objects/pack; find ${git}/objects -type f -delete`],
        [
          'lead the worktree to a repository of its own',
          `mkdir -p evil.git; mv .git .git.old; ${tell('printf "gitdir: %s/evil.git\\n" "$PWD" > .git')}; rm -f .git; mv .git.old .git`,
        ],
      ],
      'what the engine trusts': [
        ['read the database', `cat ${state}/state.db`, { quick: true }],
        ['write the database', `echo evil >> ${state}/state.db`],
        ['read the owner file', `cat ${state}/owner.json`],
        ['replace the owner file', `echo '{}' > ${state}/owner.json`],
        ['read a server’s password', `cat ${state}/servers/main.json`, { quick: true }],
        [
          'approve in a new database',
          `rm -f ${state}/state.db; ${node(`new (require('node:sqlite').DatabaseSync)('${state}/state.db').exec('CREATE TABLE approved (gate TEXT)')`)}`,
        ],
      ],
      [commandLine]: [
        ['file a ticket', `${cli} create --title Evil --repo ${repository}`],
        ['cancel a ticket', `${cli} cancel SHOP-1 --repo ${repository}`],
        ['approve a gate', tell(`${cli} approve SHOP-1 --repo ${repository}`)],
        ['merge', tell(`${cli} merge SHOP-1 --repo ${repository}`)],
        ['change a limit', tell(`${cli} limits SHOP-1 --token-cap 0 --repo ${repository}`)],
        ['run all gates', tell(`timeout 20 ${cli} run SHOP-1 --approve all --repo ${repository}`)],
      ],
      network: [
        ['a port on loopback', connect(`${String(port)}, '127.0.0.1'`), { quick: true }],
        ['the address of this machine', connect(`${String(port)}, '${address}'`), { quick: true }],
        ['by bash', `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${String(port)} && echo ESCAPED'`],
        ['a container engine’s socket', connect(`'${root}/docker.sock'`)],
        ['a session bus', connect(`'${root}/bus.sock'`)],
        ['an SSH agent', connect(`'${root}/ssh-agent.sock'`)],
        ['an abstract socket', connect(`'\\0${abstractName}'`), { quick: true }],
        ['a raw interface', tell('ls /sys/class/net/eth0 || grep -q eth0 /proc/net/dev')],
      ],
      processes: [
        ['kill one', `kill -USR1 ${String(pid)}; kill -9 ${String(pid)}`],
        ['read an environment', `tr '\\0' '\\n' < /proc/${String(pid)}/environ`, { quick: true }],
        ['read every environment', `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep the-victims`],
        ['write memory', opens(`/proc/${String(pid)}/mem`)],
        ['list them', `ps -A -o args= | grep -q 'sleep [3]600' && echo ESCAPED`],
        ['make one a victim of low memory', opens(`/proc/${String(pid)}/oom_score_adj`)],
        ['shared memory', `cat ${shared}`, { quick: true }],
        ['leave one behind', '', { ...left('left-a', 'setsid LEFT > /dev/null 2>&1 &'), quick: true }],
        [
          'leave one without an environment',
          '',
          left('left-b', 'env -i setsid nohup LEFT > /dev/null 2>&1 &'),
        ],
        [
          'leave one twice removed',
          '',
          left('left-c', 'env -i sh -c \'setsid sh -c "LEFT &" &\' > /dev/null 2>&1;'),
        ],
      ],
      [agentServer]: [
        [
          'read its password',
          `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a PASSWORD`,
          { quick: true },
        ],
        ['read its logins', `cat ${victim.server}/data/opencode/auth.json`, { quick: true }],
        ['read its sessions', `cat ${victim.server}/data/opencode/opencode.db`],
        [
          'read its memory',
          `for p in /proc/[0-9]*; do (: < $p/mem) && grep -qa ^node $p/cmdline && echo ESCAPED; done 2>/dev/null`,
        ],
        ['ask its interface', connect(`${String(serverPorts.server)}, '127.0.0.1'`), { quick: true }],
        ['ask a model by its relay', connect(`${String(serverPorts.models)}, '127.0.0.1'`), { quick: true }],
        ['ask a model by the socket of the relay', connect(`'${victim.sockets}/model.sock'`)],
        ['look for sockets', tell(`find / -name '*.sock' -path '*sockets*' 2>/dev/null | grep -q .`)],
        [
          'replace its shell',
          tell(`printf '#!/bin/sh\\n' > ${victim.server}/shell || mv ${victim.server} ${victim.server}.old`),
        ],
        [
          'uncover what is hidden',
          tell(`umount ${victim.server}/data || unshare -Urm umount ${victim.server}/data`),
        ],
        [
          'enter its network',
          tell(
            `for p in /proc/[0-9]*; do nsenter -t $\{p#/proc/} -U -n true && exit 0; done 2>/dev/null; exit 1`,
          ),
        ],
        ['go where it is', `cat /proc/[0-9]*/root${victim.server}/data/opencode/auth.json`],
      ],
      keyrings: [
        ['read the session’s', asked(calls.keyctl, '11, 0xfffffffd, $b, 200, 0'), { quick: true }],
        ['read the user’s', asked(calls.keyctl, '11, 0xfffffffc, $b, 200, 0')],
        ['read the user’s session', asked(calls.keyctl, '11, 0xfffffffb, $b, 200, 0')],
        ['join another one', asked(calls.keyctl, '1, 0')],
        ['leave a key', asked(calls.addKey, '$t = "user", $d = "evil", $b, 4, 0xfffffffd'), { quick: true }],
        ['list the keys of all', tell('grep -q . /proc/keys')],
      ],
      'set-user-id bits': [
        ['by chmod', tell('cp /bin/sh s1; chmod u+s s1; test -u s1'), { quick: true }],
        ['by install', tell('install -m 4755 /bin/sh s2; test -u s2')],
        ['by a copy', tell('cp -p "$(command -v su)" s3; test -u s3')],
        [
          'by an archive',
          tell('cp /bin/sh s4; tar cf s.tar --mode=4755 s4 && rm s4 && tar xpf s.tar; test -u s4'),
        ],
        [
          'when a file is made',
          tell(`perl -MFcntl -e 'umask 0; sysopen(F, "s5", O_CREAT|O_WRONLY, 04755)'; test -u s5`),
        ],
        [
          'by a device file’s way',
          tell(`perl -e 'umask 0; syscall(${String(calls.mknod)}, $f = "s6", 0104755, 0)'; test -u s6`),
        ],
        [
          'by the call that libraries avoid',
          tell(`cp /bin/sh s7; perl -e 'syscall(452, -100, $f = "s7", 04755, 0)'; test -u s7`),
        ],
        [
          'by file capabilities',
          tell('cp /bin/sh s8; setcap cap_setuid+ep s8 && getcap s8 | grep -q setuid'),
        ],
      ],
      'the kernel': [
        ['mount', tell('mkdir -p m && mount -t tmpfs none m && umount m')],
        [
          'remount as root of a namespace',
          `unshare -Urm sh -c 'mount -o remount,rw,bind ${git} && echo evil > ${git}/evil'`,
        ],
        [
          'enter another namespace',
          tell(`nsenter -t ${String(pid)} -m -- true || nsenter -t 1 -m -- test -e ${home}`),
        ],
        ['chroot', tell(`chroot /proc/${String(pid)}/root true`)],
        ['write /proc/sys', opens('/proc/sys/kernel/core_pattern')],
        ['write sysrq', opens('/proc/sysrq-trigger')],
        [
          'write /sys',
          tell(
            'for f in /sys/kernel/mm/transparent_hugepage/enabled /sys/power/state; do (: >> $f) 2>/dev/null && exit 0; done; exit 1',
          ),
        ],
        [
          'write control groups',
          tell(
            'for f in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do (: >> $f) 2>/dev/null && exit 0; done; exit 1',
          ),
        ],
        [
          'read a disk',
          tell(
            'for d in /dev/vda /dev/sda /dev/nvme0n1 /dev/loop0; do head -c1 $d >/dev/null 2>&1 && exit 0; done; exit 1',
          ),
        ],
        ['make a device', tell('rm -f dev; mknod dev b 254 0 && head -c1 dev > /dev/null')],
        ['write the kernel’s log', opens('/dev/kmsg')],
        ['give a file to another user', tell('touch given && chown 12345 given')],
        ['become another user', tell('setpriv --reuid 12345 --clear-groups true || sudo -n true')],
      ],
    };
  return Object.entries(rows).flatMap(([area, list]) =>
    list.map(([name, command, more]) => ({ area, name, command, ...more })),
  );
}

/** The ports of the agents' server and of its relay to models, within the server's box. */
export const serverPorts = { server: 24_117, models: 43_127 } as const;

/** The numbers of calls for which there are no commands everywhere. */
const calls =
  process.arch === 'arm64'
    ? { keyctl: 219, addKey: 217, mknod: 33 }
    : { keyctl: 250, addKey: 248, mknod: 133 };

/** Makes a call of the kernel; it escaped if that answers. */
function asked(call: number, args: string): string {
  return `perl -e '$b = "\\0" x 200; print "ESCAPED" if syscall(${String(call)}, ${args}) >= 0'`;
}

function node(script: string): string {
  return `node -e ${quoted(script)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function join(...parts: readonly string[]): string {
  return parts.join('/');
}
