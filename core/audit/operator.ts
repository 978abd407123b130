/** operator: names the user and the machine that run a command, for the audit rows of commands. */
import { hostname, userInfo } from 'node:os';

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // Containers run as users that have no name.
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

/** `name@machine`, at most 255 characters. */
export function operatorName(): string {
  return `${userName()}@${hostname()}`.slice(0, 255);
}
