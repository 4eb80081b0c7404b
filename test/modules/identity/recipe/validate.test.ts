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
  const modules = { identity: { invitations: { defaultRole } }, comms: { from: 'hello@acme.test' }, messaging: {} }
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

/** Messages and hints about these providers. */
const providers = async (t: ExecutionContext, yaml: string) =>
  (
    await recipeProblems(
      t,
      `modules:\n  comms: { from: hello@acme.test }\n  identity:\n    signIn:\n      password: false\n      ${yaml}\n`,
    )
  ).map(({ path, message }) => `${path.replace('modules.identity.signIn.', '')} ${message}`)

test('each provider needs the keys of its kind', async t => {
  const client = 'clientId: id, clientSecret: secret'
  t.deepEqual(
    await providers(t, `providers: { google: { ${client} }, github: { ${client}, url: "https://git.test" } }`),
    [],
  )
  t.deepEqual(await providers(t, `providers: { acme: { ${client}, issuer: "https://id.test/realm" } }`), [])
  t.deepEqual(await providers(t, 'providers: { apple: { clientId: id, teamId: t, keyId: k, privateKey: p } }'), [])
  t.deepEqual(await providers(t, `providers: { microsoft: { ${client}, tenant: acme.test } }`), [])
  t.deepEqual(await providers(t, 'providers: { google: { clientId: id } }'), [
    'providers.google "google" needs clientSecret',
  ])
  t.deepEqual(await providers(t, `providers: { gogle: { ${client} } }`), ['providers.gogle "gogle" needs issuer'])
  t.deepEqual(await providers(t, 'providers: { apple: { clientId: id } }'), [
    'providers.apple "apple" needs teamId',
    'providers.apple "apple" needs keyId',
    'providers.apple "apple" needs privateKey',
  ])
  t.deepEqual(await providers(t, `providers: { google: { ${client}, issuer: "https://id.test" } }`), [
    'providers.google.issuer "google" has no issuer',
  ])
})

test('warns of GitHub in a recipe that sends no mail, because GitHub proves nobody again', async t => {
  const recipe = (comms: string) =>
    `modules: { ${comms}identity: { signIn: { providers: { github: { clientId: id, clientSecret: secret } } } } }\n`
  const found = await recipeProblems(t, recipe(''))
  t.deepEqual(
    found.map(({ severity, code, path }) => [severity, code, path]),
    [['warning', 'no_recent_proof', 'modules.identity.signIn.providers.github']],
  )
  t.deepEqual(await recipeProblems(t, recipe('comms: { from: hello@acme.test }, ')), [])
})

test('a provider has a URL with https and a name that no other way to sign in has', async t => {
  const client = 'clientId: id, clientSecret: secret'
  for (const url of ['http://id.test', 'id.test', 'https://id.test?realm=1', 'ftp://id.test'])
    t.deepEqual(await providers(t, `providers: { acme: { ${client}, issuer: "${url}" } }`), [
      `providers.acme.issuer "${url}" isn't the URL of a provider`,
    ])
  t.deepEqual(await providers(t, `providers: { acme: { ${client}, issuer: "http://localhost:8090" } }`), [])
  t.deepEqual(await providers(t, `providers: { passkey: { ${client}, issuer: "https://id.test" } }`), [
    'providers.passkey "passkey" is another way to sign in',
  ])
  for (const name of ['Acme', 'a b', '1st'])
    t.is((await providers(t, `providers: { "${name}": { ${client}, issuer: "https://id.test" } }`)).length, 1, name)
})

test('the URL of an app has a scheme of its own', async t => {
  const google = 'providers: { google: { clientId: id, clientSecret: secret } }'
  const apps = (url: string) => providers(t, `${google}\n      apps: ["${url}"]`)
  for (const url of ['com.acme.app:/signed-in', 'https://app.acme.test/signed-in', 'http://127.0.0.1/signed-in'])
    t.deepEqual(await apps(url), [], url)
  for (const url of ['javascript:alert(1)', 'acme:/signed-in', 'http://acme.test/', 'com.acme.app:/x#y', 'signed-in'])
    t.deepEqual(await apps(url), [`apps[0] "${url}" isn't the URL of an app`], url)
})

test('an entry of the list of disposable domains that is no domain is reported', async t => {
  const list = '["mailinator.com", "müll.test", "@mailinator.com", "*.mailinator.com"]'
  const recipe = `modules: { identity: { registration: { disposableDomains: ${list} } }, comms: { from: hello@acme.test } }
`
  t.deepEqual(
    (await recipeProblems(t, recipe)).map(({ path, message }) => `${path} ${message}`),
    ['[2] "@', '[3] "*.'].map(
      start => `modules.identity.registration.disposableDomains${start}mailinator.com" isn't a domain`,
    ),
  )
})
