/** Assembles and runs a checked recipe. */
export { describeRecipe, inspectRecipe, rehearseStart } from './describe-recipe.ts'
export { bootKernel, type Kernel, type KernelOptions, migrationSets, type Role } from './kernel.ts'
export { type AppliedRecipe, appliedRecipe } from './plan/applied-recipe.ts'
export { compareRecipes } from './plan/compare.ts'
export { type PlanOptions, planRecipe, type RecipePlan } from './plan/plan.ts'
export { loadSecrets } from './secret-file.ts'
export { readSettings, settingSpecs } from './settings.ts'
