/** Imports the factories that definitions declare with `load`, and private services that they declare as a function. */
import type { Definition, Provider } from '../contract/index.ts'
import type { RecipeModule } from '../recipe/index.ts'

/** A provider without `load`. */
export type LoadedProvider = Extract<Provider<Factory>, { create: Factory }>
type Providers = Readonly<Record<string, Provider<Factory>>>
type Factory = (...given: never[]) => unknown

/** A definition whose factories are imported. */
export type LoadedDefinition = Omit<Definition, 'services'> & { readonly services?: Providers }
export interface LoadedEntry extends RecipeModule {
  readonly module: LoadedDefinition
}

/**
 * Returns the definition with `create` in each provider. A factory that can't be imported fails when it is called, and
 * private services that can't be imported fail their definition when it is initialized.
 */
export async function loadFactories(entry: RecipeModule): Promise<LoadedEntry> {
  const { services = {}, provides } = entry.module
  try {
    const declared = typeof services === 'function' ? await services() : services
    return {
      ...entry,
      module: { ...entry.module, provides: await loadAll(provides), services: await loadAll(declared) },
    }
  } catch (error) {
    return { ...entry, module: { ...entry.module, services: {}, provides: {}, init: failing(error) } }
  }
}

const loadAll = async (providers: Providers = {}): Promise<Providers> =>
  Object.fromEntries(await Promise.all(Object.entries(providers).map(async ([name, each]) => [name, await load(each)])))

async function load(provider: Provider<Factory>): Promise<Provider<Factory>> {
  if (!('load' in provider)) return provider
  const { load, ...rest } = provider
  return { ...rest, create: await load().catch(failing) }
}

const failing = (error: unknown) => () => {
  throw error
}

/** The factory of a provider after `loadFactories`. */
export const factoryOf = (provider: Provider<Factory>): Factory =>
  typeof provider === 'function' ? provider : (provider as LoadedProvider).create
