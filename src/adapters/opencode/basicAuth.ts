/** The header that authenticates us. OpenCode's user name is always `opencode`. */
export function basicAuth(password: string): string {
  return `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`;
}
