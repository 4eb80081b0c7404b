/** The identity that statements run as: one tenant, or the system across tenants. */

import type { Precondition } from 'larder/kernel'
import { type EncodedStatement, encodeOnce, encodeValues } from './encoded-statement.ts'
import { RANDOM_PAGE_COST, type SettingsSource, STATEMENT_TIMEOUT_MS } from './pool.ts'
import { APP_ROLE, SYSTEM_ROLE } from './role-names.ts'
import { internalStatement, type Statement } from './statements.ts'

export interface Identity {
  /** The tenant's id; null for the system. */
  readonly tenantId: string | null
  readonly source: SettingsSource
  /** Sets role and tenant for the current transaction only. */
  readonly enter: EncodedStatement
}

// The tenant id is a bound value, never SQL. The condition evaluates all calls, is never true, and so returns no row.
const enterStatement = (source: SettingsSource, preceding = 0, condition = 'true'): Statement => {
  const calls = [`set_config('role', $${preceding + 1}, true)`, `set_config('larder.tenant', $${preceding + 2}, true)`]
  if (source === 'transaction')
    calls.push(
      `set_config('statement_timeout', '${STATEMENT_TIMEOUT_MS}', true)`,
      `set_config('random_page_cost', '${RANDOM_PAGE_COST}', true)`,
    )
  return internalStatement(`select where length(${calls.join(' || ')}) < 0 or not (${condition})`)
}
interface Enters {
  readonly plain: Statement
  /** By condition. Authenticators have few. */
  readonly conditional: Map<string, Statement>
}
const entersOf = (source: SettingsSource): Enters => ({ plain: enterStatement(source), conditional: new Map() })
const ENTERS: Readonly<Record<SettingsSource, Enters>> = {
  session: entersOf('session'),
  transaction: entersOf('transaction'),
}
const TENANT_ID = /^[a-z0-9_]{1,64}$/

const identityOf = (tenantId: string | null, source: SettingsSource): Identity => ({
  tenantId,
  source,
  enter: encodeOnce(ENTERS[source].plain, tenantId === null ? [SYSTEM_ROLE, ''] : [APP_ROLE, tenantId]),
})

export const systemIdentity = (source: SettingsSource): Identity => identityOf(null, source)

/** @throws Error if the value cannot be a tenant's id, which is a defect of the caller. */
export function tenantIdentity(tenantId: string, source: SettingsSource): Identity {
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId))
    throw new Error(`'${String(tenantId).slice(0, 80)}' is not the id of a tenant`)
  return identityOf(tenantId, source)
}

interface Verification {
  readonly identity: Identity
  readonly statement: EncodedStatement
}
/** The last one of each precondition. A caller's requests have the same tenant, as a rule. */
const verifications = new WeakMap<Precondition, Verification>()

/** Enters only if the precondition holds: its error ends the batch. */
export function enterWithPrecondition(identity: Identity, precondition: Precondition): EncodedStatement {
  const known = verifications.get(precondition)
  if (known?.identity === identity) return known.statement
  const { condition, values } = precondition
  const { enter, source } = identity
  const { conditional } = ENTERS[source]
  const text = conditional.get(condition) ?? enterStatement(source, values.length, condition)
  conditional.set(condition, text)
  const statement = encodeOnce(text, [...encodeValues(values), ...enter.values])
  verifications.set(precondition, { identity, statement })
  return statement
}
