/** Email domains of workspaces. A record in the DNS proves that a domain is theirs, as long as it is there. */
import { randomBytes } from 'node:crypto'
import {
  type Caller,
  DAY,
  type Deps,
  HOUR,
  invalidField,
  isUniqueViolation,
  newId,
  together,
  type Unit,
  wording,
} from '@larder-dev/larder/kernel'
import { type AuditActor, type AuditRecorder, actorOf, SYSTEM_ACTOR } from '../../audit/audit-log.ts'
import { isPublicDomain, normalDomain } from '../../domain/email-domains.ts'
import { pastedDomain } from '../../domain/pasted.ts'
import { timeAt } from '../../domain/time.ts'
import { lockTenant } from '../../workspaces/tenant-record.ts'
import { BATCH_SIZE, examineAll } from './examine-all.ts'
import { ssoProblems } from './problems.ts'
import { type SsoDomain, type StoredSsoDomain, ssoDomainTable } from './records.ts'
import { requireSso } from './sso-entitlement.ts'
import type { TxtRecords } from './txt-records.ts'

const MAX_DOMAINS = 20
const TOKEN_BYTES = 20
const CHECK_INTERVAL_MS = 20 * HOUR
/** How long the record of a verified domain may be missing. */
const GRACE_MS = 7 * DAY

export const lapsesAt = (missingSince: Date): Date => new Date(missingSince.getTime() + GRACE_MS)

export interface SsoDomains {
  /** All of the workspace, by name. */
  list(tenantId: string): Promise<readonly SsoDomain[]>
  /** Throws `sso_domain_taken`, `sso_domain_exists`, `too_many_sso_domains`, and 422 for a public mail domain. */
  add(tenantId: string, domain: string, caller: Caller): Promise<SsoDomain>
  /** Looks the record up. Throws `sso_record_missing`, `sso_dns_unavailable` and `sso_domain_taken`. */
  verify(tenantId: string, id: string, caller: Caller): Promise<SsoDomain>
  remove(tenantId: string, id: string, caller: Caller): Promise<void>
  /** Looks up the records of verified domains again. */
  recheck(signal: AbortSignal): Promise<void>
}
type Needs = Deps<'database' | 'systemDatabase' | 'clock' | 'events', 'entitlements'> & {
  readonly audit: AuditRecorder
  readonly txtRecords: TxtRecords
}

export function createSsoDomains(deps: Needs): SsoDomains {
  const { database, systemDatabase, clock, events, audit, txtRecords } = deps
  const everywhere = () => systemDatabase.acrossTenants('a verified domain belongs to one workspace of all')

  const isTaken = async (tenantId: string, domain: string): Promise<boolean> => {
    const { rowCount } = await everywhere().query(
      'select from identity_sso_domains where domain = $1 and verified_at is not null and tenant_id <> $2',
      [domain, tenantId],
    )
    return rowCount > 0
  }

  async function announce(
    unit: Unit,
    change: 'added' | 'removed' | 'verified' | 'lapsed',
    tenantId: string,
    { id, domain }: StoredSsoDomain,
    actor: AuditActor,
  ): Promise<void> {
    await audit.record(unit, { tenantId, action: `sso_domain.${change}`, actor, subject: id, details: { domain } })
    if (change === 'verified' || change === 'lapsed')
      await events.publish(`identity.sso_domain.${change}`, {
        tenantId,
        subject: id,
        payload: { domainId: id, domain },
      })
  }

  async function announceMissing(unit: Unit, tenantId: string, { id, domain }: StoredSsoDomain): Promise<void> {
    const action = 'sso_domain.record_missing'
    await audit.record(unit, { tenantId, action, actor: SYSTEM_ACTOR, subject: id, details: { domain } })
    const payload = { domainId: id, domain, lapsesAt: lapsesAt(new Date(clock.now())).toISOString() }
    await events.publish(`identity.${action}`, { tenantId, subject: id, payload })
  }

  async function recheckOne({ tenant_id: tenantId, ...domain }: StoredSsoDomain & { tenant_id: string }) {
    const found = await txtRecords(domain.domain)
    // Name servers that don't answer say nothing about the domain.
    if (found === null) return
    const checkedAt = timeAt(clock)
    const unit = database.tenant(tenantId)
    const where = { id: domain.id, token: domain.token }
    if (found.includes(recordOf(domain)))
      return void (await unit.query(...ssoDomainTable.updateStep(where, { checkedAt, missingSince: null })))
    const { missingSince } = domain
    await unit.transaction(async inner => {
      if (missingSince === null) {
        const { rowCount } = await inner.query(
          ...ssoDomainTable.updateStep(where, { checkedAt, missingSince: checkedAt }),
        )
        if (rowCount > 0) await announceMissing(inner, tenantId, domain)
        return
      }
      if (Date.parse(missingSince) > clock.now() - GRACE_MS)
        return void (await inner.query(...ssoDomainTable.updateStep(where, { checkedAt })))
      // A workspace that was deleted has no domain any more.
      await inner.query('select from identity_tenants where tenant_id = $1 for no key update', [tenantId])
      const lapsed = { checkedAt, missingSince: null, verifiedAt: null }
      const { rowCount } = await inner.query(...ssoDomainTable.updateStep(where, lapsed))
      if (rowCount > 0) await announce(inner, 'lapsed', tenantId, domain, SYSTEM_ACTOR)
    })
  }

  return {
    async list(tenantId) {
      const rows = await ssoDomainTable.query(
        database.tenant(tenantId),
        `select ${ssoDomainTable.columns()} from identity_sso_domains where tenant_id = $1 order by domain`,
        [tenantId],
      )
      return rows.map(toDomain)
    },

    async add(tenantId, text, caller) {
      const domain = normalDomain(pastedDomain(text))
      if (domain === undefined)
        throw invalidField('/domain', 'wrong_format', wording('must be a domain such as acme.com'))
      if (isPublicDomain(domain))
        throw invalidField(
          '/domain',
          'public_domain',
          wording('must be a domain in which only your organization has addresses'),
        )
      return database.tenant(tenantId).transaction(async unit => {
        const { taken, own } = await together({
          lock: lockTenant(unit, tenantId),
          taken: isTaken(tenantId, domain),
          own: unit.query('select from identity_sso_domains where tenant_id = $1', [tenantId]),
          entitled: requireSso(deps, tenantId),
        })
        if (taken) throw ssoProblems.sso_domain_taken()
        if (own.rowCount >= MAX_DOMAINS) throw ssoProblems.too_many_sso_domains({ limit: MAX_DOMAINS })
        const id = newId('ssd', clock.now())
        const token = randomBytes(TOKEN_BYTES).toString('hex')
        const createdAt = timeAt(clock)
        const unverified = { verifiedAt: null, checkedAt: null, missingSince: null }
        const stored = await ssoDomainTable
          .insert(unit, { id, tenantId, domain, token, ...unverified, createdAt })
          .catch((error: unknown) => {
            throw isUniqueViolation(error) ? ssoProblems.sso_domain_exists() : error
          })
        await announce(unit, 'added', tenantId, stored, actorOf(caller))
        return toDomain(stored)
      })
    },

    async verify(tenantId, id, caller) {
      const { domain } = await together({
        domain: ssoDomainTable.get(database.tenant(tenantId), { id }),
        entitled: requireSso(deps, tenantId),
      })
      if (await isTaken(tenantId, domain.domain)) throw ssoProblems.sso_domain_taken()
      const found = await txtRecords(domain.domain)
      if (found === null) throw ssoProblems.sso_dns_unavailable({ domain: domain.domain })
      if (!found.includes(recordOf(domain))) throw ssoProblems.sso_record_missing({ domain: domain.domain })
      return database.tenant(tenantId).transaction(async unit => {
        const { before } = await together({
          // The database changes members of a workspace that requires single sign-on.
          lock: lockTenant(unit, tenantId),
          before: ssoDomainTable.get(unit, { id }, { lock: true }),
        })
        const now = timeAt(clock)
        const verified = { checkedAt: now, missingSince: null, verifiedAt: before.verifiedAt ?? now }
        const updated = await ssoDomainTable.update(unit, { id }, verified).catch((error: unknown) => {
          // Another workspace has verified it at the same time.
          throw isUniqueViolation(error) ? ssoProblems.sso_domain_taken() : error
        })
        if (before.verifiedAt === null) await announce(unit, 'verified', tenantId, updated, actorOf(caller))
        return toDomain(updated)
      })
    },

    async remove(tenantId, id, caller) {
      await database.tenant(tenantId).transaction(async unit => {
        const { removed } = await together({
          lock: lockTenant(unit, tenantId),
          removed: ssoDomainTable.delete(unit, { id }),
        })
        await announce(unit, 'removed', tenantId, removed, actorOf(caller))
      })
    },

    recheck: signal =>
      examineAll(
        after =>
          ssoDomainTable.query<{ tenant_id: string }>(
            everywhere(),
            `select ${ssoDomainTable.columns()}, tenant_id from identity_sso_domains
             where verified_at is not null and checked_at < $1 and id > $2 order by id limit ${BATCH_SIZE}`,
            [timeAt(clock, -CHECK_INTERVAL_MS), after],
          ),
        recheckOne,
        signal,
      ),
  }
}

const recordOf = ({ token }: Pick<StoredSsoDomain, 'token'>): string => `larder-verification=${token}`

const toDomain = ({ token, ...domain }: StoredSsoDomain): SsoDomain => ({ ...domain, record: recordOf({ token }) })
