import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { stringify } from 'yaml'
import { checkRecipe } from '../../../../bin/composition.ts'
import { RecipeError } from '../../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../../kernel/recipe/read.ts'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

/** Messages and paths of the diagnostics of a recipe with this default role. */
async function check(t: ExecutionContext, defaultRole: string, roles: object = {}): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  const product = { key: 'test', name: 'Test', publicUrl: 'http://localhost:8080' }
  const modules = { identity: { invitations: { defaultRole } }, comms: {}, messaging: {} }
  writeFileSync(file, stringify({ recipe: 1, product, modules, roles }))
  try {
    await checkRecipe(readRecipe(file, {}))
    return []
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
  }
}

test('the default role of invitations is a role of Larder, a module or the recipe', async t => {
  t.deepEqual(await check(t, 'tenant.member'), [])
  t.deepEqual(await check(t, 'tenant.messenger'), [])
  const user = { name: 'User', permissions: ['messaging.*'] }
  t.deepEqual(await check(t, 'tenant.user', { 'tenant.user': user }), [])
})

test('rejects a default role that does not exist, or that a workspace cannot assign', async t => {
  const at = 'modules.identity.invitations.defaultRole'
  t.deepEqual(await check(t, 'tenant.usr', { 'tenant.user': { name: 'User', permissions: ['messaging.*'] } }), [
    `${at}: Unknown role "tenant.usr"`,
  ])
  const platform = {
    'platform.help': { name: 'Help', scope: 'platform', permissions: ['communications.mailbox.read'] },
  }
  for (const role of ['platform.help', 'platform.admin'])
    t.deepEqual(await check(t, role, platform), [
      `${at}: Role "${role}" has the scope platform, so workspaces can't assign it`,
    ])
})

test('rejects lifetimes of zero', async t => {
  const recipe = `modules:
  identity: { invitations: { ttl: 0d } }
  sessions: { ttl: { screenshare: 0h }, maxDuration: 0s }
rateLimits: { api: { points: 3, window: 0m } }
`
  const lines = (await recipeProblems(t, recipe)).map(toLine)
  for (const [index, path] of [
    'identity.invitations.ttl',
    'sessions.ttl.screenshare',
    'sessions.maxDuration',
  ].entries())
    t.regex(lines[index] ?? '', new RegExp(`"modules.${path}" → Use a duration such as .* more than zero`))
  t.regex(lines[3] ?? '', /recipe.yaml:6:41 Invalid value "0m" for "rateLimits.api.window"/)
  t.is(lines.length, 4)
})
