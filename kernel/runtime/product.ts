/** Assembles the container of a product, with the kernel's ports. */
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import { assertInstalled, type Clock, createSecrets, packageVersion } from '../base/index.ts'
import type {
  AppliedMigrations,
  DeclaredModule,
  ProcessInfo,
  Product,
  RecipeView,
  Settings,
  Usage,
} from '../contract/index.ts'
import {
  type CheckedRecipe,
  maskOptions,
  maskRecipe,
  neededPackages,
  pointer,
  RecipeError,
  type RecipeModule,
} from '../recipe/index.ts'
import { createAccess } from './access.ts'
import { type Container, createProductContainer } from './container.ts'
import { loadFactories } from './factories.ts'
import { createInspector } from './inspector.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { serviceWiringProblems } from './service-wiring.ts'
import { readModuleSettings } from './settings.ts'

function createUsage(modules: readonly DeclaredModule[], view: (key: string) => object): Usage {
  const counts = new Map(
    modules.flatMap(({ key: owner, module }) =>
      Object.entries(module.usage ?? {}).map(([key, count]) => [key, { owner, count }] as const),
    ),
  )
  const personal = new Map(
    modules.flatMap(({ key: owner, module }) =>
      Object.entries(module.personalUsage ?? {}).map(([key, count]) => [key, { owner, count }] as const),
    ),
  )
  return {
    keys: () => [...counts.keys()],
    async count(key, tenantId) {
      const found = counts.get(key)
      if (!found) throw new Error(`No module counts '${key}'. Known counts: ${[...counts.keys()].join(', ')}.`)
      return found.count(view(found.owner) as never, tenantId)
    },
    async countPersonal(key, tenantId, userId) {
      const found = personal.get(key)
      return found ? found.count(view(found.owner) as never, tenantId, userId) : 0
    },
  }
}

export interface ProductOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly log: Logger
  readonly clock?: Clock
  readonly process: Omit<ProcessInfo, 'version'>
  /** Settings of modules are read from it; the environment of the process by default. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export interface AssembledProduct {
  readonly product: Product
  readonly container: Container
  readonly lifecycle: Lifecycle
  /** Read after migrating; `larder modules` and the console show them. */
  migrations: AppliedMigrations
}

/** Imports the code of the product; creates no instance yet. */
export async function assembleProduct(options: ProductOptions): Promise<AssembledProduct> {
  const { checked, settings, secrets, log, clock = { now: Date.now, isSystem: true } } = options
  const product = productOf(checked, settings)
  const recipe = {
    product,
    folder: dirname(checked.file),
    resolveFile: checked.resolveFile,
    section,
    isFromEnvironment,
  }
  function section(name: string): unknown {
    return checked.value[name]
  }
  function isFromEnvironment(path: readonly (string | number)[]): boolean {
    return checked.fromEnv.has(pointer(path))
  }
  const process: ProcessInfo = { ...options.process, version: packageVersion }
  const own = readModuleSettings(options.env ?? globalThis.process.env, checked.modules)
  for (const name of neededPackages(checked.modules)) assertInstalled(name)
  const definitions = await Promise.all([...checked.services, ...checked.modules].map(loadFactories))
  const lifecycle = createLifecycle(definitions, () => made.container)
  const invoke: Parameters<typeof createProductContainer>[2] = (entry, factory, view) =>
    Reflect.apply(factory, undefined, [view, entry.options, viewOf(entry)])
  const made: AssembledProduct = {
    product,
    lifecycle,
    container: createProductContainer(kernelPorts(), lifecycle.entries(), invoke),
    migrations: new Map(),
  }
  await checkServices()
  return made

  /** Tests check those that ship with Larder. */
  async function checkServices(): Promise<void> {
    const problems = lifecycle
      .entries()
      .filter(({ source }) => source !== 'larder')
      .map(entry => ({ entry, problems: serviceWiringProblems(entry, invoke) }))
    const errors = problems.filter(({ entry }) => !entry.optional).flatMap(({ problems }) => problems)
    if (errors.length > 0) throw new RecipeError(errors.map(checked.problemOf), checked.files)
    // An optional module is left out.
    await lifecycle.each('be wired', ({ key }) => {
      const [problem] = problems.find(({ entry }) => entry.key === key)?.problems ?? []
      if (problem) throw new Error(problem.message)
    })
  }

  function viewOf({ sections }: RecipeModule): RecipeView {
    return { ...recipe, sections: sections as never }
  }
  function kernelPorts() {
    const access = createAccess(
      checked.modules.map(({ key }) => key),
      () => made.container,
      checked.roles,
    )
    return {
      access,
      clock,
      dataFolder: { path: settings.dataDir },
      inspector: createInspector({
        ...process,
        startedAt: new Date(clock.now()),
        recipe: maskRecipe(checked),
        modules: checked.modules,
        access,
        registration: (key, kind) => made.container.registration(key, kind),
        maskedOptions: key => maskOptions(checked, key),
        running: () => lifecycle.registry.running(),
        failed: () => [...checked.failed, ...lifecycle.failed()],
        migrations: () => made.migrations,
        port: name => made.container.port(name),
      }),
      log,
      process,
      product,
      registry: lifecycle.registry,
      secrets: createSecrets(secrets),
      settings: { ...settings, ...own.values, variables: [...settings.variables, ...own.variables], secrets },
      usage: createUsage(checked.modules, key => made.container.view(key)),
    }
  }
}

function productOf({ product, locales }: CheckedRecipe, settings: Settings): Product {
  return {
    ...product,
    publicUrl: settings.publicUrl ?? product.publicUrl,
    locales,
    production: settings.production,
  }
}
