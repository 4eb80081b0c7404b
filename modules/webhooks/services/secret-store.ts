/** The secret with which a workspace's webhooks are signed: one is shown, replaced ones sign on for a day. */
import { DAY, type Deps, newId, type Unit } from 'larder/kernel'
import { newSecret } from '../domain/signature.ts'

const PURPOSE = 'webhook secret'
/** For how long a replaced secret goes on signing. */
const OVERLAP = DAY
/** Each adds a signature to every request. */
const MOST_SIGNING = 4

export function createSecretStore({ database, clock, secrets }: Deps<'database' | 'clock' | 'secrets'>) {
  const open = (sealed: Buffer) => secrets.decrypt(PURPOSE, sealed)

  const insert = (unit: Unit, tenantId: string) =>
    unit.query(
      `insert into webhooks_secrets (tenant_id, id, sealed, created_at) values ($1, $2, $3, $4)
       on conflict (tenant_id) where expires_at is null do nothing`,
      [tenantId, newId('whs'), secrets.encrypt(PURPOSE, newSecret()), new Date(clock.now())],
    )

  const signing = async (unit: Unit, tenantId: string): Promise<string[]> => {
    const { rows } = await unit.query<{ sealed: Buffer }>(
      `select sealed from webhooks_secrets where tenant_id = $1 and (expires_at is null or expires_at > $2)
       order by expires_at desc nulls first limit ${MOST_SIGNING}`,
      [tenantId, new Date(clock.now())],
    )
    return rows.map(({ sealed }) => open(sealed))
  }

  /** Newest first; made at the first question. */
  async function all(tenantId: string): Promise<string[]> {
    const unit = database.tenant(tenantId)
    const known = await signing(unit, tenantId)
    if (known.length > 0) return known
    await insert(unit, tenantId)
    return signing(unit, tenantId)
  }

  return {
    all,
    open,
    async current(tenantId: string): Promise<string> {
      return (await all(tenantId))[0] as string
    },
    rotate: (tenantId: string) =>
      database.tenant(tenantId).transaction(async unit => {
        // Two at once: the second waits here and replaces what the first made.
        await unit.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks.rotate ${tenantId}`])
        const until = new Date(clock.now() + OVERLAP)
        await unit.query('update webhooks_secrets set expires_at = $2 where tenant_id = $1 and expires_at is null', [
          tenantId,
          until,
        ])
        await insert(unit, tenantId)
        return { secret: (await signing(unit, tenantId))[0] as string, previous_expires_at: until.toISOString() }
      }),
  }
}
export type SecretStore = ReturnType<typeof createSecretStore>
