/**
 * The settings that statements run with on the server: those of a connection, and those that each transaction sets. Above
 * this file, work is only of a tenant or of the system.
 */
import { type Precondition, SECOND } from '@larder-dev/larder/kernel/internal'
import type { ClientConfig } from 'pg'
import type { RoleNames } from './role-names.ts'
import { type EncodedStatement, internalStatement } from './statements.ts'
import { encodeValues } from './values.ts'

/**
 * The cost of a page in sequence. With the default of 4, PostgreSQL reads and sorts all rows of a tenant for a list of 20
 * while a new table has no statistics, and keeps the plan until autovacuum analyzes the table. See
 * docs/decisions/0002-one-round-trip.md.
 */
const RANDOM_PAGE_COST = 1
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 15 * SECOND
const CONNECTION_SETTINGS = ['options', 'statement_timeout', 'idle_in_transaction_session_timeout'] as const
const TENANT_ID = /^[a-z0-9_]{1,64}$/

export interface ConnectionSettings {
  readonly writeTimeoutMs: number
  readonly readOnly: boolean
}

/** The startup parameters of a connection. Poolers reject them, so that each transaction behind one sets its own. */
export const connectionSettings = ({ writeTimeoutMs, readOnly }: ConnectionSettings) =>
  ({
    options: `-c random_page_cost=${RANDOM_PAGE_COST}${readOnly ? ' -c default_transaction_read_only=on' : ''}`,
    statement_timeout: writeTimeoutMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }) satisfies ClientConfig

/** Parameters of a URL would override the settings: of `options`, both apply, the kernel's last. */
export function withConnectionSettings(url: string, config: ClientConfig = {}): ClientConfig {
  const { options, statement_timeout: timeout } = config
  if (options === undefined || timeout === undefined) return { ...config, connectionString: url }
  const changed = new URL(url)
  const { searchParams } = changed
  const all = [searchParams.get('options'), options].filter(Boolean).join(' ')
  for (const name of CONNECTION_SETTINGS) searchParams.delete(name)
  return { ...config, options: all, connectionString: changed.href }
}

/** Conditions of a batch: if one isn't met, an error ends the batch. */
export interface BatchConditions {
  readonly precondition?: Precondition | undefined
  /** The tenant must not be suspended. */
  readonly refusesSuspended?: boolean | undefined
}

export interface TransactionSettings {
  /**
   * The statement that sets role, tenant and the timeout of each statement, for the current transaction only.
   * @param tenantId null for the system, across tenants.
   */
  enter(tenantId: string | null, statementTimeoutMs: number, conditions?: BatchConditions): EncodedStatement
}

export interface TransactionSettingsOptions {
  /** The connection has no settings of its own. */
  readonly pooled: boolean
  /** Their names can change while the process runs. */
  readonly access: { readonly roles: RoleNames }
}

export function createTransactionSettings({ pooled, access }: TransactionSettingsOptions): TransactionSettings {
  // The tenant id is a bound value, never SQL. The condition evaluates all calls, is never true, and so returns no row.
  function textOf(precedingValues = 0, condition = 'true'): string {
    const calls = [
      `set_config('role', $${precedingValues + 1}, true)`,
      `set_config('larder.tenant', $${precedingValues + 2}, true)`,
      `set_config('statement_timeout', $${precedingValues + 3}, true)`,
    ]
    if (pooled) calls.push(`set_config('random_page_cost', '${RANDOM_PAGE_COST}', true)`)
    return `select where length(${calls.join(' || ')}) < 0 or not (${condition})`
  }
  const unconditional = textOf()

  return {
    enter(tenantId, statementTimeoutMs, { precondition, refusesSuspended = false } = {}) {
      const { app, system } = access.roles
      const settings = [tenantId === null ? system : app, tenantId ?? '', String(statementTimeoutMs)]
      const isChecked = refusesSuspended && tenantId !== null
      if (!precondition && !isChecked) return internalStatement(unconditional, settings)
      const { condition = 'true', values = [] } = precondition ?? {}
      // Raises SQLSTATE `LA403` for a suspended tenant.
      const isActive = isChecked ? `larder_assert_active($${values.length + 2})` : 'true'
      const text = textOf(values.length, `(${condition}) and ${isActive}`)
      return internalStatement(text, [...encodeValues(values), ...settings])
    },
  }
}

/** @throws Error if the value cannot be a tenant's id, which is a defect of the caller. */
export function assertTenantId(tenantId: string): void {
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId))
    throw new Error(`'${String(tenantId).slice(0, 80)}' is not the id of a tenant`)
}
