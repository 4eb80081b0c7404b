/** Rows of endpoints. */
import type { Step, Unit } from 'larder/kernel'
import type { EndpointRow } from '../domain/endpoint.ts'
import { parseTarget, type Target } from '../domain/targets.ts'

export const COLUMNS = `id, url, host, address, events, description, status, pause_reason, paused_at, failing_since,
  managed_by, key, revision, created_at, updated_at`

/** Rows that are being recorded are skipped: waiting for them while holding others could end in a deadlock. */
const pendingIds = (condition = 'true'): string => `array(
  select id from webhooks_deliveries where endpoint_id = $1 and status = 'pending' and ${condition} for update skip locked)`

/** Ends pending deliveries: `[endpoint, reason, now]`. An attempt in progress finishes, and may still deliver one. */
export const STOP_DELIVERIES = `
  update webhooks_deliveries set status = 'dead', reason = $2, next_attempt_at = null, updated_at = $3
  where id = any (${pendingIds()})`

/**
 * Sends pending deliveries to another URL: `[endpoint, url, host, address, now]`. A due delivery may be in flight: the next
 * claim moves it, or the retry of its attempt.
 */
const MOVE_DELIVERIES = `
  update webhooks_deliveries set url = $2, host = $3, address = $4 where id = any (${pendingIds('next_attempt_at > $5')})`

/** What the creator of an endpoint decides. */
export interface EndpointFields {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
}

/** The URL was checked before. */
const partsOf = (url: string): Pick<Target, 'host' | 'address'> => parseTarget(url) as Target

export async function findEndpoint(unit: Unit, id: string, lock = false): Promise<EndpointRow | undefined> {
  const text = `select ${COLUMNS} from webhooks_endpoints where id = $1 ${lock ? 'for update' : ''}`
  return (await unit.query<EndpointRow>(text, [id])).rows[0]
}

export function insertEndpoint(
  unit: Unit,
  tenantId: string,
  row: EndpointFields & { readonly id: string; readonly now: Date },
  managed: { readonly key: string; readonly hash: string } | null = null,
): Promise<unknown> {
  const { host, address } = partsOf(row.url)
  return unit.query(
    `insert into webhooks_endpoints (tenant_id, id, url, host, address, events, description, status, managed_by, key,
       recipe_hash, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, $10, $11, $11)`,
    [
      tenantId,
      row.id,
      row.url,
      host,
      address,
      row.events,
      row.description,
      managed && 'recipe',
      managed?.key,
      managed?.hash,
      row.now,
    ],
  )
}

export function updateSteps(id: string, fields: EndpointFields, now: Date, hash: string | null = null): Step[] {
  const { host, address } = partsOf(fields.url)
  return [
    [
      `update webhooks_endpoints set url = $2, host = $3, address = $4, events = $5, description = $6,
         recipe_hash = $8, revision = revision + 1, updated_at = $7 where id = $1`,
      [id, fields.url, host, address, fields.events, fields.description, now, hash],
    ],
    [MOVE_DELIVERIES, [id, fields.url, host, address, now]],
  ]
}

/** The secrets are deleted with the endpoint. Its deliveries stay until their retention ends. */
export const deleteSteps = (id: string, now: Date): Step[] => [
  ['delete from webhooks_endpoints where id = $1', [id]],
  [STOP_DELIVERIES, [id, 'deleted', now]],
]
