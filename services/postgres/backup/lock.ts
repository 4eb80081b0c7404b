/**
 * A backup and what it must not meet exclude each other by an advisory lock. A backup holds it from its snapshot to its end;
 * migrations, changes of tables and deletions of files share it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

const KEY = `hashtextextended('larder backup', 0)`
/** Held by `migrate`, and while a recipe is applied: between two of their steps, the schema isn't what a recipe describes. */
const CHANGES = ['larder migrate', 'larder lock reconcile']
const POLL_MS = 100

/**
 * Waits until no migration and no changed recipe is being applied, and no other backup runs. None of them begins until the
 * function that it returns is called; after that, they begin and wait before they change something.
 */
export async function lockForBackup(client: pg.Client, onWait: () => void): Promise<() => Promise<void>> {
  for (let tries = 0; ; tries++) {
    const taken: string[] = []
    for (const name of CHANGES)
      if (await isTaken(client, 'select pg_try_advisory_lock(hashtextextended($1, 0)) as taken', [name]))
        taken.push(name)
    const release = async () => {
      for (const name of taken) await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
    }
    if (taken.length === CHANGES.length && (await isTaken(client, `select pg_try_advisory_lock(${KEY}) as taken`)))
      return release
    await release()
    if (tries === 0) onWait()
    await pause(POLL_MS)
  }
}

async function isTaken(client: pg.ClientBase, sql: string, values?: unknown[]): Promise<boolean> {
  return (await client.query<{ taken: boolean }>(sql, values)).rows[0]?.taken === true
}

/** Runs `work` while no backup runs. Waits without a snapshot, and before `work` locks tables that requests need. */
export async function withoutBackup<T>(client: pg.ClientBase, onWait: () => void, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; !(await isTaken(client, `select pg_try_advisory_lock_shared(${KEY}) as taken`)); tries++) {
    if (tries === 0) onWait()
    await pause(POLL_MS)
  }
  try {
    return await work()
  } finally {
    // A lost connection has lost the lock.
    await client.query(`select pg_advisory_unlock_shared(${KEY})`).catch(() => undefined)
  }
}
