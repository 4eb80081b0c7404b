/** Which resources of an answer the console shows. Without React, since the document reads it before that is there. */
import { hasArea } from '../browser/document.ts'
import type { Resource as ApiResource, ResourceOperation } from './api-types.ts'

/** The API returns those only that the caller can list. */
export type Resource = ApiResource & { readonly operations: { readonly list: ResourceOperation } }

/** Those that the caller can list. Those outside the areas of the console aren't offered. */
export const listedResources = (resources: readonly ApiResource[]): readonly Resource[] =>
  resources
    .filter((resource): resource is Resource => resource.operations.list !== undefined)
    .map(resource => ({ ...resource, offered: resource.offered && isInArea(resource) }))

/** A list that belongs to records is in the area of these. */
function isInArea({ id, within }: ApiResource): boolean {
  const [module = '', name] = (within ?? id).split('.', 2)
  return hasArea(module, name)
}
