/** As whom statements run: one tenant, or the system across tenants. */
import { APP_ROLE, SYSTEM_ROLE } from './app-access.ts'
import type { Packed } from './pipelined-batch.ts'
import { STATEMENT_TIMEOUT } from './pool.ts'
import { ownStatement } from './statements.ts'

export interface Identity {
  /** The tenant's id; null for the system. */
  readonly tenantId: string | null
  /** Sets role and tenant for the transaction alone. */
  readonly enter: Packed
}

// Bound values: nothing of a tenant's id becomes SQL. Behind a pooler no startup parameter can set the timeout.
// A condition that never holds calls them all and answers no row.
const ENTER = ownStatement(
  `select where length(set_config('role', $1, true) || set_config('larder.tenant', $2, true)
     || set_config('statement_timeout', '${STATEMENT_TIMEOUT}', true)) < 0`,
)
const TENANT_ID = /^[a-z0-9_]{1,64}$/

export const SYSTEM: Identity = { tenantId: null, enter: { statement: ENTER, values: [SYSTEM_ROLE, ''] } }

/** @throws Error on what can be no tenant's id: the caller looked none up. */
export function tenantIdentity(tenantId: string): Identity {
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId))
    throw new Error(`'${String(tenantId).slice(0, 80)}' is not the id of a tenant`)
  return { tenantId, enter: { statement: ENTER, values: [APP_ROLE, tenantId] } }
}
