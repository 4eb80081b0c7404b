/** Tools that read, check and plan the recipe. */
import { stringify } from 'yaml'
import { MIB, Type } from '../../kernel/base/index.ts'
import {
  type CheckedRecipe,
  composeSchema,
  type Diagnostic,
  type Json,
  maskRecipe,
  RecipeError,
} from '../../kernel/recipe/index.ts'
import { editorSchema } from '../editor-schema.ts'
import type { Redactor } from '../redactor.ts'
import { CallError, type Project } from './project.ts'
import { withReferences } from './references.ts'
import { defineTool } from './tool.ts'

const DRAFT = {
  file: Type.Optional(
    Type.String({ description: 'Path of the recipe, relative to the project. Default: the recipe of the project.' }),
  ),
  text: Type.Optional(
    Type.String({ maxLength: MIB, description: 'YAML to use instead of the text of the file, before it is saved.' }),
  ),
}

export const getRecipe = defineTool({
  name: 'get_recipe',
  title: 'Get the recipe',
  description:
    'Returns the whole recipe as YAML: all files merged, defaults filled in, secrets masked. Use it to see what the product consists of; edit the files that it lists.',
  narrow: 'Pass `section` for one section.',
  input: Type.Object({
    section: Type.Optional(Type.String({ description: 'Only this section.', examples: ['collections', 'roles'] })),
  }),
  run: async ({ section }, { project, redactor }) => recipeText(project, redactor, section),
})

/** @param section its name; by default, the whole recipe. */
export async function recipeText(project: Project, redactor: Redactor, section?: string): Promise<string> {
  const checked = await project.check(redactor)
  const files = checked.files.map(file => `# ${project.shortPath(file)}\n`)
  const recipe = maskRecipe(checked) as Readonly<Record<string, unknown>>
  if (section !== undefined && !Object.hasOwn(recipe, section))
    throw new CallError(`The recipe has no section "${section}". It has ${Object.keys(recipe).join(', ')}.`)
  const shown = section === undefined ? recipe : { [section]: recipe[section] }
  // Redacted before it is formatted, because YAML may wrap or escape a secret.
  return `# Files of the recipe:\n${files.join('')}${stringify(redactor.apply(shown), { lineWidth: 120 })}`
}

export const getRecipeSchema = defineTool({
  name: 'get_recipe_schema',
  title: 'Get the schema of the recipe',
  description:
    'Returns the JSON Schema of one part of a recipe: a section such as `roles` or `billing`, or the options of a module such as `modules.identity`. Without `part`, it lists the parts.',
  input: Type.Object({ part: Type.Optional(Type.String({ examples: ['modules.identity', 'roles'] })) }),
  async run({ part }, { project, redactor }) {
    const schema = composeSchema(await project.definitions(redactor), project.declared(redactor))
    const parts = partsOf(schema)
    if (part === undefined)
      return Object.fromEntries(Object.entries(parts).map(([name, { description = '' }]) => [name, description]))
    const found = parts[part]
    if (!found) throw new CallError(`The recipe has no part "${part}". Parts are ${Object.keys(parts).join(', ')}.`)
    return withReferences(found, schema)
  },
})

/** The complete schema, as editors use it. */
export const recipeSchema = async (project: Project, redactor: Redactor): Promise<Json> =>
  editorSchema(await project.definitions(redactor), project.declared(redactor))

function partsOf(schema: Json): Record<string, Json> {
  const { modules, ...sections } = schema.properties as Record<string, Json>
  const options = Object.entries((modules?.properties ?? {}) as Record<string, Json>)
  return { ...sections, ...Object.fromEntries(options.map(([name, option]) => [`modules.${name}`, option])) }
}

export const checkRecipe = defineTool({
  name: 'check_recipe',
  title: 'Check a recipe',
  description:
    'Validates the recipe, or a text before it is saved. Returns every problem with file, line, column, message and a hint for the fix. Needs no database and changes nothing.',
  narrow: 'Or fix these problems and check again.',
  input: Type.Object({
    ...DRAFT,
    strict: Type.Optional(Type.Boolean({ description: 'Treat warnings as errors.' })),
  }),
  async run({ strict = false, ...draft }, { project, redactor }) {
    try {
      const checked = await project.rehearse(await project.check(redactor, draft, { strict }))
      return { valid: true, ...summaryOf(checked), problems: project.diagnostics(checked.warnings) }
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error
      return invalid(project, error.problems)
    }
  },
})

const invalid = (project: Project, problems: readonly Diagnostic[]) => ({
  valid: false,
  problems: project.diagnostics(problems),
})

const summaryOf = ({ modules, failed }: CheckedRecipe) => ({
  modules: modules.map(({ key }) => key),
  ...(failed.length > 0 && { skippedModules: failed }),
})

export const planRecipe = defineTool({
  name: 'plan_recipe',
  title: 'Plan a recipe',
  description:
    'Compares the recipe, or a text before it is saved, with the database, and returns what applying it would add, change, remove and break. Applies nothing: `larder recipe apply` does.',
  input: Type.Object(DRAFT),
  async run(draft, { project, redactor }) {
    try {
      const { place, changes, unknown } = await project.plan(redactor, draft)
      const breaking = changes.filter(({ breaks }) => breaks !== undefined).length
      const note = place === null ? 'No database exists yet. The first start creates it.' : undefined
      return { valid: true, database: place, ...(note && { note }), breaking, changes, unknown }
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error
      return invalid(project, error.problems)
    }
  },
})
