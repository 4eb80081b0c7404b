/** Creates the functions that search collections, and drops those that nothing needs. */
import type { CollectionLayout } from '../../domain/tables/layout.ts'
import { searchFunction } from '../../domain/tables/search-sql.ts'
import { literal, quoteName } from '../../domain/tables/sql-literals.ts'
import type { OwnerSession } from './schema-store.ts'

interface ExistingFunction {
  readonly name: string
  readonly version: string
}

/** A restore without owners gives the functions to somebody whose rows row level security limits: they get a new one. */
const EXISTING = `select p.proname as name,
    case pg_get_userbyid(p.proowner) when 'larder_system' then obj_description(p.oid, 'pg_proc') else '' end as version
  from pg_proc p
  where p.pronamespace = current_schema()::regnamespace and obj_description(p.oid, 'pg_proc') like 'larder search %'`
const ARGUMENTS = '(tsquery, text, integer)'

/** Can be interrupted and repeated at any time. @param sharedOwner the tenant that owns the rows of shared collections. */
export async function reconcileSearchFunctions(
  { query, transaction }: OwnerSession,
  layouts: readonly CollectionLayout[],
  sharedOwner: string,
): Promise<void> {
  const { rows: existing } = await query<ExistingFunction>(EXISTING)
  const [place] = (await query<{ schema: string }>('select current_schema() as schema')).rows
  const schema = place?.schema ?? 'public'
  const wanted = layouts
    .filter(({ search }) => search.length > 0)
    .map(layout => searchFunction(layout, schema, sharedOwner))
  const isWanted = ({ name }: ExistingFunction) => wanted.some(other => other.name === name)
  const missing = wanted.filter(
    ({ name, version }) => !existing.some(other => other.name === name && other.version === version),
  )
  const unwanted = existing.filter(other => !isWanted(other))
  if (missing.length === 0 && unwanted.length === 0) return
  await transaction(async migrator => {
    // The owner of a function needs this right when it becomes the owner.
    await migrator.query(`grant create on schema ${quoteName(schema)} to larder_system`)
    for (const { name } of unwanted) await migrator.query(`drop function if exists ${quoteName(name)} ${ARGUMENTS}`)
    for (const { name, version, createSql } of missing) {
      const signature = `${quoteName(name)} ${ARGUMENTS}`
      await migrator.query(createSql)
      await migrator.query(`alter function ${signature} owner to larder_system`)
      await migrator.query(`revoke all on function ${signature} from public`)
      await migrator.query(`grant execute on function ${signature} to larder_app`)
      await migrator.query(`comment on function ${signature} is ${literal(version)}`)
    }
    await migrator.query(`revoke create on schema ${quoteName(schema)} from larder_system`)
  })
}
