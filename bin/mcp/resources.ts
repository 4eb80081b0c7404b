/** What clients can attach to a conversation without calling a tool. */
import { recipeDocs } from '../recipe-docs.ts'
import { docsPage, docsPages } from './docs.ts'
import { recipeSchema, recipeText } from './recipe-tools.ts'
import type { ToolContext } from './tool.ts'

interface Resource {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** True if it contains nothing but the documentation of the package. It isn't redacted. */
  readonly fromPackage?: boolean
  /** Returns text, or a value that is sent as JSON. */
  read(context: ToolContext): unknown
}

const RECIPE_RESOURCES: readonly Resource[] = [
  {
    uri: 'larder://recipe',
    name: 'Recipe',
    description: 'The recipe with defaults; secrets are masked',
    mimeType: 'application/yaml',
    read: ({ project, redactor }) => recipeText(project, redactor),
  },
  {
    uri: 'larder://recipe/schema',
    name: 'JSON Schema of the recipe',
    description: 'The keys of all modules, as editors use it',
    mimeType: 'application/schema+json',
    read: ({ project, redactor }) => recipeSchema(project, redactor),
  },
  {
    uri: 'larder://recipe/reference',
    name: 'Reference of the recipe',
    description: 'The keys of all modules, as tables',
    mimeType: 'text/markdown',
    read: async ({ project, redactor }) => recipeDocs([...(await project.definitions(redactor))]),
  },
  {
    uri: 'larder://openapi',
    name: 'OpenAPI document',
    description: 'The API of the recipe',
    mimeType: 'application/json',
    read: ({ project, redactor }) => project.inspect(redactor, ({ http }) => http.openapi()),
  },
]

const DOCS = 'larder://docs/'

export const resources = (): Resource[] => [
  ...RECIPE_RESOURCES,
  ...docsPages().map(({ page, title }) => ({
    uri: DOCS + page,
    name: title,
    description: `docs/${page}.md`,
    mimeType: 'text/markdown',
    fromPackage: true,
    read: () => docsPage(page),
  })),
]
