/** The identity that statements run as: one tenant, or the system across tenants. */

import type { EncodedStatement } from './pipelined-batch.ts'
import { STATEMENT_TIMEOUT_MS } from './pool.ts'
import { APP_ROLE, SYSTEM_ROLE } from './role-names.ts'
import { internalStatement } from './statements.ts'

export interface Identity {
  /** The tenant's id; null for the system. */
  readonly tenantId: string | null
  /** Sets role and tenant for the current transaction only. */
  readonly enter: EncodedStatement
}

/**
 * The cost of a page in sequence. With the default of 4, PostgreSQL reads and sorts all rows of a tenant for a list of 20
 * while a new table has no statistics, and keeps the plan until autovacuum analyzes the table. See
 * docs/decisions/0002-one-round-trip.md.
 */
const RANDOM_PAGE_COST = 1

// The tenant id is a bound value, never SQL. The settings are set here because poolers reject startup parameters.
// The condition evaluates all calls, is never true, and so returns no row.
const ENTER = internalStatement(
  `select where length(set_config('role', $1, true) || set_config('larder.tenant', $2, true)
     || set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true)
     || set_config('random_page_cost', '${RANDOM_PAGE_COST}', true)) < 0`,
)
const TENANT_ID = /^[a-z0-9_]{1,64}$/

export const SYSTEM: Identity = { tenantId: null, enter: { statement: ENTER, values: [SYSTEM_ROLE, ''] } }

/** @throws Error if the value cannot be a tenant's id, which is a defect of the caller. */
export function tenantIdentity(tenantId: string): Identity {
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId))
    throw new Error(`'${String(tenantId).slice(0, 80)}' is not the id of a tenant`)
  return { tenantId, enter: { statement: ENTER, values: [APP_ROLE, tenantId] } }
}
