/**
 * Commits that no standby has. A commit waits for a synchronous standby; whoever cancels it (`pg_cancel_backend`) ends the
 * wait, and the server then answers as if the commit had succeeded, with a warning. If the server was lost now, so would be
 * the commit. https://www.postgresql.org/docs/18/warm-standby.html#SYNCHRONOUS-REPLICATION
 */
import type { Client } from 'pg'

/** The function of the server that waits, which a warning names in every language. */
const WAITING_ROUTINE = 'SyncRepWaitForLSN'

const warned = new WeakSet<Client>()

export class UnreplicatedCommitError extends Error {
  constructor() {
    super('the commit was canceled before a synchronous standby had confirmed it')
  }
}

/** Call it once for each new connection. */
export function watchCommits(client: Client): void {
  client.on('notice', ({ routine }) => {
    if (routine === WAITING_ROUTINE) warned.add(client)
  })
}

/** True if a commit since the last call is on this server alone. */
export const hasUnreplicatedCommit = (client: Client): boolean => warned.delete(client)
