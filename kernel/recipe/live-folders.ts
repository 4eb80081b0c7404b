import type { CheckedRecipe } from './check.ts'

/** Folders whose files `larder dev` reads for each request. */
export const liveFolders = ({ services, modules, resolveFile }: CheckedRecipe): readonly string[] =>
  [...services, ...modules].flatMap(
    ({ module, sections }) => module.liveFolders?.({ sections, resolveFile } as never) ?? [],
  )
