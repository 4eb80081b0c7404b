/** Encrypts stored secrets with the current LARDER_SECRET, so that the older one can be removed. */
import type { Deps } from '@larder-dev/larder/kernel'
import { SECRET_PURPOSE as CLIENT_SECRET } from '../sso/sso-connections.ts'
import { SECRET_PURPOSE as TOTP_SECRET } from './totp.ts'

const BATCH_SIZE = 500

interface Stored {
  readonly table: string
  readonly key: string
  readonly column: string
  readonly purpose: string
}
const STORED: readonly Stored[] = [
  { table: 'identity_totp', key: 'user_id', column: 'secret', purpose: TOTP_SECRET },
  { table: 'identity_sso_connections', key: 'id', column: 'client_secret', purpose: CLIENT_SECRET },
]
type Needs = Deps<'systemDatabase' | 'secrets'>

/** Skips secrets that no accepted LARDER_SECRET decrypts. */
export async function reencryptSecrets(deps: Needs, signal?: AbortSignal): Promise<void> {
  if (deps.secrets.rotating) for (const stored of STORED) await reencryptTable(deps, stored, signal)
}

async function reencryptTable(
  { systemDatabase, secrets }: Needs,
  { table, key, column, purpose }: Stored,
  signal: AbortSignal | undefined,
): Promise<void> {
  const unit = systemDatabase.acrossTenants('secrets of all are encrypted with the current LARDER_SECRET')
  for (let after = ''; ; ) {
    const { rows } = await unit.query<{ id: string; secret: Buffer }>(
      `select ${key} as id, ${column} as secret from ${table} where ${key} > $1 order by ${key} limit ${BATCH_SIZE}`,
      [after],
    )
    const changed = rows.flatMap(({ id, secret }) => {
      const again = reencrypt(secrets, purpose, secret)
      return again ? [{ id, secret, again }] : []
    })
    if (changed.length > 0)
      await unit.query(
        `update ${table} t set ${column} = r.again from unnest($1::text[], $2::bytea[], $3::bytea[]) as r (id, secret, again)
         where t.${key} = r.id and t.${column} = r.secret`,
        [changed.map(({ id }) => id), changed.map(({ secret }) => secret), changed.map(({ again }) => again)],
      )
    after = rows.at(-1)?.id ?? after
    if (rows.length < BATCH_SIZE || signal?.aborted) return
  }
}

/** Undefined for what needs no change, and for what no accepted secret decrypts. */
function reencrypt(secrets: Needs['secrets'], purpose: string, sealed: Buffer): Buffer | undefined {
  try {
    return secrets.reencrypt(purpose, sealed)
  } catch {
    return undefined
  }
}
