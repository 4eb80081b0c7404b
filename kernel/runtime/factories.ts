/** Imports the factories that definitions declare with `load`. */
import type { Definition, Provider } from '../contract/index.ts'
import type { RecipeModule } from '../recipe/index.ts'

/** A provider without `load`. */
export type LoadedProvider = Extract<Provider<Factory>, { create: Factory }>
type Providers = Definition['services']
type Factory = (...given: never[]) => unknown

/** Returns the definition with `create` in each provider. A factory that can't be imported fails when it is called. */
export async function loadFactories(entry: RecipeModule): Promise<RecipeModule> {
  const [provides, services] = await Promise.all([entry.module.provides, entry.module.services].map(loadAll))
  return { ...entry, module: { ...entry.module, provides, services } }
}

const loadAll = async (providers: Providers = {}): Promise<Providers> =>
  Object.fromEntries(await Promise.all(Object.entries(providers).map(async ([name, each]) => [name, await load(each)])))

async function load(provider: Provider<Factory>): Promise<Provider<Factory>> {
  if (!('load' in provider)) return provider
  const { load, ...rest } = provider
  const fail = (error: unknown) => () => {
    throw error
  }
  return { ...rest, create: await load().catch(fail) }
}
