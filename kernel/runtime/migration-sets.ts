/** Everything that a recipe migrates. */

import type { MigrationSet } from '../../services/postgres/open.ts'
import type { CheckedRecipe, RecipeModule } from '../recipe/index.ts'

/** The kernel's migrations stand beside those of the modules, under this name. */
export const KERNEL = 'kernel'

export const KERNEL_MIGRATIONS: MigrationSet = {
  module: KERNEL,
  folder: new URL('../../services/postgres/migrations/', import.meta.url),
}

export const setsOf = (modules: readonly RecipeModule[]): MigrationSet[] =>
  modules.flatMap(({ key, module }) => (module.migrations ? [{ module: key, folder: module.migrations }] : []))

/** In order: the kernel's own tables and roles come first, the modules stand on them. */
export const migrationSets = ({ modules }: CheckedRecipe): MigrationSet[] => [KERNEL_MIGRATIONS, ...setsOf(modules)]
