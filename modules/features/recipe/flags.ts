/** The flags of the recipe, in the operator's workspace. They apply to every workspace. */
import {
  type Deps,
  diffManagedRows,
  fingerprint,
  type ManagedContext,
  type ManagedRowsDiff,
  type ManagedWrite,
  managedSection,
  managedSections,
  newId,
} from '@larder-dev/larder/kernel'
import { createDefinition } from '../domain/definition.ts'
import type { Definition } from '../domain/flag.ts'
import { sameValue, typeOf } from '../domain/value.ts'
import type { FlagRow } from '../records/flag.ts'
import {
  deleteOverridesEverywhere,
  insertFlag,
  lockFlags,
  recipeFlags,
  updateFlag,
} from '../services/flag-repository.ts'
import type { FeatureServices } from '../services.ts'
import type { Sections } from './sections.ts'

type Context = ManagedContext<
  Deps<'database' | 'systemDatabase' | 'clock' | 'operator'> & Pick<FeatureServices, 'flags'>,
  unknown,
  Sections
>

interface DeclaredFlag {
  readonly key: string
  readonly name: string | null
  readonly description: string | null
  readonly definition: Definition
  readonly editable: boolean
  /** Fingerprint of name, description and definition. */
  readonly hash: string
}
type FlagWrite = ManagedWrite<DeclaredFlag, FlagRow>

/** @param rows flags for every workspace, as they are. The recipe replaces one of an operator that has its key. */
const diffFlags = (
  rows: readonly FlagRow[],
  features: Sections['features'] = {},
): ManagedRowsDiff<DeclaredFlag, FlagRow> =>
  diffManagedRows<DeclaredFlag, FlagRow>(
    Object.entries(features).map(([key, flag]) => declare(key, flag)),
    rows.filter(row => isOfRecipe(row) || Object.hasOwn(features, row.key)),
    {
      keyOf: ({ key }) => key,
      isEdited: (row, declared) =>
        isOfRecipe(row) && declared.editable && row.editable && hashOf(row) !== row.recipeHash,
      isCurrent: (row, declared, edited) =>
        isOfRecipe(row) && row.editable === declared.editable && (edited || hashOf(row) === declared.hash),
    },
  )

const isOfRecipe = ({ managedBy }: FlagRow): boolean => managedBy === 'recipe'

function declare(key: string, flag: Sections['features'][string]): DeclaredFlag {
  const { name = null, description = null, editable = false } = flag
  const definition = createDefinition(flag)
  return { key, name, description, definition, editable, hash: hashOf({ name, description, definition }) }
}

const hashOf = ({ name, description, definition }: Pick<FlagRow, 'name' | 'description' | 'definition'>): string =>
  fingerprint({ name, description, definition })

/** Whether a write changes the flag's type, so that overrides no longer fit. */
const changesType = ({ row, declared, edited }: FlagWrite): boolean =>
  row !== undefined && !edited && typeOf(row.definition.default) !== typeOf(declared.definition.default)

const flags = managedSection<Context, DeclaredFlag, FlagRow>({
  subject: ({ key }) => `feature ${key}`,
  addedFirst: true,
  async diff({ deps: { systemDatabase, operator }, unit, recipe }, lock) {
    if (lock) await lockFlags(unit, operator.tenantId)
    return diffFlags(await recipeFlags(systemDatabase), recipe.sections.features)
  },
  async describeWrite(write, context) {
    const { declared, row } = write
    const { hidden, overriding } = await countAffected(context, declared.key)
    if (!row)
      return {
        detail: `default ${JSON.stringify(declared.definition.default)}`,
        ...breaking(hidden > 0 && `hides the tenant's own feature with this key in ${tenants(hidden)}`),
      }
    return {
      change: 'change',
      detail: describeChange(write, row),
      ...breaking(
        changesType(write) && overriding > 0 && `deletes overrides of the old type in ${tenants(overriding)}`,
      ),
    }
  },
  async describeRemoval({ row }, context) {
    const { overriding, requiring } = await countAffected(context, row.key)
    return breaking(
      overriding > 0 && `deletes overrides in ${tenants(overriding)}`,
      requiring > 0 && `features of ${tenants(requiring)} require it`,
    )
  },
  async write({ deps, unit }, write) {
    const { flags, operator, clock, systemDatabase } = deps
    const { row, declared, edited } = write
    const { hash: recipeHash, editable, ...fields } = declared
    const now = new Date(clock.now())
    const ofRecipe = { ...fields, editable, recipeHash, managedBy: 'recipe' }
    if (row) {
      const after = edited ? { ...row, editable } : { ...row, ...ofRecipe }
      await updateFlag(unit, after, now, null)
      await flags.publishChange('updated', operator.tenantId, after)
      if (changesType(write)) await deleteOverridesEverywhere(systemDatabase, [row.key])
      return
    }
    const added = { ...ofRecipe, id: newId('ftr', clock.now()), revision: 1, createdAt: now, updatedAt: now }
    await insertFlag(unit, operator.tenantId, added, null)
    await flags.publishChange('created', operator.tenantId, added)
  },
  async remove({ deps: { flags, operator, systemDatabase }, unit }, { row }) {
    await unit.query('delete from features_flags where id = $1', [row.id])
    await flags.publishChange('deleted', operator.tenantId, row)
    await deleteOverridesEverywhere(systemDatabase, [row.key])
  },
})

export const { plan, reconcile } = managedSections(flags)

/** Numbers of tenants that a change of the flag affects. */
interface AffectedTenants {
  /** Have their own flag with this key, which the recipe's flag hides. */
  readonly hidden: number
  readonly overriding: number
  /** Have their own flags that require it. */
  readonly requiring: number
}

async function countAffected({ deps }: Context, key: string): Promise<AffectedTenants> {
  const unit = deps.systemDatabase.acrossTenants('a plan counts the tenants that a change affects')
  const { rows } = await unit.query<AffectedTenants>(
    `select
       (select count(*)::int from features_flags where key = $1 and managed_by is null) as hidden,
       (select count(*)::int from features_overrides where key = $1) as overriding,
       (select count(distinct tenant_id)::int from features_flags where managed_by is null
          and definition->'requires' @> jsonb_build_array(jsonb_build_object('key', $1::text))) as requiring`,
    [key],
  )
  return rows[0] as AffectedTenants
}

const breaking = (...effects: (string | false)[]) => {
  const breaks = effects.filter(Boolean).join('; ')
  return breaks === '' ? {} : { breaks }
}

function describeChange({ declared, edited }: FlagWrite, row: FlagRow): string {
  const before = { name: row.name, description: row.description, ...row.definition }
  const after = { name: declared.name, description: declared.description, ...declared.definition }
  const fields = (Object.keys(after) as (keyof typeof after)[]).filter(field => !sameValue(before[field], after[field]))
  const details = edited
    ? ['keeps the edited values']
    : fields.map(field => describeField(field, before[field], after[field]))
  if (!isOfRecipe(row)) details.unshift('takes over a flag of the operator')
  if (row.editable !== declared.editable) details.push(`editable ${row.editable} → ${declared.editable}`)
  return details.join(', ')
}

/** Lists and objects are too long for one line. */
const describeField = (field: string, before: unknown, after: unknown): string =>
  [before, after].some(value => typeof value === 'object' && value !== null)
    ? field
    : `${field} ${JSON.stringify(before)} → ${JSON.stringify(after)}`

const tenants = (count: number): string => `${count} ${count === 1 ? 'tenant' : 'tenants'}`
