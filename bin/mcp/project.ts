/** The recipe that the server describes. Each call reads it again, because it changes while the server runs. */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileReadError, packageRoot, readVariable, resolveInside } from '../../kernel/base/index.ts'
import type { DeclaredKeys } from '../../kernel/contract/index.ts'
import type { Ports, Settings } from '../../kernel/index.ts'
import {
  type CheckedRecipe,
  type CheckOptions,
  type DescribedModule,
  type Diagnostic,
  declaredKeys,
  describedDefinitions,
  RecipeError,
  readRecipe,
} from '../../kernel/recipe/index.ts'
import type { RecipePlan } from '../../kernel/runtime/index.ts'
import { catalog, checkRecipe, readSettings, rehearse, secretVariables } from '../composition.ts'
import { explain } from '../failure.ts'
import { recipeFile } from '../recipe-file.ts'
import { addMaskedStrings, addSecretsOf, createRedactor, type Redactor } from '../redactor.ts'
import { foreignCode } from './foreign-code.ts'

type Env = Readonly<Record<string, string | undefined>>
type Source = ReturnType<typeof readRecipe>

/** What to read instead of the saved recipe. */
export interface Draft {
  /** Path of the recipe, relative to the project. */
  readonly file?: string
  /** Read instead of the text of the file. */
  readonly text?: string
}

/** A mistake of the caller. */
export class CallError extends Error {}

export interface Project {
  /** Absolute. */
  readonly file: string
  /** Collects the secrets of one call. */
  redactor(): Redactor
  /** Throws a RecipeError, or a CallError for a draft that is not allowed. */
  check(redactor: Redactor, draft?: Draft, options?: CheckOptions): Promise<CheckedRecipe>
  /** Throws a RecipeError for what a start would refuse. */
  rehearse(checked: CheckedRecipe): Promise<CheckedRecipe>
  /** Services and modules of the recipe, and the other shipped ones. The recipe may be invalid. */
  definitions(redactor: Redactor): Promise<readonly DescribedModule[]>
  /** The keys of the sections of the recipe. */
  declared(redactor: Redactor): DeclaredKeys
  /** Calls `read` with the ports of the product. Connects to nothing. */
  inspect<T>(redactor: Redactor, read: (ports: Readonly<Ports>, checked: CheckedRecipe) => T): Promise<T>
  plan(redactor: Redactor, draft?: Draft): Promise<RecipePlan>
  /** The path relative to the project, or absolute outside of it. */
  shortPath(file: string): string
  /** One sentence, or several lines. */
  explain(error: unknown): string
  /** The same for the problems of a recipe, with relative paths. */
  diagnostics(problems: readonly Diagnostic[]): readonly Diagnostic[]
}

const SHIPPED_RECIPES = fileURLToPath(new URL('recipes/', packageRoot))

/** @param argument the recipe, as in the other commands. */
export function createProject(argument: string | undefined, env: Env): Project {
  const named = readVariable(env, 'LARDER_RECIPE')
  const saved = recipeFile(argument, { recipe: named && resolve(named) })
  // Without a recipe of its own, a project runs a shipped one, and a draft is for a new file.
  const draftFile = saved.startsWith(SHIPPED_RECIPES) ? resolve('recipe.yaml') : saved
  const root = dirname(draftFile)
  const shortPath = (file: string) => {
    const short = relative(root, file)
    return short === '' || short.startsWith('..') ? file : short
  }

  function read(redactor: Redactor, draft: Draft = {}): Source {
    const isDraft = draft.file !== undefined || draft.text !== undefined
    if (!isDraft) return addSecretsOf(readRecipe(saved, env), redactor)
    const file = draft.file === undefined ? draftFile : insideRoot(draft.file)
    const unsaved = new Map(draft.text === undefined ? [] : [[file, draft.text.replace(/\r\n?/g, '\n')]])
    const source = addSecretsOf(readRecipe(file, env, unsaved), redactor)
    const [foreign] = foreignCode(source.tree, root, readRecipe(saved, env).tree)
    if (foreign !== undefined)
      throw new CallError(`use: ${foreign} is outside the project. Only the saved recipe can use code from there.`)
    return source
  }

  function insideRoot(name: string): string {
    try {
      return resolveInside(existsSync(root) ? realpathSync(root) : root, root, name)
    } catch (error) {
      throw error instanceof FileReadError ? new CallError(`${error.message}.`) : error
    }
  }

  async function check(redactor: Redactor, draft?: Draft, options?: CheckOptions): Promise<CheckedRecipe> {
    const checked = await checkRecipe(read(redactor, draft), undefined, options)
    addMaskedStrings(checked, redactor)
    return checked
  }

  async function runtime() {
    const [kernel, { toolLog }] = await Promise.all([import('../../kernel/runtime/index.ts'), import('../log.ts')])
    const settings = readSettings(env)
    return { kernel, settings, log: toolLog(settings.logLevel) }
  }

  return {
    file: saved,
    shortPath,
    check,
    redactor() {
      const redactor = createRedactor(env, secretVariables)
      for (const secret of savedSecrets(resolve(readVariable(env, 'LARDER_DATA') ?? '.larder'))) redactor.add(secret)
      return redactor
    },
    rehearse: checked => rehearse(checked, env),
    definitions: async redactor => describedDefinitions(read(redactor), catalog()),
    declared: redactor => declaredKeys(read(redactor)),
    async inspect(redactor, readPorts) {
      const checked = await check(redactor)
      const { kernel, settings, log } = await runtime()
      return kernel.inspectRecipe({ checked, settings, log }, ports => readPorts(ports, checked))
    },
    async plan(redactor, draft) {
      const checked = await check(redactor, draft)
      const { kernel, settings, log } = await runtime()
      return kernel.planRecipe({ checked, settings: withoutNewSecret(settings), log })
    },
    explain: error =>
      error instanceof RecipeError
        ? error.problems
            .map(({ file, line, column, message }) => `${shortPath(file)}:${line}:${column} ${message}`)
            .join('\n')
        : explain(error, env),
    diagnostics: problems => problems.map(problem => ({ ...problem, file: shortPath(problem.file) })),
  }
}

/** The server secret in the data folder. */
function savedSecrets(dataDir: string): string[] {
  const file = join(dataDir, 'secret')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split(',') : []
}

/** A plan would otherwise create the secret of the installation. */
function withoutNewSecret(settings: Settings): Settings {
  if (settings.secrets.length > 0 || existsSync(join(settings.dataDir, 'secret'))) return settings
  return { ...settings, secrets: ['a placeholder, because planning never writes a secret'] }
}
