import { didYouMean, isRecord, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { declaredAreas, declaredGroups } from '../domain/areas.ts'
import type { ConsoleOptions } from '../options.ts'
import { validateHome } from './home-validation.ts'

/** Reports areas that no module and no collection of the recipe has, unknown groups of the navigation, and cards. */
export function validate(recipe: ValidatedRecipe<ConsoleOptions>): readonly RecipeDiagnostic[] {
  const { options, modules, complete } = recipe
  if (!complete) return []
  const collections = recipe.section('collections')
  const areas = [...declaredAreas(modules), ...(isRecord(collections) ? Object.keys(collections) : [])]
  const unknownIn = (option: 'customers' | 'sidebar', known: readonly string[], code: string, word: string) => {
    const path = ['modules', 'console', option]
    const names = options[option]
    if (!Array.isArray(names) || !recipe.isEntirelyValid(path)) return []
    return names.flatMap((name, index): RecipeDiagnostic[] =>
      known.includes(name)
        ? []
        : [
            {
              code,
              path: [...path, index],
              message: `Unknown ${word} "${name}"`,
              hint: didYouMean(name, known) ?? `${capitalized(word)}s are ${known.join(', ')}`,
              // A recipe that extends a shipped one can leave out its modules.
              ownFilesOnly: true,
            },
          ],
    )
  }
  return [
    ...unknownIn('customers', areas, 'unknown_area', 'area'),
    ...unknownIn('sidebar', declaredGroups(modules), 'unknown_group', 'group'),
    ...validateHome(recipe),
  ]
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
