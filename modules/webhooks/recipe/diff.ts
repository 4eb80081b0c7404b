/** Compares the endpoints of a recipe with those in the database. Pure. */
import { fingerprint } from '@larder-dev/larder/kernel'
import { diffManagedRows, type ManagedRowsDiff } from '@larder-dev/larder/kernel/internal'
import type { EndpointFields } from '../services/endpoint-repository.ts'
import type { Sections } from './sections.ts'

export interface DeclaredEndpoint extends EndpointFields {
  readonly key: string
  readonly hash: string
}
/** A stored endpoint of the recipe. */
export interface ManagedEndpoint extends EndpointFields {
  readonly id: string
  readonly key: string
  readonly managedBy: string | null
  readonly recipeHash: string | null
}

export function diffEndpoints(
  rows: readonly ManagedEndpoint[],
  { webhooks }: Partial<Sections>,
): ManagedRowsDiff<DeclaredEndpoint, ManagedEndpoint> {
  const declarations = Object.entries(webhooks?.endpoints ?? {}).map(([key, endpoint]) => {
    const { url, events, description = null } = endpoint
    const fields = { url, events: [...new Set(events)], description }
    return [key, { key, ...fields, hash: fingerprint(fields) }] as const
  })
  return diffManagedRows(new Map(declarations), rows, { keyOf: ({ key }) => key })
}
