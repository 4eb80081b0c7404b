/** Describes what the modules of a recipe register. Creates the modules but connects to nothing. */
import type { Logger } from 'pino'
import { installCommand, isInstalled, useOf } from '../base/index.ts'
import type { ModuleReport, Ports, Settings } from '../contract/index.ts'
import { type CheckedRecipe, neededPackages, RecipeError } from '../recipe/index.ts'
import { migrationSets, portsOf } from './kernel.ts'
import { StartError } from './lifecycle.ts'
import { type AssembledProduct, assembleProduct } from './product.ts'

export interface DescribeOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
}

const PLACEHOLDER_SECRET = 'nothing is signed or encrypted with this secret'

/** Lists what the modules register. Throws the error of a module that can't be created. Migrations are listed as not applied. */
export const describeRecipe = (options: DescribeOptions): Promise<readonly ModuleReport[]> =>
  inspectRecipe(options, ({ inspector }) => inspector.modules())

/** Calls `read` with the ports of the product, which stop working afterwards. */
export const inspectRecipe = <T>(options: DescribeOptions, read: (ports: Readonly<Ports>) => T): Promise<T> =>
  assembled(options, async product => {
    const ports = portsOf(product)
    const { pending } = await ports.migrations.pending(migrationSets(options.checked.modules), new Map())
    product.migrations = new Map(
      [...pending].map(([key, names]) => [
        key,
        names.map(name => ({ name, appliedAt: null, expands: false, release: null })),
      ]),
    )
    return await read(ports)
  })

/**
 * Goes through the stages of a start that need no database. Throws a RecipeError for what a start would refuse, beyond what the
 * check of the recipe reports.
 */
export async function rehearseStart(options: DescribeOptions): Promise<void> {
  const { checked } = options
  const missing = checked.modules.flatMap(entry =>
    neededPackages([entry])
      .filter(name => !isInstalled(name))
      .map(name =>
        checked.problemOf({
          code: 'package_missing',
          key: entry.key,
          message: `${useOf(name)} needs the package ${name}, which isn't installed`,
          fix: `Run ${installCommand(name)}`,
        }),
      ),
  )
  if (missing.length > 0) throw new RecipeError(missing, checked.files)
  try {
    await assembled(options, ({ lifecycle }) => lifecycle.run('verify', 'start'))
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const problem = checked.problemOf({ code: 'start_refused', key: error.key, message: error.reason })
    throw new RecipeError([problem], checked.files)
  }
}

/** Creates the modules without connecting. */
async function assembled<T>(
  { checked, settings, log }: DescribeOptions,
  use: (product: AssembledProduct) => Promise<T>,
): Promise<T> {
  const product = await assembleProduct({
    checked,
    settings,
    secrets: [PLACEHOLDER_SECRET],
    log,
    process: { role: 'tool', reload: false, connected: false, readOnly: true },
  })
  const { container, lifecycle } = product
  try {
    await lifecycle.each('be created', ({ key }) => container.create(key))
    await lifecycle.register()
    return await use(product)
  } finally {
    await lifecycle.stop(container)
  }
}
