/** Writes the endpoints of the recipe into the operator's tenant. They receive the events of every tenant. */
import { type Deps, newId, type RecipeView, type Unit } from '@larder-dev/larder/kernel'
import { deleteSteps, insertEndpoint, updateSteps } from '../services/endpoint-repository.ts'
import { diffEndpoints, type ManagedEndpoint } from './diff.ts'
import type { Sections } from './sections.ts'

export async function apply(
  { database, clock, operator }: Deps<'database' | 'clock' | 'operator'>,
  _options: unknown,
  { sections }: RecipeView<Sections>,
): Promise<void> {
  const now = new Date(clock.now())
  await database.tenant(operator.tenantId).transaction(async unit => {
    const { writes, gone } = diffEndpoints(await recipeEndpoints(unit), sections)
    for (const { row } of gone) await unit.all(deleteSteps(row.id, now))
    for (const { row, declared } of writes) {
      const { key, hash, ...fields } = declared
      if (row) await unit.all(updateSteps(row.id, fields, now, hash))
      else {
        const id = newId('whe', clock.now())
        await insertEndpoint(unit, operator.tenantId, { ...fields, id, now }, { key, hash })
      }
    }
  })
}

export async function recipeEndpoints(unit: Unit): Promise<ManagedEndpoint[]> {
  const { rows } = await unit.query<ManagedEndpoint>(
    `select id, key, url, events, description, managed_by as "managedBy", recipe_hash as "recipeHash"
     from webhooks_endpoints where managed_by is not null order by key`,
  )
  return rows
}
