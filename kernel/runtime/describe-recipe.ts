/** Describes what the modules of a recipe register. Creates the modules but connects to nothing. */
import type { Logger } from 'pino'
import type { ModuleReport, Ports, Settings } from '../contract/index.ts'
import type { CheckedRecipe } from '../recipe/index.ts'
import { migrationSets, portsOf } from './kernel.ts'
import { assembleProduct } from './product.ts'

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
export async function inspectRecipe<T>(
  { checked, settings, log }: DescribeOptions,
  read: (ports: Readonly<Ports>) => T,
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
    const ports = portsOf(assembled)
    const { pending } = await ports.migrations.pending(migrationSets(checked.modules), new Map())
    assembled.migrations = new Map(
      [...pending].map(([key, names]) => [key, names.map(name => ({ name, appliedAt: null }))]),
    )
    return await read(ports)
  } finally {
    await lifecycle.stop(container)
  }
}
