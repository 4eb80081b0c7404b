/** Checks recipes with the shipped modules. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { checkRecipe } from '../../bin/composition.ts'
import { type Diagnostic, RecipeError } from '../../kernel/recipe/index.ts'
import { readRecipe } from '../../kernel/recipe/read.ts'

const headFor = (audience: string | undefined) =>
  `recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080"${audience === undefined ? '' : `, audience: ${audience}`} }\n`

/** The errors and warnings of a recipe, which follow a head of two lines. */
export async function recipeProblems(
  t: ExecutionContext,
  recipe: string,
  {
    files = {},
    env = {},
    audience,
  }: {
    files?: Readonly<Record<string, string>>
    env?: Readonly<Record<string, string>>
    audience?: string
  } = {},
): Promise<readonly Diagnostic[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-problems-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...files, 'recipe.yaml': headFor(audience) + recipe })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  try {
    return (await checkRecipe(readRecipe(join(folder, 'recipe.yaml'), env))).warnings
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems
  }
}

/** `error unknown_plan recipe.yaml:5:7 message → hint` */
export const toLine = ({ severity, code, file, line, column, message, hint }: Diagnostic): string =>
  `${severity} ${code} ${basename(file)}:${line}:${column} ${message}${hint === undefined ? '' : ` → ${hint}`}`
