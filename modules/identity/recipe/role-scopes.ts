import type { ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { IdentityOptions } from '../options.ts'

/** The roles of the modules and of the recipe, with their scopes. */
export const scopesOf = ({ modules, roles }: ValidatedRecipe<IdentityOptions>) =>
  new Map([
    ...modules.flatMap(({ module }) =>
      Object.entries(module.roles ?? {}).map(([name, role]) => [name, role.scope ?? 'tenant'] as const),
    ),
    ...Object.entries(roles).map(([name, role]) => [name, role.scope ?? 'tenant'] as const),
  ])
