/** Longer than the path of any file. */
const mostCharacters = 2_000;
const web = /^https:\/\/[^/@?#]+\/[^@?#]+$/i;
/** A user's name is part of such an address; a password never is. */
const ssh = /^ssh:\/\/(?:\w[\w.+-]*@)?(?:\w[\w.-]*|\[[\da-f:.]+\])(?::\d+)?\/.+$/i;
/** As SCP writes it. */
const scp = /^\w[\w.+-]*@\w[\w.-]*:(?![:-]).+$/;
/** Absolute: each machine has a working directory of its own. */
const file = /^(?:file:\/\/)?\/.+$|^[a-z]:[\\/].+$/i;

/**
 * The address of a repository for the commits of tickets, as git takes it: HTTPS, SSH or an absolute path,
 * without a login. Undefined for everything else, such as a program that git would start, or an option.
 */
export function commitPlaceOf(text: string): string | undefined {
  if (text.length > mostCharacters || /\p{Cc}/u.test(text)) return undefined;
  return [web, ssh, scp, file].some((form) => form.test(text)) ? text : undefined;
}
