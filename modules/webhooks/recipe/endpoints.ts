/** The endpoints of the recipe, in the operator's workspace. They receive the events of every workspace. */
import {
  type Deps,
  diffManagedRows,
  fingerprint,
  type ManagedContext,
  type ManagedRow,
  managedSection,
  managedSections,
  newId,
} from '@larder-dev/larder/kernel'
import { displayUrl } from '../domain/endpoint.ts'
import { deleteSteps, type EndpointFields, insertEndpoint, updateSteps } from '../services/endpoint-repository.ts'
import type { RecipeEndpoint, Sections } from './sections.ts'

type Context = ManagedContext<Deps<'clock' | 'database' | 'operator'>, unknown, Sections>

interface DeclaredEndpoint extends EndpointFields {
  readonly key: string
  readonly hash: string
}
interface ManagedEndpoint extends EndpointFields, ManagedRow {
  readonly id: string
  readonly key: string
}

function declare(key: string, { url, events, description }: RecipeEndpoint): DeclaredEndpoint {
  const fields = { url, events: [...new Set(events)], description: description ?? null }
  return { key, ...fields, hash: fingerprint(fields) }
}

const endpoints = managedSection<Context, DeclaredEndpoint, ManagedEndpoint>({
  subject: ({ key }) => `webhook endpoint ${key}`,
  async diff({ unit, recipe }) {
    const declared = Object.entries(recipe.sections.webhooks?.endpoints ?? {})
    const { rows } = await unit.query<ManagedEndpoint>(
      `select id, key, url, events, description, managed_by as "managedBy", recipe_hash as "recipeHash"
       from webhooks_endpoints where managed_by is not null order by key`,
    )
    return diffManagedRows(
      declared.map(([key, endpoint]) => declare(key, endpoint)),
      rows,
      { keyOf: ({ key }) => key },
    )
  },
  describeWrite: ({ declared: { url, events } }) => ({ detail: `${displayUrl(url)}: ${events.join(', ')}` }),
  describeRemoval: ({ row }) => ({ breaks: `${displayUrl(row.url)} receives no more events` }),
  async write({ deps: { clock, operator }, unit }, { row, declared }) {
    const { key, hash, ...fields } = declared
    const [id, now] = [newId('whe', clock.now()), new Date(clock.now())]
    if (row) await unit.all(updateSteps(row.id, fields, now, hash))
    else await insertEndpoint(unit, operator.tenantId, { ...fields, id, now }, { key, hash })
  },
  remove: ({ deps: { clock }, unit }, { row }) => unit.all(deleteSteps(row.id, new Date(clock.now()))),
})

export const { plan, reconcile } = managedSections(endpoints)
