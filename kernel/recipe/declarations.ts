/** Adds the declarations of modules that depend on the recipe. */
import type { Definition } from '../contract/index.ts'
import type { LoadedModule } from './load.ts'

/** @param sections the values of a module's sections that match their schemas. */
export const withDeclarations = (
  modules: readonly LoadedModule[],
  sections: (module: LoadedModule) => Readonly<Record<string, unknown>>,
): LoadedModule[] =>
  modules.map(entry => ({ ...entry, module: declared(entry.module, { sections: sections(entry), modules }) }))

function declared(module: Definition, recipe: { sections: object; modules: readonly LoadedModule[] }): Definition {
  if (!module.declare) return module
  const { permissions, grants, usage, events } = module.declare(recipe as never)
  return Object.freeze({
    ...module,
    ...(permissions && { permissions: { ...module.permissions, ...permissions } }),
    ...(grants && { grants }),
    ...(usage && { usage: { ...module.usage, ...usage } }),
    ...(events && { events: { ...module.events, ...events } }),
  })
}
