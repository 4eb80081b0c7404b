import { didYouMean, isRecord, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { declaredAreas } from '../domain/areas.ts'
import type { ConsoleOptions } from '../options.ts'

const PATH = ['modules', 'console', 'customers']

/** Reports areas that no module and no collection of the recipe has. */
export function validate(recipe: ValidatedRecipe<ConsoleOptions>): readonly RecipeDiagnostic[] {
  const { options, modules, complete } = recipe
  const { customers } = options
  if (!complete || !Array.isArray(customers) || !recipe.isEntirelyValid(PATH)) return []
  const collections = recipe.section('collections')
  const known = [...declaredAreas(modules), ...(isRecord(collections) ? Object.keys(collections) : [])]
  return customers.flatMap((area, index): RecipeDiagnostic[] =>
    known.includes(area)
      ? []
      : [
          {
            code: 'unknown_area',
            path: [...PATH, index],
            message: `Unknown area "${area}"`,
            hint: didYouMean(area, known) ?? `Areas are ${known.join(', ')}`,
            // A recipe that extends a shipped one can leave out its modules.
            ownFilesOnly: true,
          },
        ],
  )
}
