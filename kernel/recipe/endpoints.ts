/** Finds the endpoints of modules before anything is created. */
import { dirname } from 'node:path'
import type { AllowedEndpoint, DeclaredEndpoints, Definition } from '../contract/index.ts'
import type { LoadedModule } from './load.ts'
import { placeholder } from './placeholder.ts'
import type { RecipeValue } from './shape.ts'
import { fileResolver, type MapTree } from './tree.ts'

type Kind = 'routes' | 'rawRoutes' | 'sockets' | 'pages'
interface Endpoint {
  readonly method?: string
  readonly path: string
  readonly allow: string | readonly string[]
  readonly recentAuth?: string | { readonly within: string }
}

/**
 * Returns the endpoints of these kinds. The factories run with placeholder ports: they only assemble endpoints, and a
 * factory that needs more of a port throws and makes the result incomplete.
 */
export function declaredEndpoints(
  modules: readonly LoadedModule[],
  value: RecipeValue,
  tree: MapTree,
  kinds: readonly Kind[],
): DeclaredEndpoints {
  const endpoints: AllowedEndpoint[] = []
  let complete = true
  for (const { key, module, path } of modules) {
    const options = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)?.[step], value) ?? {}
    const sections = Object.fromEntries(Object.keys(module.sections ?? {}).map(name => [name, value[name]]))
    const product = { ...value.product, locales: value.locales, production: false }
    const recipe = {
      product,
      folder: dirname(tree.place.file),
      resolveFile: fileResolver(tree),
      sections,
      section: (name: string) => value[name],
      isFromEnvironment: () => false,
    }
    for (const kind of kinds)
      try {
        const made = call(module[kind], [placeholder(), options, recipe])
        endpoints.push(...made.map(endpoint => ({ ...described(kind, endpoint), module: key })))
      } catch {
        complete = false
      }
  }
  return { endpoints, complete }
}

const call = (factory: Definition[Kind], given: readonly unknown[]): readonly Endpoint[] =>
  factory ? (Reflect.apply(factory, undefined, given) as readonly Endpoint[]) : []

const described = (kind: Kind, { method = 'get', path, allow, recentAuth }: Endpoint) => ({
  kind,
  method: method.toUpperCase(),
  path: kind === 'routes' ? `/v1${path}` : path,
  allow: [allow].flat(),
  ...(recentAuth !== undefined && { recentAuth: typeof recentAuth === 'string' ? recentAuth : recentAuth.within }),
})
