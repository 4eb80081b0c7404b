/** Signing secrets of workspaces and endpoints: the current one, and rotated ones that keep signing for a day. */
import { DAY, type Deps, newId, type SealedColumn, sealedValues, together, type Unit } from '@larder-dev/larder/kernel'
import { generateSecret } from '../domain/signature.ts'
import { problems } from '../problems.ts'
import { secretTable } from '../records/secret.ts'

export const SECRET_COLUMN: SealedColumn = {
  table: 'webhooks_secrets',
  key: ['id'],
  column: 'sealed',
  purpose: 'webhook secret',
}
const UNLESS_CURRENT = "on conflict (tenant_id, coalesce(endpoint_id, '')) where expires_at is null do nothing"
/** Time for which a rotated secret keeps signing. */
const OVERLAP_MS = DAY
/** Each secret adds a signature to every request. */
const MAX_SIGNING_SECRETS = 4

/** Whose secret it is: an endpoint's, or without one the workspace's. */
export interface SecretOwner {
  readonly tenantId: string
  readonly endpointId: string | null
}

export interface RotatedSecret {
  readonly secret: string
  /** RFC 3339; null if there is no previous secret that can still sign. */
  readonly previous_expires_at: string | null
}

export function createSecretStore({ database, clock, secrets, log }: Deps<'database' | 'clock' | 'secrets' | 'log'>) {
  const values = sealedValues({ secrets, log }, SECRET_COLUMN)
  /** The deliveries of a claim share the arrays of their encrypted secrets. */
  const decrypted = new WeakMap<readonly Buffer[], readonly string[]>()

  async function insert(unit: Unit, { tenantId, endpointId }: SecretOwner): Promise<string> {
    const secret = generateSecret()
    const sealed = values.seal(secret)
    const stored = { id: newId('whs'), tenantId, endpointId, sealed, createdAt: new Date(clock.now()) }
    await unit.defer([secretTable.insertStep(stored, UNLESS_CURRENT)])
    return secret
  }

  /** Newest first. */
  async function readActive(unit: Unit, { tenantId, endpointId }: SecretOwner): Promise<Buffer[]> {
    const { rows } = await unit.query<{ sealed: Buffer }>(
      `select sealed from webhooks_secrets
       where tenant_id = $1 and endpoint_id is not distinct from $2 and (expires_at is null or expires_at > $3)
       order by expires_at desc nulls first limit ${MAX_SIGNING_SECRETS}`,
      [tenantId, endpointId, new Date(clock.now())],
    )
    return rows.map(({ sealed }) => sealed)
  }

  /** Creates the first secret on first use. */
  async function readOrCreate(owner: SecretOwner, exists?: Promise<unknown>): Promise<Buffer[]> {
    const unit = database.tenant(owner.tenantId)
    const { known } = await together({ exists, known: readActive(unit, owner) })
    if (known.length > 0) return known
    await insert(unit, owner)
    return readActive(unit, owner)
  }

  return {
    /** Newest first. Throws `secret_unreadable` if none can be decrypted. */
    async getSigning(owner: SecretOwner, known?: readonly Buffer[] | null): Promise<readonly string[]> {
      const sealed = known ?? (await readOrCreate(owner))
      const readable =
        decrypted.get(sealed) ??
        sealed.map(secret => values.tryOpen(secret, owner)).filter(secret => secret !== undefined)
      decrypted.set(sealed, readable)
      if (readable.length === 0) throw problems.secret_unreadable()
      return readable
    },
    /** Throws `secret_unreadable`, or the error of `exists`: nothing is created then. */
    async getCurrent(owner: SecretOwner, exists?: Promise<unknown>): Promise<string> {
      const [current] = await readOrCreate(owner, exists)
      if (!current) throw problems.secret_unreadable()
      return values.open(current, problems.secret_unreadable, owner)
    },
    /** Replaces the secret. An unreadable one stops signing at once. */
    rotate: ({ tenantId, endpointId }: SecretOwner): Promise<RotatedSecret> =>
      database.tenant(tenantId).transaction(async unit => {
        const owner = { tenantId, endpointId }
        // Serializes concurrent rotations of an owner.
        // Pipelined: the read sees what the previous holder of the lock committed.
        const locked = unit.lock('webhooks.rotate', tenantId, endpointId ?? '')
        const [[previous]] = await Promise.all([readActive(unit, owner), locked])
        const isReadable = previous !== undefined && values.tryOpen(previous, owner) !== undefined
        const expiresAt = new Date(clock.now() + (isReadable ? OVERLAP_MS : 0))
        await unit.defer([
          [
            `update webhooks_secrets set expires_at = $3
             where tenant_id = $1 and endpoint_id is not distinct from $2 and expires_at is null`,
            [tenantId, endpointId, expiresAt],
          ],
        ])
        const secret = await insert(unit, owner)
        return { secret, previous_expires_at: isReadable ? expiresAt.toISOString() : null }
      }),
  }
}
export type SecretStore = ReturnType<typeof createSecretStore>
