/** What is wrong with the theme of a recipe: its theme.yaml and its texts, and what the recipe says of tokens and logo. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { keyPlace, type Path, problemAt, type RecipeProblem, type RecipeValue, valuePlace } from 'larder/kernel'
import { layoutProblems, logoFault } from '../assemble.ts'
import { placesOf, type TemplateProblem } from '../engine.ts'
import { loadTexts } from '../texts.ts'
import { templatesIn, themeChain } from '../theme-file.ts'
import { recipeTokenFaults, themeTokenProblems } from '../tokens.ts'
import { type Found, isFolder, logoFile, THEMES, themeFolder } from './references.ts'

/** Templates are not compiled here: that is the larger part of a start. */
export function themeProblems(value: RecipeValue, { tree, intact }: Found): RecipeProblem[] {
  const say = (path: Path, message: string, hint?: string) => problemAt(valuePlace(tree, path), path, message, hint)
  const logo = intact(['theme', 'logo']) ? logoFile(value, tree) : undefined
  const fault = logo !== undefined && existsSync(logo) ? logoFault(logo) : undefined
  const problems = fault === undefined ? [] : [say(['theme', 'logo'], fault)]
  if (!intact(['theme', 'use'])) return problems
  const folder = themeFolder(value, tree)
  if (!isFolder(folder)) return problems
  const own = Object.fromEntries(
    Object.entries(intact(['theme', 'tokens']) ? value.theme.tokens : {}).filter(([name]) =>
      intact(['theme', 'tokens', name]),
    ),
  )
  const { theirs, ours } = read(folder, own)
  return [
    ...problems,
    ...ours.map(({ name, message, hint, unknown }) => {
      const path = ['theme', 'tokens', name]
      return problemAt((unknown ? keyPlace : valuePlace)(tree, path), path, message, hint)
    }),
    ...theirs.map(problem => ({ ...problem, path: '' })),
  ]
}

interface Read {
  /** In files of the theme. */
  readonly theirs: readonly TemplateProblem[]
  /** In the recipe. */
  readonly ours: ReturnType<typeof recipeTokenFaults>
}

function read(folder: string, own: Readonly<Record<string, string>>): Read {
  try {
    const { folders, files } = themeChain(folder)
    // Those that ship are whole, and long.
    loadTexts(folders.filter(own => !own.startsWith(THEMES)).map(own => join(own, 'locales')))
    const theirs = [...themeTokenProblems(files), ...layoutProblems(files, templatesIn(folders, 'layouts'))]
    return { theirs, ours: recipeTokenFaults(files, own) }
  } catch (error) {
    const theirs = placesOf(error)
    if (!theirs) throw error
    return { theirs, ours: [] }
  }
}
