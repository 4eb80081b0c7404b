import type { Command } from 'commander'
import type { Kernel } from '../kernel/runtime/index.ts'
import { withKernel } from './session.ts'
import { type Progress, printResult, table } from './shell.ts'

export function migrateCommand(program: Command): void {
  program
    .command('migrate [recipe]')
    .description('migrate the database and apply the recipe to it')
    .option('--plan', 'only show what pending migrations would do: SQL, locks and time')
    .option('--json', 'print JSON')
    .action(async (recipe: string | undefined, flags: { plan?: boolean; json?: boolean }) => {
      if (flags.plan) {
        const { planMigrate } = await import('./migrate/plan.ts')
        return planMigrate(recipe, flags.json ?? false)
      }
      const report = async (kernel: Kernel, progress: Progress) => {
        progress.done(`${kernel.place} is up to date`)
        const applied = kernel.inspector
          .modules()
          .flatMap(({ name: module, migrations }) => migrations.map(migration => ({ module, ...migration })))
        printResult(
          flags.json
            ? JSON.stringify(applied, null, 2)
            : table(
                ['module', 'migration', 'applied'],
                applied.map(({ module, name, appliedAt }) => [module, name, appliedAt ?? 'not yet']),
              ),
        )
      }
      await withKernel('larder migrate', recipe, report, 'migrate')
    })
}
