/** As long as DNS allows. All texts of strangers are bounded. */
const host = String.raw`([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?|\[?[0-9a-fA-F:]{2,39}\]?)`;
const mostHosts = 5;
const longestLine = 2_000;

const refusals: readonly RegExp[] = [
  new RegExp(String.raw`\bconnect (?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL) ${host}:(\d{1,5})`),
  new RegExp(String.raw`\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) ${host}(?::(\d{1,5}))?`),
  new RegExp(String.raw`\b[Cc]ould not resolve host: ${host}`),
  new RegExp(String.raw`\bunable to resolve host address ['‘]${host}['’]`),
  new RegExp(String.raw`\b[Ff]ailed to connect to ${host} port (\d{1,5})\b`),
  new RegExp(
    String.raw`\bdial (?:tcp|udp)[46]? ${host}:(\d{1,5}): connect: (?:connection refused|network is unreachable)`,
  ),
  new RegExp(
    String.raw`\blookup ${host}(?: on \S{1,60})?: (?:no such host|.{0,200}(?:connection refused|network is unreachable|server misbehaving|name resolution))`,
  ),
  new RegExp(
    String.raw`\bconnection to server at "${host}".{0,60}, port (\d{1,5}) failed: Connection refused`,
  ),
  new RegExp(
    String.raw`\bhost='?${host}'?, port=(\d{1,5})\b.{0,600}(?:Connection refused|Name or service not known|Temporary failure in name resolution)`,
  ),
  new RegExp(String.raw`\b${host}:(\d{1,5})\b.{0,60}[Cc]onnection refused`),
  new RegExp(String.raw`[Cc]onnection (?:to ${host}:(\d{1,5}) )refused`),
];

const unnamed =
  /\b(?:ECONNREFUSED|EAI_AGAIN|ENETUNREACH|Could not resolve host|Connection refused|Temporary failure in name resolution|[Nn]etwork is unreachable)\b/;

/** Unreached hosts, with ports, in an output; empty: without a name; undefined: none. */
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

/** The message about unreached hosts, for all readers. */
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

function nameOf(name: string): string {
  return name === '127.0.0.1' || name === '::1' || name === '[::1]' ? 'localhost' : name;
}
