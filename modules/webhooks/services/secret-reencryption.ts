/** Encrypts stored secrets with the current LARDER_SECRET, so that the older one can be removed. */
import type { Deps } from '@larder-dev/larder/kernel'
import { PURPOSE } from './secret-store.ts'

const BATCH_SIZE = 500

interface SecretRow {
  readonly id: string
  readonly sealed: Buffer
}

/** Returns the number of secrets that it encrypted. Skips those that no accepted secret decrypts. */
export async function reencryptSecrets(
  { systemDatabase, secrets, log }: Deps<'systemDatabase' | 'secrets' | 'log'>,
  signal?: AbortSignal,
): Promise<number> {
  if (!secrets.rotating) return 0
  const unit = systemDatabase.acrossTenants('secrets of every tenant are encrypted with the current LARDER_SECRET')
  let [after, count, unreadable] = ['', 0, 0]
  for (;;) {
    const { rows } = await unit.query<SecretRow>(
      `select id, sealed from webhooks_secrets where id > $1 order by id limit ${BATCH_SIZE}`,
      [after],
    )
    const changed = rows.flatMap(({ id, sealed }) => {
      try {
        const again = secrets.reencrypt(PURPOSE, sealed)
        return again ? [{ id, sealed, again }] : []
      } catch {
        unreadable++
        return []
      }
    })
    if (changed.length > 0)
      await unit.query(
        `update webhooks_secrets s set sealed = r.again
         from unnest($1::text[], $2::bytea[], $3::bytea[]) as r (id, sealed, again)
         where s.id = r.id and s.sealed = r.sealed`,
        [changed.map(({ id }) => id), changed.map(({ sealed }) => sealed), changed.map(({ again }) => again)],
      )
    count += changed.length
    after = rows.at(-1)?.id ?? after
    if (rows.length < BATCH_SIZE || signal?.aborted) break
  }
  if (count + unreadable > 0)
    log.info({ count, unreadable }, 'webhook secrets encrypted with the current LARDER_SECRET')
  return count
}
