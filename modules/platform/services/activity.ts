/** What people did in a workspace, from the events of all modules. */
import { type Deps, defineTexts, once } from '@larder-dev/larder/kernel'
import { publicEventsOf } from '@larder-dev/larder/kernel/internal'
import { type Deed, notableDeeds, sentenceOf } from '../domain/deeds.ts'
import type { ActivityEntry } from '../records/activity-entry.ts'
import type { Names, Reader } from './names.ts'

export interface Activity {
  /** The newest first, about records that the reader may read now. Deleted records have none. */
  list(reader: Reader & { readonly tenantId: string }, limit: number): Promise<ActivityEntry[]>
}

/** The newest events of the workspace, of any type. */
const READ_EVENTS = 500
/** Deeds whose records are looked up, because the reader may not read some of them. */
const MAX_DEEDS = 100
/** Rows that an import wrote are left out: they would hide everything else. */
const NEWEST = `select * from (
    select id, type, occurred_at, actor, subject, payload from larder_events
    where tenant_id = $1 order by id desc limit ${READ_EVENTS}
  ) e where type = any ($2) and subject is not null and not payload ? 'bulk' order by id desc`
const NAMELESS = defineTexts({ operator: 'An operator', somebody: 'Somebody' })

interface EventRow {
  readonly id: string
  readonly type: string
  readonly occurred_at: Date
  readonly actor: Deed['actor'] & { readonly impersonatedBy?: string }
  readonly subject: string
}

export function createActivity({
  registry,
  theme,
  database,
  names,
}: Deps<'registry' | 'theme' | 'database'> & { readonly names: Names }): Activity {
  /** By type, without those that the audit log has. */
  const titles = once(() => {
    const audited = new Set(
      registry
        .collect<object>('auditActions')
        .flatMap(({ key, value }) => Object.keys(value).map(action => `${key}.${action}`)),
    )
    return new Map(
      publicEventsOf(registry.declared())
        .filter(({ type }) => !audited.has(type))
        .map(({ type, description }) => [type, description]),
    )
  })

  const permissions = once(() =>
    registry
      .collect<Readonly<Record<string, string>>>('activityPermissions')
      .flatMap(({ value }) => Object.entries(value)),
  )
  /** Events of these types are left out before the newest are chosen, so that they hide no others. */
  const typesFor = ({ caller }: Reader): string[] => {
    const withheld = new Set(permissions().flatMap(([type, permission]) => (caller.can(permission) ? [] : type)))
    return [...titles().keys()].filter(type => !withheld.has(type))
  }

  return {
    async list(reader, limit) {
      const { tenantId, locale } = reader
      const { rows } = await database.tenant(tenantId).query<EventRow>(NEWEST, [tenantId, typesFor(reader)])
      const deeds = notableDeeds(rows.filter(row => sentenceOf(row) !== undefined)).slice(0, MAX_DEEDS)
      const ids = new Set([
        ...deeds.map(({ subject }) => subject),
        ...deeds.flatMap(({ actor }) => personOf(actor) ?? []),
      ])
      const { names: found, withoutAuthor, nameable } = await names.findDeeds([...ids], reader)
      const readable = new Map(
        found.filter(({ name, resource }) => name !== null || resource !== null).map(named => [named.id, named]),
      )
      const mayName = (id: string) => id === reader.caller.userId || nameable.has(id)
      return deeds
        .flatMap(({ id, type, occurred_at: at, actor, subject }): ActivityEntry[] => {
          const named = readable.get(subject)
          if (!named) return []
          const person = personOf(actor)
          const hidesAuthor = withoutAuthor.has(subject) && person !== reader.caller.userId
          const actorId = person !== undefined && !hidesAuthor && mayName(person) ? person : null
          const nameless = actor.impersonatedBy && !hidesAuthor ? NAMELESS.operator : NAMELESS.somebody
          const sentence = theme
            .text(locale, sentenceOf({ type, actor, subject }) ?? '')
            .replace('{event}', theme.text(locale, titles().get(type) ?? type).replace(/\.$/, ''))
            .replace('{actor}', actorId ? '{actor}' : theme.text(locale, nameless))
          return [{ id, createdAt: at.toISOString(), sentence, actorId, subjectId: subject, kind: named.title }]
        })
        .slice(0, limit)
    },
  }
}

/** Undefined for what nobody did, and for what an operator did in the place of somebody else. */
const personOf = ({ kind, id, userId, impersonatedBy }: EventRow['actor']): string | undefined =>
  kind === 'system' || impersonatedBy ? undefined : (userId ?? id)
