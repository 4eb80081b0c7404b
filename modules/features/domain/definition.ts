/** Builds the stored definition of a flag from a request body or a recipe. Pure. */
import type { Definition, Prerequisite, Rule } from './flag.ts'
import type { Value } from './value.ts'

/** A key alone requires the value `true`. */
type PrerequisiteInput = string | { readonly key: string; readonly value?: Value | undefined }

export interface DefinitionPatch {
  readonly enabled?: boolean | undefined
  readonly default?: Value | undefined
  readonly bucketBy?: string | undefined
  readonly requires?: readonly PrerequisiteInput[] | undefined
  readonly entitlement?: string | null | undefined
  readonly rules?: readonly Rule[] | undefined
}
export interface NewDefinition extends DefinitionPatch {
  readonly default: Value
  readonly overridable?: boolean | undefined
}

export const createDefinition = (input: NewDefinition): Definition =>
  patchDefinition(
    {
      enabled: true,
      default: input.default,
      bucketBy: 'tenant',
      requires: [],
      entitlement: null,
      overridable: input.overridable ?? true,
      rules: [],
    },
    input,
  )

export function patchDefinition(before: Definition, patch: DefinitionPatch): Definition {
  const { enabled, default: standard, bucketBy, requires, entitlement, rules } = patch
  return {
    enabled: enabled ?? before.enabled,
    default: standard ?? before.default,
    bucketBy: bucketBy ?? before.bucketBy,
    requires: requires?.map(toPrerequisite) ?? before.requires,
    entitlement: entitlement === undefined ? before.entitlement : entitlement,
    overridable: before.overridable,
    rules: rules ?? before.rules,
  }
}

const toPrerequisite = (input: PrerequisiteInput): Prerequisite =>
  typeof input === 'string' ? { key: input, value: true } : { key: input.key, value: input.value ?? true }
