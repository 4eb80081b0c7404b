/** Signing secrets of a workspace: the current one, and rotated ones that keep signing for a day. */
import { DAY, type Deps, newId, type Unit } from 'larder/kernel'
import { generateSecret } from '../domain/signature.ts'

const PURPOSE = 'webhook secret'
/** Time for which a rotated secret keeps signing. */
const OVERLAP_MS = DAY
/** Each secret adds a signature to every request. */
const MAX_SIGNING_SECRETS = 4

export function createSecretStore({ database, clock, secrets }: Deps<'database' | 'clock' | 'secrets'>) {
  const decrypt = (sealed: Buffer) => secrets.decrypt(PURPOSE, sealed)

  const insert = (unit: Unit, tenantId: string) =>
    unit.query(
      `insert into webhooks_secrets (tenant_id, id, sealed, created_at) values ($1, $2, $3, $4)
       on conflict (tenant_id) where expires_at is null do nothing`,
      [tenantId, newId('whs'), secrets.encrypt(PURPOSE, generateSecret()), new Date(clock.now())],
    )

  const readActive = async (unit: Unit, tenantId: string): Promise<string[]> => {
    const { rows } = await unit.query<{ sealed: Buffer }>(
      `select sealed from webhooks_secrets where tenant_id = $1 and (expires_at is null or expires_at > $2)
       order by expires_at desc nulls first limit ${MAX_SIGNING_SECRETS}`,
      [tenantId, new Date(clock.now())],
    )
    return rows.map(({ sealed }) => decrypt(sealed))
  }

  /** Newest first. Creates the first secret on first use. */
  async function getAll(tenantId: string): Promise<string[]> {
    const unit = database.tenant(tenantId)
    const known = await readActive(unit, tenantId)
    if (known.length > 0) return known
    await insert(unit, tenantId)
    return readActive(unit, tenantId)
  }

  return {
    getAll,
    decrypt,
    async getCurrent(tenantId: string): Promise<string> {
      return (await getAll(tenantId))[0] as string
    },
    rotate: (tenantId: string) =>
      database.tenant(tenantId).transaction(async unit => {
        // Serializes concurrent rotations of a tenant.
        await unit.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks.rotate ${tenantId}`])
        const expiresAt = new Date(clock.now() + OVERLAP_MS)
        await unit.query('update webhooks_secrets set expires_at = $2 where tenant_id = $1 and expires_at is null', [
          tenantId,
          expiresAt,
        ])
        await insert(unit, tenantId)
        return { secret: (await readActive(unit, tenantId))[0] as string, previous_expires_at: expiresAt.toISOString() }
      }),
  }
}
export type SecretStore = ReturnType<typeof createSecretStore>
