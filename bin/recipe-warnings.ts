import { type CheckedRecipe, renderDiagnostics } from '../kernel/recipe/index.ts'
import { isColored, printInfo } from './shell.ts'

export function printWarnings({ warnings }: Pick<CheckedRecipe, 'warnings'>): void {
  if (warnings.length > 0) printInfo(`${renderDiagnostics(warnings, isColored(process.stderr))}\n`)
}
