/** Resources with what other modules add to them. Pure. */
import type { RegisteredAddition, RegisteredResource } from './resource-validation.ts'

export function withAdditions(
  resources: readonly RegisteredResource[],
  additions: readonly RegisteredAddition[],
): RegisteredResource[] {
  return resources.map(entry => {
    const own = additions.filter(({ addition }) => addition.to === entry.id)
    const { actions = [], relations = [] } = entry.resource
    const added = {
      actions: [...actions, ...own.flatMap(({ addition }) => addition.actions ?? [])],
      relations: [...relations, ...own.flatMap(({ addition }) => addition.relations ?? [])],
    }
    return own.length === 0 ? entry : { ...entry, resource: { ...entry.resource, ...added } }
  })
}
