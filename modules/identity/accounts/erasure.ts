/** Erases the address and the name of a deleted account, in every module and in the events and jobs of the kernel. */
import { type Deps, once, type Unit } from '@larder-dev/larder/kernel'
import { emailKey } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../domain/time.ts'
import type { ErasePersonalData } from '../ports.ts'
import { createRedactor, patternsOf } from './domain/redaction.ts'
import { erasureTable } from './records/erasure.ts'

export interface Erasures {
  /**
   * Records in the deleting transaction what to erase, and where. `unit` is across tenants. `remaining` are the tenants
   * that the user leaves behind.
   */
  request(unit: Unit, userId: string, remaining: readonly string[]): Promise<void>
  /** Repeatable. False while events or jobs that name the person are unfinished: call again later then. */
  run(userId: string, signal: AbortSignal): Promise<boolean>
}
interface UserRow {
  email: string
  name: string | null
  former_emails: string[]
  pending_email: string | null
  email_verified_at: Date | null
}

const SELECT_USER = `select u.email, u.name, u.former_emails, u.email_verified_at, c.email as pending_email
  from identity_users u left join identity_email_changes c on c.user_id = u.id where u.id = $1`

/** Tenants in which the user acted, and with a verified address those that invited them. */
const SELECT_TENANTS = `select distinct tenant_id from identity_audit where actor ->> 'userId' = $1
  union select tenant_id from identity_invitations where email_key = any ($2)`

export function createErasures({
  systemDatabase,
  operator,
  clock,
  jobs,
  registry,
  eventErasure,
}: Deps<'systemDatabase' | 'operator' | 'clock' | 'jobs' | 'registry' | 'eventErasure'>): Erasures {
  const system = () => systemDatabase.acrossTenants('personal data of a deleted account is erased in every tenant')
  const erasers = once(() => registry.collect<ErasePersonalData>('erasePersonalData').map(({ value }) => value))

  /** Returns the addresses that don't belong to another account by now. */
  async function freeAddresses(unit: Unit, userId: string, addresses: readonly string[]): Promise<string[]> {
    const keys = [...new Set(addresses.map(emailKey))]
    const { rows } = await unit.query<{ key: string }>(
      `select key from unnest($1::text[]) key
       where not exists (select from identity_users u where u.email_key = key and u.id <> $2)`,
      [keys, userId],
    )
    return rows.map(({ key }) => key)
  }

  async function eraseOwnRows(tenantId: string, userId: string, emails: readonly string[]): Promise<void> {
    await system().transaction(async unit => {
      await unit.defer([
        [
          'delete from identity_invitations where tenant_id = $1 and (accepted_by = $2 or email_key = any ($3))',
          [tenantId, userId, emails],
        ],
        ['select identity_audit_forget($1, $2, $3)', [tenantId, emails, userId]],
      ])
    })
  }

  return {
    async request(unit, userId, remaining) {
      const { rows } = await unit.query<UserRow>(SELECT_USER, [userId])
      const [user] = rows
      if (!user) return
      const { email, name, former_emails: former, pending_email: pending } = user
      const emails = await freeAddresses(unit, userId, [email, ...former, ...(pending === null ? [] : [pending])])
      // An address that was never verified may belong to somebody else, who keeps their invitations.
      const invited = user.email_verified_at === null ? [] : [emailKey(email)]
      const found = await unit.query<{ tenant_id: string }>(SELECT_TENANTS, [userId, invited])
      const tenantIds = new Set([operator.tenantId, ...remaining, ...found.rows.map(row => row.tenant_id)])
      const requested = { userId, emails, name, tenantIds: [...tenantIds], requestedAt: timeAt(clock) }
      await unit.defer([erasureTable.insertStep(requested)])
      await jobs.enqueue('identity.erase_user', { userId, pass: 1 }, { key: userId, tenantId: operator.tenantId })
    },

    async run(userId, signal) {
      const erasure = await erasureTable.find(system(), { userId })
      if (!erasure) return true
      const { name, tenantIds } = erasure
      const emails = await freeAddresses(system(), userId, erasure.emails)
      const person = { userId, emails, patterns: patternsOf(emails), name, redact: createRedactor({ emails, name }) }
      const complete = await eventErasure.run({ ...person, tenantIds }, signal)
      for (const tenantId of tenantIds) {
        for (const erase of erasers()) {
          signal.throwIfAborted()
          await erase({ ...person, tenantId })
        }
        await eraseOwnRows(tenantId, userId, emails)
      }
      if (complete) await system().query(...erasureTable.deleteStep({ userId }))
      return complete
    },
  }
}
