import type { CheckedRecipe } from './check.ts'

/** Folders whose files are read again for each request under `larder dev`. */
export const liveFolders = ({ services, modules, resolveFile }: CheckedRecipe): readonly string[] =>
  [...services, ...modules].flatMap(
    ({ module, sections }) => module.liveFolders?.({ sections, resolveFile } as never) ?? [],
  )
