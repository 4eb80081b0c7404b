/** The append-only log of changes to members, roles, API keys and logins. */
import { type Caller, type Deps, type LocalText, newId, type Unit } from '@larder-dev/larder/kernel'
import type { Actor } from '@larder-dev/larder/kernel/internal'
import { timeAt } from '../domain/time.ts'
import type { AuditLog, AuditRecord } from '../ports.ts'
import { auditFacts, type Names } from './domain/audit-details.ts'
import { auditActionsOf, NAMELESS, type Nameless, sentenceOf, usersOf } from './domain/audit-sentences.ts'
import { type AuditRow, auditTable } from './records.ts'

export interface AuditActor extends Actor {
  readonly userId: string | null
  /** User ID of the operator who acted as the user. */
  readonly impersonatedBy?: string | undefined
}
export const actorOf = (caller: Pick<Caller, 'kind' | 'principalId' | 'userId' | 'impersonatedBy'>): AuditActor => ({
  kind: caller.kind,
  id: caller.principalId,
  userId: caller.userId,
  impersonatedBy: caller.impersonatedBy,
})
export const SYSTEM_ACTOR: AuditActor = { kind: 'system', id: 'identity', userId: null }

export interface NewAuditEntry {
  /** The operator's tenant for entries that concern a user only. */
  readonly tenantId: string
  readonly action: string
  readonly actor: AuditActor
  readonly subject: string
  readonly details?: Readonly<Record<string, unknown>>
}
export interface AuditRecorder extends AuditLog {
  /** Writes the entry into the unit of work of the change itself. */
  record(unit: Unit, entry: NewAuditEntry): Promise<void>
  /**
   * Names, or addresses, of the users of these entries by ID. The operator's log is about users who belong to other
   * workspaces. Null in another log; empty if the caller may not read users.
   */
  userNames(caller: Caller, tenantId: string, entries: readonly AuditRecord[]): Promise<Map<string, string> | null>
}

const READ_USERS = 'identity.user.read_all'
const READ_MEMBERS = 'identity.member.read'

export function createAuditLog({
  database,
  systemDatabase,
  clock,
  models,
  operator,
  registry,
  theme,
  access,
}: Deps<
  'database' | 'systemDatabase' | 'clock' | 'models' | 'operator' | 'registry' | 'theme' | 'access'
>): AuditRecorder {
  const model = models.of(auditTable)
  /** Roles that a workspace made have no name here: the log of operators is about every workspace. */
  const titles: Names = {
    role: key => access.roles().find(role => role.key === key)?.name ?? key,
    permission: key => access.permissions().find(permission => permission.key === key)?.title,
  }

  /** Who reads only the members of a workspace learns no name of others. Empty if the caller may read neither. */
  async function namesOf(caller: Caller, entries: readonly AuditRecord[]): Promise<Map<string, string>> {
    const unit = namesUnit(caller)
    const ids = [...new Set(entries.flatMap(usersOf))]
    if (!unit || ids.length === 0) return new Map()
    const { rows } = await unit.query<{ id: string; name: string }>(
      'select id, coalesce(name, email) as name from identity_users where id = any ($1)',
      [ids],
    )
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  function namelessFor(caller: Caller): Nameless {
    if (caller.can(READ_USERS)) return NAMELESS.deleted
    return caller.can(READ_MEMBERS) ? NAMELESS.former : NAMELESS.user
  }
  function namesUnit(caller: Caller): Unit | undefined {
    if (caller.can(READ_USERS))
      return systemDatabase.acrossTenants('an operator reads the names of the users in the audit log')
    const { tenantId } = caller
    return tenantId !== undefined && caller.can(READ_MEMBERS) ? database.tenant(tenantId) : undefined
  }
  return {
    async record(unit, { tenantId, action, actor, subject, details = {} }) {
      const { kind, id, userId, impersonatedBy } = actor
      const row = {
        tenantId,
        id: newId('aud'),
        action,
        subject,
        details,
        actor: { kind, id, userId, impersonatedBy },
        createdAt: timeAt(clock),
      }
      await unit.defer([auditTable.insertStep(row)])
    },
    async list(tenantId, query) {
      const unit =
        tenantId === null
          ? systemDatabase.acrossTenants('an operator reads the audit log of every tenant')
          : database.tenant(tenantId)
      const { 'filter[action]': action, 'filter[userId]': userId } = query
      const { 'filter[since]': since, 'filter[until]': until } = query
      const { data, nextCursor } = await models.page(unit, model, {
        ...query,
        where: op => ({
          tenantId: tenantId ?? undefined,
          action,
          'actor.userId': userId,
          ...((since || until) && {
            createdAt: { ...(since && { [op.gte]: since }), ...(until && { [op.lte]: until }) },
          }),
        }),
      })
      return { data: auditTable.records(data).map(toRecord), nextCursor }
    },
    userNames: async (caller, tenantId, entries) => (tenantId === operator.tenantId ? namesOf(caller, entries) : null),
    async describe(caller, entries, locale) {
      const names = await namesOf(caller, entries)
      const actions = auditActionsOf(registry)
      const nameless = namelessFor(caller)
      const translate = (text: LocalText) => theme.text(locale, text)
      return entries.map(entry => {
        const { summary, said } = sentenceOf(entry, actions[entry.action], names, nameless, translate)
        const facts = auditFacts(entry.details, titles)
          .map(
            ({ label, date, texts, value = '' }) =>
              [translate(label), date ?? texts?.map(translate).join(', ') ?? value] as const,
          )
          .filter(([, value]) => !said.includes(value))
        return { ...entry, summary, facts: Object.fromEntries(facts) }
      })
    },
  }
}

/** Removes names and email addresses from the entries of a deleted tenant. The entries themselves are retained. */
export async function redactAuditLog({ systemDatabase }: Deps<'systemDatabase'>, tenantId: string): Promise<void> {
  await systemDatabase
    .acrossTenants('personal data of a deleted tenant is removed from its audit log')
    .query('select identity_audit_redact($1)', [tenantId])
}

const toRecord = ({ actor, ...entry }: AuditRow): AuditRecord => ({
  ...entry,
  actor: { ...actor, impersonatedBy: actor.impersonatedBy ?? null },
})
