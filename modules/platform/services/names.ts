/** Names of records by their IDs: one statement for each kind of record, sent together. */
import { type Caller, type Deps, type LocalText, once, type Registrations, type Unit } from '@larder-dev/larder/kernel'
import type { NamedRow, QueriedNames } from '../ports.ts'
import type { RecordName } from '../records/name.ts'

type Source = Registrations['names'][number]

export interface Names {
  /** The IDs of known kinds, in their order. @param tenantId the current workspace, whose records have names. */
  find(ids: readonly string[], reader: Reader): Promise<RecordName[]>
  /** The same, and what activity may say about people. */
  findDeeds(ids: readonly string[], reader: Reader): Promise<NamedDeeds>
}
interface NamedDeeds {
  readonly names: readonly RecordName[]
  /** Records whose author the reader may not read. */
  readonly withoutAuthor: ReadonlySet<string>
  /** IDs of kinds whose names the reader may read: one without a name is gone. */
  readonly nameable: ReadonlySet<string>
}
export interface Reader {
  readonly caller: Caller
  readonly tenantId: string | undefined
  readonly locale: string
}

const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf('_'))

type NameDeps = Deps<'registry' | 'theme' | 'database' | 'systemDatabase'>

export function createNames({ registry, theme, database, systemDatabase }: NameDeps): Names {
  const sources = once(() => registry.collect<readonly Source[]>('names').flatMap(({ value }) => value))

  async function rowsOf({ names }: Source, ids: readonly string[], reader: Reader): Promise<readonly NamedRow[]> {
    if (!names) return []
    const { caller, tenantId } = reader
    if (typeof names === 'function') return tenantId === undefined ? [] : names(ids, caller, tenantId)
    if (!mayRead(names, reader)) return []
    const isAll = mayReadAll(names, caller)
    const across = () => systemDatabase.acrossTenants('the console names records that a caller may read')
    const unit: Unit = isAll || names.isSystem || tenantId === undefined ? across() : database.tenant(tenantId)
    const scope = names.isSystem ? [isAll ? null : tenantId] : []
    return (await unit.query<NamedRow>(names.sql, [ids, ...scope])).rows
  }

  async function findDeeds(ids: readonly string[], reader: Reader): Promise<NamedDeeds> {
    const asked = sources().flatMap(source => {
      const own = ids.filter(id => prefixOf(id) === source.prefix)
      return own.length > 0 ? [{ source, own }] : []
    })
    const found = await Promise.all(
      asked.map(async ({ source, own }) => ({ source, rows: await rowsOf(source, own, reader) })),
    )
    const withoutAuthor = found.flatMap(({ rows }) => rows.filter(({ hidesAuthor }) => hidesAuthor).map(({ id }) => id))
    const names = [...new Set(ids)].flatMap(id => {
      const kinds = found.filter(({ source }) => source.prefix === prefixOf(id))
      const named = kinds.flatMap(({ source, rows }) => rows.filter(row => row.id === id).map(row => ({ source, row })))
      const translate = (text: LocalText) => theme.text(reader.locale, text)
      // Two kinds of records can have the same prefix.
      const sources = named[0] ? [named[0].source] : kinds.map(({ source }) => source)
      return sources.length > 0 ? [toName(id, sources, named[0]?.row, translate)] : []
    })
    const nameable = asked.filter(({ source: { names } }) => typeof names === 'object' && mayRead(names, reader))
    return {
      names,
      withoutAuthor: new Set(withoutAuthor),
      nameable: new Set(nameable.flatMap(({ own }) => own)),
    }
  }

  return { find: async (ids, reader) => [...(await findDeeds(ids, reader)).names], findDeeds }
}

const mayReadAll = ({ allowAll }: QueriedNames, caller: Caller): boolean =>
  allowAll !== undefined && caller.can(allowAll)

const mayRead = (names: QueriedNames, { caller, tenantId }: Reader): boolean =>
  mayReadAll(names, caller) || (tenantId !== undefined && caller.can(names.allow))

const toName = (
  id: string,
  sources: readonly Source[],
  row: NamedRow | undefined,
  translate: (text: LocalText) => string,
): RecordName => ({
  id,
  title: sources.map(({ title }) => translate(title)).join(' / '),
  name: row?.name ?? null,
  resource: (row && sources[0]?.resource) ?? null,
  key: row?.key ?? id,
})
