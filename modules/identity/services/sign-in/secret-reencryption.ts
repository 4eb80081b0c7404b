/** Encrypts the keys of authenticator apps with the current LARDER_SECRET, so that the older one can be removed. */
import type { Deps } from '@larder-dev/larder/kernel'
import { SECRET_PURPOSE } from './totp.ts'

const BATCH_SIZE = 500

interface KeyRow {
  readonly user_id: string
  readonly secret: Buffer
}

/** Returns the number of keys that it encrypted. Skips those that no accepted secret decrypts. */
export async function reencryptSecrets(
  { systemDatabase, secrets }: Deps<'systemDatabase' | 'secrets'>,
  signal?: AbortSignal,
): Promise<number> {
  if (!secrets.rotating) return 0
  const unit = systemDatabase.acrossTenants('keys of every user are encrypted with the current LARDER_SECRET')
  let [after, count] = ['', 0]
  for (;;) {
    const { rows } = await unit.query<KeyRow>(
      `select user_id, secret from identity_totp where user_id > $1 order by user_id limit ${BATCH_SIZE}`,
      [after],
    )
    const changed = rows.flatMap(({ user_id: id, secret }) => {
      const again = reencrypt(secrets, secret)
      return again ? [{ id, secret, again }] : []
    })
    if (changed.length > 0)
      await unit.query(
        `update identity_totp t set secret = r.again from unnest($1::text[], $2::bytea[], $3::bytea[]) as r (id, secret, again)
         where t.user_id = r.id and t.secret = r.secret`,
        [changed.map(({ id }) => id), changed.map(({ secret }) => secret), changed.map(({ again }) => again)],
      )
    count += changed.length
    after = rows.at(-1)?.user_id ?? after
    if (rows.length < BATCH_SIZE || signal?.aborted) return count
  }
}

/** Undefined for what needs no change, and for what no accepted secret decrypts. */
function reencrypt(secrets: Deps<'secrets'>['secrets'], sealed: Buffer): Buffer | undefined {
  try {
    return secrets.reencrypt(SECRET_PURPOSE, sealed)
  } catch {
    return undefined
  }
}
