import type { Deps, RecipeChange, RecipeView } from '@larder-dev/larder/kernel'
import { sameValue } from '../domain/value.ts'
import type { FlagRow } from '../records/flag.ts'
import { recipeFlags } from '../services/flag-repository.ts'
import { changesType, type DeclaredFlag, diffFlags, type FlagWrite, isOfRecipe } from './diff.ts'
import type { Sections } from './sections.ts'

/** Numbers of tenants that a change of the flag affects. */
interface AffectedTenants {
  /** Have their own flag with this key, which the recipe's flag hides. */
  readonly hidden: number
  readonly overriding: number
  /** Have their own flags that require it. */
  readonly requiring: number
}

const NONE: AffectedTenants = { hidden: 0, overriding: 0, requiring: 0 }

export async function plan(
  { systemDatabase }: Deps<'systemDatabase'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const { writes, gone } = diffFlags(await recipeFlags(systemDatabase), sections.features)
  const keys = [...writes.map(({ declared }) => declared.key), ...gone.map(({ row }) => row.key)]
  const affected = await countAffected(systemDatabase, keys)
  const affectedBy = (key: string) => affected.get(key) ?? NONE
  const added = writes.filter(({ kind }) => kind === 'add')
  const changed = writes.filter(write => write.row !== undefined)
  return [
    ...added.map(({ declared }) => describeAdd(declared, affectedBy(declared.key))),
    ...changed.map(write => describeChange(write, write.row, affectedBy(write.row.key))),
    ...gone.map(({ row }) => describeRemove(row.key, affectedBy(row.key))),
  ]
}

async function countAffected(
  systemDatabase: Deps<'systemDatabase'>['systemDatabase'],
  keys: readonly string[],
): Promise<Map<string, AffectedTenants>> {
  if (keys.length === 0) return new Map()
  const unit = systemDatabase.acrossTenants('a plan counts the tenants that a change affects')
  const { rows } = await unit.query<AffectedTenants & { key: string }>(
    `select key,
       (select count(*)::int from features_flags f where f.key = k.key and managed_by is null) as hidden,
       (select count(*)::int from features_overrides o where o.key = k.key) as overriding,
       (select count(distinct tenant_id)::int from features_flags where managed_by is null
          and definition->'requires' @> jsonb_build_array(jsonb_build_object('key', k.key))) as requiring
     from unnest($1::text[]) as k (key)`,
    [keys],
  )
  return new Map(rows.map(row => [row.key, row]))
}

const breaking = (...effects: (string | false)[]) => {
  const breaks = effects.filter(Boolean).join('; ')
  return breaks === '' ? {} : { breaks }
}

const describeAdd = ({ key, definition }: DeclaredFlag, { hidden }: AffectedTenants): RecipeChange => ({
  change: 'add',
  subject: `feature ${key}`,
  detail: `default ${JSON.stringify(definition.default)}`,
  ...breaking(hidden > 0 && `hides the tenant's own feature with this key in ${tenants(hidden)}`),
})

function describeChange(write: FlagWrite, row: FlagRow, { overriding }: AffectedTenants): RecipeChange {
  const { declared, edited } = write
  const before = { name: row.name, description: row.description, ...row.definition }
  const after = { name: declared.name, description: declared.description, ...declared.definition }
  const fields = (Object.keys(after) as (keyof typeof after)[]).filter(field => !sameValue(before[field], after[field]))
  const details = edited
    ? ['keeps the edited values']
    : fields.map(field => describeField(field, before[field], after[field]))
  if (!isOfRecipe(row)) details.unshift('takes over a flag of the operator')
  if (row.editable !== declared.editable) details.push(`editable ${row.editable} → ${declared.editable}`)
  return {
    change: 'change',
    subject: `feature ${row.key}`,
    detail: details.join(', '),
    ...breaking(changesType(write) && overriding > 0 && `deletes overrides of the old type in ${tenants(overriding)}`),
  }
}

/** Lists and objects are too long for one line. */
const describeField = (field: string, before: unknown, after: unknown): string =>
  [before, after].some(value => typeof value === 'object' && value !== null)
    ? field
    : `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`

const describeRemove = (key: string, { overriding, requiring }: AffectedTenants): RecipeChange => ({
  change: 'remove',
  subject: `feature ${key}`,
  ...breaking(
    overriding > 0 && `deletes overrides in ${tenants(overriding)}`,
    requiring > 0 && `features of ${tenants(requiring)} require it`,
  ),
})

const tenants = (count: number): string => `${count} ${count === 1 ? 'tenant' : 'tenants'}`
