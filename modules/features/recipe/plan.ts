import type { Deps, RecipeChange, RecipeView } from 'larder/kernel'
import { sameValue } from '../domain/value.ts'
import type { FeaturesNeeds } from '../services/feature-services.ts'
import { recipeFlags } from '../services/flag-repository.ts'
import { type Change, changesType, diffOf, type Wanted } from './diff.ts'
import type { Sections } from './sections.ts'

/** How many tenants a flag matters to. */
interface Stakes {
  /** With a flag of their own of this key. */
  readonly hidden: number
  readonly overriding: number
  /** Whose own flags require it. */
  readonly requiring: number
}

const NOBODY: Stakes = { hidden: 0, overriding: 0, requiring: 0 }

export async function plan(
  deps: Deps<FeaturesNeeds>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<readonly RecipeChange[]> {
  const rows = await recipeFlags(deps.database)
  const { add, change, remove } = diffOf(rows, sections.features)
  const keys = [...add, ...change.map(({ row }) => row), ...remove].map(({ key }) => key)
  const stakes = await stakesOf(deps, keys)
  const of = (key: string) => stakes.get(key) ?? NOBODY
  return [
    ...add.map(wanted => added(wanted, of(wanted.key))),
    ...change.map(one => changed(one, of(one.row.key))),
    ...remove.map(({ key }) => removed(key, of(key))),
  ]
}

async function stakesOf({ database }: Deps<FeaturesNeeds>, keys: readonly string[]): Promise<Map<string, Stakes>> {
  if (keys.length === 0) return new Map()
  const { rows } = await database
    .system('whom a change of the recipe would hurt, in every tenant')
    .query<Stakes & { key: string }>(
      `select key,
         (select count(*)::int from features_flags f where f.key = k.key and managed_by is null) as hidden,
         (select count(*)::int from features_overrides o where o.key = k.key) as overriding,
         (select count(distinct tenant_id)::int from features_flags where managed_by is null
            and says->'requires' @> jsonb_build_array(jsonb_build_object('key', k.key))) as requiring
       from unnest($1::text[]) as k (key)`,
      [keys],
    )
  return new Map(rows.map(row => [row.key, row]))
}

const breaking = (...told: (string | false)[]) => {
  const breaks = told.filter(Boolean).join('; ')
  return breaks === '' ? {} : { breaks }
}

const added = ({ key, says }: Wanted, { hidden }: Stakes): RecipeChange => ({
  change: 'add',
  subject: `feature ${key}`,
  detail: `default ${JSON.stringify(says.default)}`,
  ...breaking(hidden > 0 && `tenants with a feature of their own of this key, which it hides: ${hidden}`),
})

function changed(change: Change, { overriding }: Stakes): RecipeChange {
  const { row, wanted, edited } = change
  const before = { name: row.name, description: row.description, ...row.says }
  const after = { name: wanted.name, description: wanted.description, ...wanted.says }
  const fields = (Object.keys(after) as (keyof typeof after)[]).filter(field => !sameValue(before[field], after[field]))
  const told = edited ? ['what was edited stays'] : fields.map(field => difference(field, before[field], after[field]))
  if (row.editable !== wanted.editable) told.push(`editable ${row.editable} → ${wanted.editable}`)
  return {
    change: 'change',
    subject: `feature ${row.key}`,
    detail: told.join(', '),
    ...breaking(changesType(change) && overriding > 0 && `tenants that override it with the old type: ${overriding}`),
  }
}

/** Lists and objects are too long for a line. */
const difference = (field: string, before: unknown, after: unknown): string =>
  [before, after].some(value => typeof value === 'object' && value !== null)
    ? field
    : `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`

const removed = (key: string, { overriding, requiring }: Stakes): RecipeChange => ({
  change: 'remove',
  subject: `feature ${key}`,
  ...breaking(
    overriding > 0 && `tenants that override it: ${overriding}`,
    requiring > 0 && `tenants whose own features require it: ${requiring}`,
  ),
})
