import { type Static, Type } from '@larder-dev/larder/kernel'
import { FlagKey, RecipeFlag } from '../records/flag.ts'

export const sections = {
  features: Type.Unsafe<Record<string, RecipeFlag>>({
    type: 'object',
    propertyNames: FlagKey,
    additionalProperties: RecipeFlag,
    maxProperties: 1000,
    description: 'Feature flags of every tenant, by key',
  }),
}
export type Sections = { [K in keyof typeof sections]: Static<(typeof sections)[K]> }
