/** Writes recipes to temporary folders and checks them against fake modules. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { checkRecipe } from '../../../bin/composition.ts'
import { DURATION_PATTERN } from '../../../kernel/base/units.ts'
import { type Definition, defineModule, Type } from '../../../kernel/index.ts'
import type { CheckedRecipe } from '../../../kernel/recipe/check.ts'
import { type Diagnostic, RecipeError } from '../../../kernel/recipe/index.ts'
import type { ModuleFinder } from '../../../kernel/recipe/modules.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'

/** Defines a module whose ports are not declared in `Ports`. */
export const fake = (spec: Record<string, unknown>): Definition => defineModule(spec as never)

const port = () => ({})

export const people = fake({
  name: 'people',
  summary: 'Who may sign in',
  provides: { people: port },
  options: Type.Object({
    registration: Type.Object({
      open: Type.Boolean({ default: true, description: 'Whether anyone may register' }),
      workspace: Type.Union([Type.Literal('auto'), Type.Literal('none')], { default: 'auto' }),
    }),
    ttl: Type.Optional(
      Type.String({ pattern: DURATION_PATTERN, default: '7d', description: 'How long a login holds' }),
    ),
    seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    hosts: Type.Optional(Type.Array(Type.String())),
    limit: Type.Optional(Type.Union([Type.Integer(), Type.Null(), Type.Object({ per: Type.String() })])),
  }),
  permissions: {
    'people.member.read': 'See members',
    'people.member.remove': 'Remove members',
    'people.server.stop': { title: 'Stop the server', scope: 'platform' },
  },
  roles: { 'tenant.editor': { name: 'Editor', permissions: ['people.member.read'] } },
})
export const post = fake({
  name: 'post',
  needs: ['people'],
  provides: { post: port },
  options: Type.Object({
    from: Type.String({ description: 'The sender', examples: ['Acme <hello@acme.test>'] }),
    secret: Type.Optional(Type.String()),
    pin: Type.Optional(Type.String({ writeOnly: true })),
    apiKey: Type.Optional(Type.String()),
    url: Type.Optional(Type.String()),
  }),
  sections: {
    letters: Type.Record(
      Type.String({ pattern: '^[a-z-]+$' }),
      Type.Object({ title: Type.String(), copies: Type.Optional(Type.Integer({ default: 1 })) }),
    ),
  },
})
export const platform = fake({ name: 'platform' })

export const finderOf = (...modules: Definition[]): ModuleFinder => ({
  names: () => modules.map(({ name }) => name),
  load: async name => modules.find(module => module.name === name) as Definition,
})
export const FINDER = finderOf(platform, people, post)

export const PRODUCT = 'product: { key: acme, name: Acme, publicUrl: "http://localhost:8080/" }'
export const HEAD = `recipe: 1\n${PRODUCT}\n`

type Files = Readonly<Record<string, string | Buffer>>

/** Writes the files to a temporary folder, which is removed after the test. */
export function folderWith(t: ExecutionContext, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export interface CheckOptions {
  readonly env?: Record<string, string>
  readonly finder?: ModuleFinder
}
const filesOf = (files: Files | string): Files => (typeof files === 'string' ? { 'recipe.yaml': files } : files)

/** Checks `recipe.yaml` in the given files, or the given text. */
export const check = (
  t: ExecutionContext,
  files: Files | string,
  { env = {}, finder = FINDER }: CheckOptions = {},
): Promise<CheckedRecipe> => checkRecipe(readRecipe(join(folderWith(t, filesOf(files)), 'recipe.yaml'), env), finder)

export async function failure(
  t: ExecutionContext,
  files: Files | string,
  options: CheckOptions = {},
): Promise<RecipeError> {
  return (await t.throwsAsync(check(t, files, options), { instanceOf: RecipeError })) as RecipeError
}

/** Each problem as `file:line:column message`, with the base name of the file. */
export const formatProblems = ({ problems }: RecipeError): string[] => problems.map(formatProblem)
const formatProblem = ({ file, line, column, message }: Diagnostic): string =>
  `${file.slice(file.lastIndexOf('/') + 1)}:${line}:${column} ${message}`

/** The formatted problems of an invalid recipe. */
export const problemsOf = async (
  t: ExecutionContext,
  files: Files | string,
  options: CheckOptions = {},
): Promise<string[]> => formatProblems(await failure(t, files, options))
export const hintsOf = async (
  t: ExecutionContext,
  files: Files | string,
  options: CheckOptions = {},
): Promise<(string | undefined)[]> => (await failure(t, files, options)).problems.map(({ hint }) => hint)
