/**
 * `larder/kernel`: everything that services and modules import.
 *
 * Services and modules extend `Ports`, `Events`, `Jobs` and `Channels` by declaration merging:
 *
 *     declare module 'larder/kernel' {
 *       interface Ports { invoices: Invoices }
 *     }
 */
export * from './base/index.ts'
export * from './contract/index.ts'
export {
  type CheckedRecipe,
  dotted,
  importFile,
  keyPlace,
  type LoadedModule,
  type MapTree,
  type Path,
  problemAt,
  type RecipeProblem,
  type RecipeValue,
  valuePlace,
} from './recipe/index.ts'
export { type Settings, withoutPassword } from './runtime/index.ts'
