/** Lists what the modules of a recipe register. Creates the modules but connects to nothing. */
import type { Logger } from 'pino'
import type { ModuleReport, Ports, Settings } from '../contract/index.ts'
import type { CheckedRecipe } from '../recipe/index.ts'
import { migrationSets, portsOf } from './kernel.ts'
import { type AssembledProduct, assembleProduct } from './product.ts'

export interface DescribeOptions {
  readonly checked: CheckedRecipe
  readonly settings: Settings
  readonly log: Logger
}

const PLACEHOLDER_SECRET = 'nothing is signed or encrypted with this secret'

/** Throws the error of a module that can't be created. Migrations are listed as not applied. */
export const describeRecipe = (options: DescribeOptions): Promise<readonly ModuleReport[]> =>
  assembleDescribed(options, async assembled => {
    const { migrations, inspector } = portsOf(assembled)
    const { pending } = await migrations.pending(migrationSets(options.checked.modules), new Map())
    assembled.migrations = new Map(
      [...pending].map(([key, names]) => [key, names.map(name => ({ name, appliedAt: null }))]),
    )
    return inspector.modules()
  })

/** Passes the ports of a product that connects to nothing to `work`, and stops the product. */
export const withDescribedPorts = <T>(options: DescribeOptions, work: (ports: Readonly<Ports>) => T): Promise<T> =>
  assembleDescribed(options, async assembled => work(portsOf(assembled)))

async function assembleDescribed<T>(
  { checked, settings, log }: DescribeOptions,
  work: (assembled: AssembledProduct) => Promise<T>,
): Promise<T> {
  const assembled = await assembleProduct({
    checked,
    settings,
    secrets: [PLACEHOLDER_SECRET],
    log,
    process: { role: 'tool', reload: false, connected: false, readOnly: true },
  })
  const { container, lifecycle } = assembled
  try {
    await lifecycle.each('be created', ({ key }) => container.create(key))
    await lifecycle.register()
    return await work(assembled)
  } finally {
    await lifecycle.stop(container)
  }
}
