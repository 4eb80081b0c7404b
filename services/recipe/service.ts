import { defineService } from '@larder-dev/larder/kernel'
import type { RecipeFile } from './ports.ts'

/** @param file what checks the file: services can't read recipes. */
export const recipeService = (file: RecipeFile) =>
  defineService({
    name: 'recipe',
    summary: 'Compares the recipe file with the recipe that runs, for the console.',
    provides: { recipeFile: () => file },
  })

/** The service of recipes that are described only. */
export default recipeService({
  check: () => Promise.reject(new Error('This recipe was not read from a file.')),
})
