import test from 'ava'
import { checkRecipe } from '../../../bin/composition.ts'
import { Type, type ValidatedRecipe } from '../../../kernel/index.ts'
import { type Diagnostic, RecipeError, renderDiagnostics } from '../../../kernel/recipe/index.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'
import { check, FINDER, failure, fake, finderOf, folderWith, HEAD, platform, problemsOf } from './fixtures.ts'

const EMPTY_ROLE = `${HEAD}modules: { people: {} }\nroles:\n  tenant.support: { name: Support, permissions: [] }\n`

test('warns of a role without permissions', async t => {
  const { warnings } = await check(t, EMPTY_ROLE)
  t.is(warnings.length, 1)
  t.like(warnings[0], {
    severity: 'warning',
    code: 'empty_role',
    line: 5,
    column: 49,
    path: 'roles.tenant.support.permissions',
    message: 'Role "tenant.support" has no permissions',
    hint: 'Add permissions, or remove the role',
  })
})

test('treats warnings as errors with strict', async t => {
  const file = `${folderWith(t, { 'recipe.yaml': EMPTY_ROLE })}/recipe.yaml`
  const { warnings } = await checkRecipe(readRecipe(file, {}), FINDER)
  const error = await t.throwsAsync(checkRecipe(readRecipe(file, {}), FINDER, { strict: true }), {
    instanceOf: RecipeError,
  })
  t.deepEqual((error as RecipeError).problems, warnings)
})

test('reports warnings together with errors', async t => {
  const error = await failure(t, `${EMPTY_ROLE}thmee: {}\n`)
  t.deepEqual(
    error.problems.map(({ severity, code }) => `${severity} ${code}`),
    ['warning empty_role', 'error unknown_key'],
  )
  t.regex(error.render(false), /recipe\.yaml:5:49 {2}Warning: Role "tenant\.support" has no permissions/)
  t.regex(error.render(false), /Found 1 error and 1 warning\.$/)
})

const THEME = 'theme:\n  tokens:'
for (const [place, text, location] of [
  ['a block', `${HEAD}${THEME}\n    accent: #b4431f\n`, '5:13'],
  ['braces on a line', `${HEAD}theme: { tokens: { accent: #b4431f } }\nmodules: { people: {} }\n`, '3:28'],
  ['braces in a block', `${HEAD}${THEME} { accent: #b4431f }\nmodules: { people: {} }\n`, '4:21'],
  ['braces at the end', `${HEAD}${THEME} { accent: #b4431f }\n`, '4:21'],
] as const)
  test(`explains that an unquoted color is a comment, in ${place}`, async t => {
    const { problems } = await failure(t, text)
    t.is(problems.length, 1)
    t.like(problems[0], {
      code: 'unquoted_color',
      message: '#b4431f is not quoted, so YAML reads it as a comment',
      hint: 'Quote the color: "#b4431f"',
    })
    t.is(`${problems[0]?.line}:${problems[0]?.column}`, location)
  })

test('does not mistake a comment after a value for a color', async t => {
  const text = `${HEAD}modules: # decade\n  people: #fade\n    seats: 5 # beef\n`
  t.deepEqual((await check(t, text)).warnings, [])
})

const TEAM_MODULE = (allow: string) => `import { defineModule, page, route } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'shop',
  permissions: { 'shop.item.read': 'See items' },
  routes: ({ items }) => [route({ method: 'get', path: '/items', allow: ${allow}, replies: { 200: null }, handle: () => items.list() })],
  pages: () => [page({ name: 'shop.items', path: '/items', title: 'Items', allow: ['user', ${allow}], load: async () => ({ data: {} }) })],
})
`

test('rejects an unknown permission in `allow` of a team module', async t => {
  const files = {
    'recipe.yaml': `${HEAD}modules:\n  people: {}\n  shop: { use: ./shop.js }\nroles: { a.b: {} }\n`,
    'shop.js': TEAM_MODULE("'shop.item.raed'"),
  }
  const { problems } = await failure(t, files)
  t.deepEqual(
    problems.filter(({ line }) => line === 5).map(({ code, column, message, hint }) => [code, column, message, hint]),
    [
      [
        'unknown_permission',
        3,
        'Unknown permission "shop.item.raed" in "allow" of GET /v1/items',
        'Did you mean "shop.item.read"?',
      ],
      [
        'unknown_permission',
        3,
        'Unknown permission "shop.item.raed" in "allow" of GET /items',
        'Did you mean "shop.item.read"?',
      ],
    ],
  )
})

test('accepts keywords and permissions of any module in `allow`', async t => {
  const recipe = `${HEAD}modules:\n  people: {}\n  shop: { use: ./shop.js }\n`
  for (const allow of ["'public'", "'shop.item.read'", "'people.member.read'"])
    await t.notThrowsAsync(check(t, { 'recipe.yaml': recipe, 'shop.js': TEAM_MODULE(allow) }))
})

test('skips endpoints that are known only after the module is created', async t => {
  const module = `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'shop', routes: ({ items }) => { throw new Error(items) } })
`
  const recipe = `${HEAD}modules:\n  shop: { use: ./shop.js }\n`
  await t.notThrowsAsync(check(t, { 'recipe.yaml': recipe, 'shop.js': module }))
})

test('passes other sections and the pages of all modules to `validate`', async t => {
  const seen: unknown[] = []
  const goods = fake({
    name: 'goods',
    sections: { goods: Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Integer()) },
  })
  const shop = fake({
    name: 'shop',
    pages: () => [{ path: '/shop', allow: 'public' }],
    validate(recipe: ValidatedRecipe) {
      seen.push(recipe.section('goods'), recipe.section('gone'), recipe.pages())
      return [{ path: ['goods', 'apple'], message: 'Too many apples', code: 'too_many', severity: 'warning' as const }]
    },
  })
  const finder = finderOf(platform, goods, shop)
  const { warnings } = await check(t, `${HEAD}modules: { goods: {}, shop: {} }\ngoods: { apple: 7 }\n`, { finder })
  const page = { module: 'shop', kind: 'pages', method: 'GET', path: '/shop', allow: ['public'] }
  t.deepEqual(seen, [{ apple: 7 }, undefined, { endpoints: [page], complete: true }])
  t.like(warnings[0], { code: 'too_many', severity: 'warning', line: 4, column: 17 })
  seen.length = 0
  await problemsOf(t, `${HEAD}modules: { goods: {}, shop: {} }\ngoods: 7\n`, { finder })
  t.is(seen[0], undefined)
})

test('rejects a `recentAuth` that is not a duration, of a route and of a page', async t => {
  const files = {
    'recipe.yaml': `${HEAD}modules:\n  shop: { use: ./shop.js }\n`,
    'shop.js': `import { defineModule, page, route } from '@larder-dev/larder/kernel'
export default defineModule({
  name: 'shop',
  routes: () => [route({ method: 'get', path: '/items', allow: 'user', recentAuth: '10 minutes', replies: { 200: null }, handle: async () => {} })],
  pages: () => [page({ name: 'shop.items', path: '/items', title: 'Items', allow: 'user', recentAuth: { within: 'soon', forms: () => true }, load: async () => ({ data: {} }) })],
})
`,
  }
  const { problems } = await failure(t, files)
  t.deepEqual(
    problems.map(({ code, path, message }) => [code, path, message]),
    [
      ['invalid_value', 'modules.shop', `"recentAuth" of GET /v1/items is "10 minutes", which isn't a duration`],
      ['invalid_value', 'modules.shop', `"recentAuth" of GET /items is "soon", which isn't a duration`],
    ],
  )
})

const SECRETS: readonly (readonly [about: string, value: string])[] = [
  ['a key of Stripe', `sk_live_${'0123456789abcdef'}`],
  ['a password in a URL', 'smtp://me:hunter2@mail.test:587'],
  ['a key of an AI provider', `sk-proj-${'a'.repeat(30)}`],
  ['a token of GitHub', `ghp_${'a'.repeat(36)}`],
  ['a token with the prefix of its provider', `npm_${'a1B2'.repeat(9)}`],
  ['a token with a version', `dop_v1_${'0a'.repeat(32)}`],
  ['the address of a channel', `https://hooks.slack.com/services/T0000/B0000/${'aB3'.repeat(8)}`],
  ['a header', `Bearer ${'aB3-'.repeat(8)}`],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
]
for (const [about, value] of SECRETS)
  test(`warns of ${about} that stands in the recipe, and doesn't repeat it`, async t => {
    const { warnings } = await check(t, `${HEAD}roles:\n  tenant.a: { name: "${value}", permissions: [] }\n`)
    const [warning] = warnings.filter(({ code }) => code === 'literal_secret')
    t.like(warning, { severity: 'warning', path: 'roles.tenant.a.name' })
    t.false(renderDiagnostics([warning as Diagnostic], false).includes(value))
  })

test('warns of an option that is a secret by its name', async t => {
  const { problems } = await failure(t, `${HEAD}modules: { people: { secretKey: wJalrXUtnFEMI/K7MDENG/bPxRfi } }\n`)
  t.deepEqual(
    problems.filter(({ code }) => code === 'literal_secret').map(({ path }) => path),
    ['modules.people.secretKey'],
  )
})

for (const value of [
  'larder-release-2026-11',
  `sha256-${'0a'.repeat(32)}`,
  'pag_01m8j3cpeae5qbd6ja00k0px9b',
  'http://localhost:8080',
])
  test(`says nothing of ${value}`, async t => {
    const { warnings } = await check(t, `${HEAD}roles:\n  tenant.a: { name: "${value}", permissions: [] }\n`)
    t.deepEqual(
      warnings.map(({ code }) => code),
      ['empty_role'],
    )
  })

test('says nothing of a secret that comes from the environment', async t => {
  const yaml = `${HEAD}roles:\n  tenant.a: { name: "\${KEY}", permissions: [] }\n`
  const file = `${folderWith(t, { 'recipe.yaml': yaml })}/recipe.yaml`
  const { warnings } = await checkRecipe(readRecipe(file, { KEY: `sk_live_${'0123456789abcdef'}` }), FINDER)
  t.deepEqual(
    warnings.map(({ code }) => code),
    ['empty_role'],
  )
})

test('says that modules declare jobs, routes and listeners', async t => {
  const error = await failure(
    t,
    `${HEAD}jobs: { nightly: { cron: "0 3 * * *" } }\nschedules: {}\nlisteners: {}\nroutes: {}\n`,
  )
  t.deepEqual(
    error.problems.map(({ hint }) => hint?.replace(/^.*with: /, '')),
    [
      'larder module new <name> --job',
      'larder module new <name> --job',
      'larder module new <name> --listener',
      'larder module new <name>',
    ],
  )
})
