/** Rows of endpoints. */
import type { Step, Unit } from '@larder-dev/larder/kernel'
import { parseTarget, type Target } from '@larder-dev/larder/kernel/internal'
import { MANAGED_BY_RECIPE } from '../domain/endpoint.ts'
import { type EndpointRow, endpointTable } from '../records/endpoint.ts'

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

/** The fields that the creator of an endpoint chooses. */
export interface EndpointFields {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string | null
}

/** The URL was checked before. */
function partsOf(url: string): Pick<Target, 'host' | 'address'> {
  const { host, address } = parseTarget(url) as Target
  return { host, address }
}

export function insertEndpoint(
  unit: Unit,
  tenantId: string,
  { now, ...fields }: EndpointFields & { readonly id: string; readonly now: Date },
  managed: { readonly key: string; readonly hash: string } | null = null,
): Promise<EndpointRow> {
  return endpointTable.insert(unit, {
    ...fields,
    ...partsOf(fields.url),
    ...(managed && { managed_by: MANAGED_BY_RECIPE, key: managed.key, recipe_hash: managed.hash }),
    tenant_id: tenantId,
    created_at: now,
    updated_at: now,
  })
}

export function updateSteps(
  id: string,
  patch: Partial<EndpointFields> & Pick<EndpointFields, 'url'>,
  now: Date,
  hash: string | null = null,
): Step[] {
  const parts = partsOf(patch.url)
  return [
    endpointTable.updateStep({ id }, { ...patch, ...parts, recipe_hash: hash, updated_at: now }),
    [MOVE_DELIVERIES, [id, patch.url, parts.host, parts.address, now]],
  ]
}

/** The secrets are deleted with the endpoint. Its deliveries stay until their retention ends. */
export const deleteSteps = (id: string, now: Date): Step[] => [
  endpointTable.deleteStep({ id }),
  [STOP_DELIVERIES, [id, 'deleted', now]],
]
