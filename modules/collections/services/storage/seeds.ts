/** Writes the rows that the recipe declares into the operator's tenant. */
import { type Deps, fingerprint, type Product, type Unit } from '@larder-dev/larder/kernel'
import type { Collection, Collections } from '../../domain/declarations/collection.ts'
import { specOf } from '../../domain/fields/field-types.ts'
import { newValues, type Values } from '../../domain/rows/row-values.ts'
import { NOBODY, seedErrors, seedId, seedKey } from '../../domain/rows/seeds.ts'
import { insertStep, linkSteps, updateSteps } from '../../domain/rows/write-sql.ts'
import { quoteName } from '../../domain/tables/sql-literals.ts'
import { operatorErrors } from '../../problems.ts'
import { readSeedFile } from './seed-file.ts'

type SeedDeps = Deps<'database' | 'systemDatabase' | 'operator' | 'clock'>

/**
 * Rows that the whole product shares are kept equal to the recipe: those of shared collections, and all of a product of
 * people. Others are for development: they are inserted if they are missing, each time that the declaration changes.
 */
export async function applySeeds(
  deps: SeedDeps,
  collections: Collections,
  { audience, production }: Pick<Product, 'audience' | 'production'>,
): Promise<void> {
  for (const collection of inReferenceOrder(collections)) {
    const isKept = collection.scope === 'shared' || audience === 'people'
    if ((collection.rows.length === 0 && collection.seed === undefined) || (production && !isKept)) continue
    await applySeed(deps, collection, collections, { rows: readRows(collection), isKept })
  }
}

interface Seed {
  readonly rows: readonly Values[]
  /** Whether rows that exist are made equal to the recipe. */
  readonly isKept: boolean
}

async function applySeed(
  deps: SeedDeps,
  collection: Collection,
  collections: Collections,
  { rows, isKept }: Seed,
): Promise<void> {
  const { database, systemDatabase, operator } = deps
  const seedHash = fingerprint({ rows, fields: [...collection.fields.values()] })
  const system = systemDatabase.acrossTenants('the state of seeds belongs to no tenant')
  const { rows: states } = await system.query<{ hash: string | null }>(
    'select seed_hash as hash from collections_schema where name = $1',
    [collection.name],
  )
  if (states[0]?.hash === seedHash) return
  await database.tenant(operator.tenantId).transaction(async unit => {
    for (const [index, row] of rows.entries())
      await writeRow(deps, unit, { collection, collections, isKept }, row, index)
  })
  await system.query('update collections_schema set seed_hash = $2 where name = $1', [collection.name, seedHash])
}

async function writeRow(
  { operator: { tenantId }, clock }: SeedDeps,
  unit: Unit,
  {
    collection,
    collections,
    isKept,
  }: Pick<Seed, 'isKept'> & {
    readonly collection: Collection
    readonly collections: Collections
  },
  declared: Values,
  index: number,
): Promise<void> {
  const fail = (reason: string) =>
    operatorErrors.collections_seed_invalid({ collection: collection.name, row: index + 1, reason })
  const [error] = seedErrors(collection, declared)
  if (error) throw fail(error.message)
  const resolved = await resolveReferences(unit, tenantId, collection, collections, declared, fail)
  const now = clock.now()
  const { values } = newValues(collection, resolved, { ...NOBODY, now })
  const key = seedKey(collection)
  const keyValue = key && values[key.name]
  const hasKey = key !== undefined && keyValue !== null && keyValue !== undefined
  const id = seedId(collection, hasKey ? String(keyValue) : String(index))
  // A row whose key was changed, or which is in the trash, still has the ID of the seed.
  const existing =
    (hasKey ? await findByKey(unit, tenantId, collection, String(keyValue)) : undefined) ??
    (await findById(unit, tenantId, collection, id))
  if (existing === undefined) {
    const facts = { id, createdAt: now, updatedAt: now, createdBy: null, revision: 1 }
    await unit.all([insertStep(tenantId, collection, facts, values), ...linkSteps(tenantId, collection, id, values)])
  } else if (isKept) {
    const changed = Object.keys(values)
    const kept = await keptValues(unit, tenantId, collection, existing, declared)
    await unit.all(
      updateSteps(tenantId, collection, { id: existing, after: { ...values, ...kept }, changed, updatedAt: now }),
    )
  }
}

/** Values that follow from the time at which the row was created, and the number of the row. */
async function keptValues(
  unit: Unit,
  tenantId: string,
  { table, fields }: Collection,
  id: string,
  declared: Values,
): Promise<Values> {
  const kept = [...fields.values()].filter(
    ({ name, defaultFrom, onUpdate, sequence }) =>
      declared[name] === undefined && (defaultFrom ?? onUpdate ?? sequence) !== undefined,
  )
  if (kept.length === 0) return {}
  const { rows } = await unit.query<{ row: Readonly<Record<string, unknown>> }>(
    `select row_to_json(r) as row from ${quoteName(table)} r where tenant_id = $1 and id = $2`,
    [tenantId, id],
  )
  const [found] = rows
  return Object.fromEntries(
    kept.map(field => {
      const value = found?.row[field.column] ?? null
      return [field.name, value === null ? null : specOf(field).fromColumn(value)]
    }),
  )
}

async function resolveReferences(
  unit: Unit,
  tenantId: string,
  { fields }: Collection,
  collections: Collections,
  declared: Values,
  fail: (reason: string) => Error,
): Promise<Values> {
  const resolved: Record<string, unknown> = { ...declared }
  for (const { name, reference } of fields.values()) {
    const target = reference && collections.get(reference.to)
    const value = declared[name]
    if (!target || value === undefined || value === null) continue
    const find = async (text: unknown) => {
      const found =
        (await findById(unit, tenantId, target, String(text))) ??
        (await findByKey(unit, tenantId, target, String(text)))
      if (found === undefined) throw fail(`"${name}" refers to an unknown row of ${target.name}: ${String(text)}`)
      return found
    }
    if (!Array.isArray(value)) resolved[name] = await find(value)
    else {
      const ids: string[] = []
      for (const text of value) ids.push(await find(text))
      resolved[name] = ids
    }
  }
  return resolved
}

async function findByKey(
  unit: Unit,
  tenantId: string,
  collection: Collection,
  value: string,
): Promise<string | undefined> {
  const key = seedKey(collection)
  return (
    key &&
    findWhere(
      unit,
      `${quoteName(collection.table)} where tenant_id = $1 and ${quoteName(key.column)} = $2 and deleted_at is null`,
      tenantId,
      value,
    )
  )
}
const findById = (unit: Unit, tenantId: string, { table }: Collection, id: string): Promise<string | undefined> =>
  findWhere(unit, `${quoteName(table)} where tenant_id = $1 and id = $2`, tenantId, id)

async function findWhere(unit: Unit, from: string, tenantId: string, value: string): Promise<string | undefined> {
  const { rows } = await unit.query<{ id: string }>(`select id from ${from}`, [tenantId, value])
  return rows[0]?.id
}

function readRows(collection: Collection): readonly Values[] {
  const { rows, seed, name } = collection
  if (seed === undefined) return rows
  try {
    return readSeedFile(collection, seed).map(({ values }) => values)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw operatorErrors.collections_seed_unreadable({ collection: name, file: seed, reason }, { cause: error })
  }
}

/** Collections that others refer to come first. */
function inReferenceOrder(collections: Collections): Collection[] {
  const ordered = new Set<Collection>()
  const visiting = new Set<Collection>()
  const visit = (collection: Collection): void => {
    if (visiting.has(collection)) return
    visiting.add(collection)
    for (const { reference } of collection.fields.values()) {
      const target = reference && collections.get(reference.to)
      if (target) visit(target)
    }
    ordered.add(collection)
  }
  for (const collection of collections.values()) visit(collection)
  return [...ordered]
}
