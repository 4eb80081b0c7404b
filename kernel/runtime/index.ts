/** Assembles and runs a checked recipe. */
export { describeRecipe } from './describe-recipe.ts'
export { bootKernel, type Kernel, type Role } from './kernel.ts'
export { migrationSets } from './migration-sets.ts'
export { planRecipe, type RecipePlan } from './plan/plan.ts'
export { readSettings, SETTINGS, type Settings, SettingsError, withoutPassword } from './settings.ts'
