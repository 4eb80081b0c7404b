/** Adds the declarations of modules that depend on the recipe. */
import type { Audience, Declarations, Definition } from '../contract/index.ts'
import type { LoadedModule } from './load.ts'
import type { RecipeValue } from './shape.ts'

/** @param sections the values of a module's sections that match their schemas. */
export function withDeclarations(
  modules: readonly LoadedModule[],
  value: RecipeValue,
  sections: (module: LoadedModule) => Readonly<Record<string, unknown>>,
): LoadedModule[] {
  const audience = audienceOf(value)
  return modules.map(entry => {
    if (!entry.module.declare) return entry
    const declarations = entry.module.declare({ sections: sections(entry), modules, audience } as never)
    return { ...entry, module: declared(entry.module, declarations, value) }
  })
}

/** Reads a recipe that may be wrong. */
export const audienceOf = ({ product }: { readonly product?: { readonly audience?: unknown } }): Audience =>
  product?.audience === 'people' ? 'people' : 'teams'

function declared(module: Definition, declarations: Declarations, value: RecipeValue): Definition {
  const { permissions, roles, grants, usage, personalUsage, events } = declarations
  const own = Object.entries(roles ?? {}).filter(([key]) => !Object.hasOwn(value.roles ?? {}, key))
  return Object.freeze({
    ...module,
    ...(permissions && { permissions: { ...module.permissions, ...permissions } }),
    ...(own.length > 0 && { roles: { ...module.roles, ...Object.fromEntries(own) } }),
    ...(grants && { grants }),
    ...(usage && { usage: { ...module.usage, ...usage } }),
    ...(personalUsage && { personalUsage: { ...module.personalUsage, ...personalUsage } }),
    ...(events && { events: { ...module.events, ...events } }),
  })
}
