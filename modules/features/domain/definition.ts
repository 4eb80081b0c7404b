/** From what a body or a recipe says of a flag to what is stored. Pure. */
import type { FlagPatch, NewFlag, RecipeFlag } from '../routes/flag-schemas.ts'
import type { Definition, Prerequisite } from './flag.ts'

type Said = Omit<NewFlag, 'key'> & Pick<RecipeFlag, 'overridable'>

export function definitionOf(said: Said): Definition {
  return patched(
    {
      enabled: true,
      default: said.default,
      bucketBy: 'tenant',
      requires: [],
      entitlement: null,
      overridable: said.overridable ?? true,
      rules: [],
    },
    said,
  )
}

export function patched(before: Definition, patch: FlagPatch): Definition {
  const { enabled, default: standard, bucketBy, requires, entitlement, rules } = patch
  return {
    enabled: enabled ?? before.enabled,
    default: standard ?? before.default,
    bucketBy: bucketBy ?? before.bucketBy,
    requires: requires?.map(toPrerequisite) ?? before.requires,
    entitlement: entitlement === undefined ? before.entitlement : entitlement,
    overridable: before.overridable,
    rules: (rules as Definition['rules'] | undefined) ?? before.rules,
  }
}

const toPrerequisite = (said: NonNullable<FlagPatch['requires']>[number]): Prerequisite =>
  typeof said === 'string' ? { key: said, value: true } : { key: said.key, value: said.value ?? true }
