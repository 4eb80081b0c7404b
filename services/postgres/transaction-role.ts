/** The role that the statements of a unit run as: that of one tenant, or that of the system across tenants. */
import type { Precondition } from '@larder-dev/larder/kernel/internal'
import { type ConnectionPool, RANDOM_PAGE_COST, type SettingsSource } from './pool.ts'
import { type EncodedStatement, internalStatement } from './statements.ts'
import { encodeValues } from './values.ts'

export interface TransactionRole {
  /** The tenant's id; null for the system. */
  readonly tenantId: string | null
  readonly source: SettingsSource
  /** Its name in PostgreSQL. */
  readonly role: string
}

// The tenant id is a bound value, never SQL. The condition evaluates all calls, is never true, and so returns no row.
function textOf(source: SettingsSource, precedingValues = 0, condition = 'true'): string {
  const calls = [
    `set_config('role', $${precedingValues + 1}, true)`,
    `set_config('larder.tenant', $${precedingValues + 2}, true)`,
    `set_config('statement_timeout', $${precedingValues + 3}, true)`,
  ]
  if (source === 'transaction') calls.push(`set_config('random_page_cost', '${RANDOM_PAGE_COST}', true)`)
  return `select where length(${calls.join(' || ')}) < 0 or not (${condition})`
}
const TEXTS: Readonly<Record<SettingsSource, string>> = {
  session: textOf('session'),
  transaction: textOf('transaction'),
}
const TENANT_ID = /^[a-z0-9_]{1,64}$/

type RoleSource = Pick<ConnectionPool, 'settingsSource' | 'roles'>

export const systemRole = (pool: RoleSource): TransactionRole => ({
  tenantId: null,
  source: pool.settingsSource,
  get role() {
    return pool.roles.system
  },
})

/** @throws Error if the value cannot be a tenant's id, which is a defect of the caller. */
export function tenantRole(tenantId: string, pool: RoleSource): TransactionRole {
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId))
    throw new Error(`'${String(tenantId).slice(0, 80)}' is not the id of a tenant`)
  return {
    tenantId,
    source: pool.settingsSource,
    get role() {
      return pool.roles.app
    },
  }
}

/** Conditions of a batch: if one isn't met, an error ends the batch. */
export interface RoleConditions {
  readonly precondition?: Precondition | undefined
  /** The tenant of the role must not be suspended. */
  readonly refusesSuspended?: boolean | undefined
}

/** Sets role, tenant and the timeout of each statement, for the current transaction only. */
export function enterRole(
  { role, tenantId, source }: TransactionRole,
  statementTimeoutMs: number,
  { precondition, refusesSuspended = false }: RoleConditions = {},
): EncodedStatement {
  const settings = [role, tenantId ?? '', String(statementTimeoutMs)]
  const isChecked = refusesSuspended && tenantId !== null
  if (!precondition && !isChecked) return internalStatement(TEXTS[source], settings)
  const { condition = 'true', values = [] } = precondition ?? {}
  // Raises SQLSTATE `LA403` for a suspended tenant.
  const isActive = isChecked ? `larder_assert_active($${values.length + 2})` : 'true'
  const text = textOf(source, values.length, `(${condition}) and ${isActive}`)
  return internalStatement(text, [...encodeValues(values), ...settings])
}
