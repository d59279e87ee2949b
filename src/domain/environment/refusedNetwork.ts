/** A host is as long as DNS allows; each text is bounded, because it is one of strangers. */
const host = String.raw`([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\[?[0-9a-fA-F:]{2,39}\]?)`;
const mostHosts = 5;
const longestLine = 2_000;

/** Sentences about an unreachable host, by where they name it and its port. The first that fits counts. */
const refusals: readonly RegExp[] = [
  // Node: `connect ECONNREFUSED 127.0.0.1:5432`, `getaddrinfo ENOTFOUND db.example.com`.
  new RegExp(String.raw`\bconnect (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL) ${host}:(\d{1,5})`),
  new RegExp(String.raw`\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${host}(?::(\d{1,5}))?`),
  // curl, git, wget.
  new RegExp(String.raw`\b[Cc]ould not resolve host: ${host}`),
  new RegExp(String.raw`\bunable to resolve host address ['‘]${host}['’]`),
  new RegExp(String.raw`\b[Ff]ailed to connect to ${host} port (\d{1,5})\b`),
  // Go: `dial tcp 127.0.0.1:5432: connect: connection refused`, `lookup db.example.com: …`.
  new RegExp(
    String.raw`\bdial (?:tcp|udp)[46]? ${host}:(\d{1,5}): connect: (?:connection refused|network is unreachable)`,
  ),
  new RegExp(
    String.raw`\blookup ${host}(?: on \S{1,60})?: (?:no such host|.{0,200}(?:connection refused|network is unreachable|server misbehaving|name resolution))`,
  ),
  // libpq: `connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused`.
  new RegExp(
    String.raw`\bconnection to server at "${host}".{0,60}, port (\d{1,5}) failed: Connection refused`,
  ),
  // Python, Java, Redis: a host and a port somewhere before or behind the reason.
  new RegExp(
    String.raw`\bhost='?${host}'?, port=(\d{1,5})\b.{0,600}(?:Connection refused|Name or service not known|Temporary failure in name resolution)`,
  ),
  new RegExp(String.raw`\b${host}:(\d{1,5})\b.{0,60}[Cc]onnection refused`),
  new RegExp(String.raw`[Cc]onnection (?:to ${host}:(\d{1,5}) )refused`),
];

/** Lines that say the same and name nobody. */
const unnamed =
  /\b(?:ECONNREFUSED|EAI_AGAIN|ENETUNREACH|Could not resolve host|Connection refused|Temporary failure in name resolution|[Nn]etwork is unreachable)\b/;

/** The hosts, with ports, that an output says weren't reached; empty: without a name; undefined: none. */
export function refusedHosts(output: string): readonly string[] | undefined {
  const found = new Set<string>();
  let isSaid = false;
  for (const whole of output.split('\n')) {
    const line = whole.slice(0, longestLine);
    if (
      !/refused|resol|unreach|ECONN|ENOTFOUND|EAI_AGAIN|ENET|EHOST|EADDRNOT|lookup|not known|Failed to connect|failed to connect/.test(
        line,
      )
    )
      continue;
    const [, name, port] = firstOf(line);
    if (name !== undefined) found.add(port === undefined ? nameOf(name) : `${nameOf(name)}:${port}`);
    isSaid ||= name !== undefined || unnamed.test(line);
    if (found.size >= mostHosts) break;
  }
  return isSaid ? [...found] : undefined;
}

/** The message about hosts that a command in a sandbox didn't reach, and how it can, for all readers. */
export function describeRefused(hosts: readonly string[]): string {
  const named = hosts.length === 0 ? '' : `: ${hosts.map((name) => `\`${name}\``).join(', ')} refused`;
  return `No network here${named}. A program of this machine is reached if the setup plan lists it under \`services\`; a host that the setup downloads from is allowed by the setting beadsmith.sandboxHosts.`;
}

function firstOf(line: string): RegExpExecArray | readonly [] {
  for (const refusal of refusals) {
    const match = refusal.exec(line);
    if (match) return match;
  }
  return [];
}

/** The loopback of a machine by its usual name. */
function nameOf(name: string): string {
  return name === '127.0.0.1' || name === '::1' || name === '[::1]' ? 'localhost' : name;
}
