import { readFileSync } from 'node:fs'
import test from 'ava'
import { Type } from '../../../kernel/index.ts'
import { liveFolders } from '../../../kernel/recipe/live-folders.ts'
import { check, FINDER, failure, fake, finderOf, HEAD, hintsOf, people, platform, problemsOf } from './fixtures.ts'

const recipe = (rest: string) => `${HEAD}${rest}`

test('fills in defaults and adds the platform module', async t => {
  const checked = await check(t, recipe('modules:\n  people:\n  post: { from: a }\n'))
  t.deepEqual(
    checked.modules.map(({ key, source }) => [key, source]),
    [
      ['platform', 'larder'],
      ['people', 'larder'],
      ['post', 'larder'],
    ],
  )
  t.deepEqual(checked.modules[1]?.options, { registration: { open: true, workspace: 'auto' }, ttl: '7d' })
  t.like(checked, { product: { key: 'acme', publicUrl: 'http://localhost:8080' }, failed: [], roles: {} })
  t.like(checked, { value: { docs: true, theme: { use: 'default', tokens: {} } }, locales: { default: 'en' } })
  t.true(readFileSync(`${liveFolders(checked)[0]}/theme.yaml`, 'utf8').length > 0)
})

test('passes a section to the module that owns it, and omits an absent one', async t => {
  const modules = 'modules: { people: {}, post: { from: a } }\n'
  const withLetters = await check(t, recipe(`${modules}letters: { hello: { title: Hello } }\n`))
  t.deepEqual(withLetters.modules[2]?.sections, { letters: { hello: { title: 'Hello', copies: 1 } } })
  t.deepEqual((await check(t, recipe(modules))).modules[2]?.sections, {})
})

test('suggests the nearest name for an unknown module, and how to use a custom module', async t => {
  const error = await failure(t, recipe('modules:\n  poeple: { registration: {} }\n'))
  t.like(error.problems[0], { line: 4, column: 3, message: 'Unknown module "poeple"' })
  t.regex(error.problems[0]?.hint ?? '', /Did you mean "people"\?.*poeple: \{ use: \.\/modules\/poeple \}/)
})

test('suggests the nearest name for an unknown key', async t => {
  t.deepEqual(await problemsOf(t, recipe('thmee: {}\nmodules:\n  people:\n    registraton: { open: true }\n')), [
    'recipe.yaml:3:1 Unknown key "thmee"',
    'recipe.yaml:6:5 Unknown key "registraton" in "modules.people"',
  ])
  t.deepEqual(await hintsOf(t, recipe('thmee: {}\nmodules:\n  people:\n    registraton: { open: true }\n')), [
    'Did you mean "theme"?',
    'Did you mean "registration"?',
  ])
})

test('reports where a missing option belongs and what it means', async t => {
  const text = recipe('modules:\n  people: {}\n  post: { secret: s }\n')
  t.deepEqual(await problemsOf(t, text), ['recipe.yaml:5:3 Missing key "from" in "modules.post"'])
  t.deepEqual(await hintsOf(t, text), ['Add from: Acme <hello@acme.test>  # The sender'])
})

test('reports the expected type of a value', async t => {
  const text = recipe('modules:\n  people: { seats: many, ttl: 7, hosts: a, registration: [], limit: x }\n')
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:4:20 "modules.people.seats" must be an integer, not "many"',
    'recipe.yaml:4:31 "modules.people.ttl" must be a duration such as 500ms, 30s, 15m, 12h or 7d, up to 99999d, not 7',
    'recipe.yaml:4:41 "modules.people.hosts" must be a list of strings, not "a"',
    'recipe.yaml:4:58 "modules.people.registration" must be a map, not a list',
    'recipe.yaml:4:69 "modules.people.limit" must be an integer or null or a map, not "x"',
  ])
  t.true((await hintsOf(t, text)).includes('Write ttl: 7d  # How long a login holds'))
})

test('for a union, reports only the error of the branch that fits best', async t => {
  t.deepEqual(await problemsOf(t, recipe('modules: { people: { limit: { per: 5 } } }\n')), [
    'recipe.yaml:3:36 "modules.people.limit.per" must be a string, not 5',
  ])
})

test('rejects names that are invisible, or that contain line breaks or other control characters', async t => {
  for (const name of ['Acme\\r\\nBcc: a@b.test', 'Acme\\a', 'Ac\\tme', 'Acme\\u2028', '   ']) {
    const text = `recipe: 1\nproduct: { key: acme, name: "${name}", publicUrl: "http://localhost:8080" }\n`
    t.regex((await problemsOf(t, text))[0] ?? '', /^recipe.yaml:2:29 Invalid value .* for "product.name"$/s)
    t.deepEqual(await hintsOf(t, text), ['Write visible text in one line, without control characters'])
  }
})

test('rejects a URL that a browser cannot open', async t => {
  for (const url of ['http://localhost:80800', 'http://1.2.3.4.5', 'https://a^b', 'http://[::1'])
    t.deepEqual(await problemsOf(t, `recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: '${url}' }\n`), [
      `recipe.yaml:2:46 "${url}" is not a valid URL`,
    ])
})

test('takes port 0 of the public URL, with which a process takes a free port', async t => {
  const text = `recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: 'http://localhost:\${PORT:-0}' }\n`
  await t.notThrowsAsync(check(t, text))
})

test('does not report a role without permissions if the extended recipe cannot be read', async t => {
  const product = 'product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }'
  const problems = await problemsOf(
    t,
    `recipe: 1\nextends: ./gone.yaml\n${product}\nroles:\n  tenant.support: { name: Support }\n`,
  )
  t.is(problems.length, 1)
  t.regex(problems[0] ?? '', /gone\.yaml/)
})

for (const [what, role, message] of [
  ['with nothing after its key', '', '"roles.tenant.support" must be a map, but it is empty'],
  [
    'whose permissions are not a list',
    '{ name: Support, permissions: 7 }',
    '"roles.tenant.support.permissions" must be a list of strings, not 7',
  ],
] as const)
  test(`reports a role ${what} once`, async t => {
    const problems = await problemsOf(t, recipe(`modules: {}\nroles:\n  tenant.support: ${role}\n`))
    t.is(problems.length, 1)
    t.true(problems[0]?.endsWith(message), problems[0])
  })

test('reports a value out of range or outside its enumeration', async t => {
  const text = recipe('modules:\n  people: { seats: 501, ttl: 7 days, registration: { workspace: atuo } }\n')
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:4:20 "modules.people.seats" must be at most 500, not 501',
    'recipe.yaml:4:30 Invalid value "7 days" for "modules.people.ttl"',
    'recipe.yaml:4:65 Invalid value "atuo" for "modules.people.registration.workspace"',
  ])
})

test('reports the second of two modules that provide the same port', async t => {
  const other = fake({ name: 'other', provides: { people: () => ({}) } })
  const problems = await problemsOf(t, recipe('modules:\n  people: {}\n  other: {}\n'), {
    finder: finderOf(people, other),
  })
  t.deepEqual(problems, ['recipe.yaml:5:3 Port "people" is provided by both "people" and "other"'])
})

test('reports a cycle of modules', async t => {
  const hen = fake({ name: 'hen', needs: ['egg'], provides: { hen: () => ({}) } })
  const egg = fake({ name: 'egg', needs: ['hen'], provides: { egg: () => ({}) } })
  const problems = await problemsOf(t, recipe('modules:\n  hen: {}\n  egg: {}\n'), { finder: finderOf(hen, egg) })
  t.deepEqual(problems, ['recipe.yaml:5:3 Circular dependency: hen → egg → hen'])
})

test('suggests the module that provides a missing port', async t => {
  const error = await failure(t, recipe('modules:\n  post: { from: a }\n'))
  t.is(error.problems[0]?.message, '"post" needs port "people", but no service or module of this recipe provides it')
  t.is(error.problems[0]?.hint, 'Add people: {} to modules')
})

test('suggests the nearest name for an unknown permission of a role', async t => {
  const text = recipe(
    'modules: { people: {} }\nroles:\n  tenant.support: { name: S, permissions: [people.member.raed, peple.*, people.member.*] }\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:5:44 Unknown permission "people.member.raed" in role "tenant.support"',
    'recipe.yaml:5:64 Unknown permission "peple.*" in role "tenant.support"',
  ])
  t.is((await hintsOf(t, text))[0], 'Did you mean "people.member.read"?')
})

test('rejects a platform permission in a tenant role', async t => {
  const role = (scope: string) =>
    recipe(`modules: { people: {} }\nroles:\n  tenant.boss: { name: B, ${scope}permissions: [people.server.stop] }\n`)
  t.deepEqual(await problemsOf(t, role('')), [
    'recipe.yaml:5:41 Role "tenant.boss" has scope tenant, but "people.server.stop" has scope platform',
  ])
  t.like((await check(t, role('scope: platform, '))).roles, { 'tenant.boss': { scope: 'platform' } })
})

test('rejects a role with the key of a built-in role or a role of a module', async t => {
  const text = recipe(
    'modules: { people: {} }\nroles:\n  tenant.owner: { name: O, permissions: ["*"] }\n  tenant.member: { name: M, permissions: [] }\n  tenant.editor: { name: E, permissions: [] }\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:5:3 Role "tenant.owner" is defined by Larder and cannot be redefined',
    'recipe.yaml:6:3 Role "tenant.member" is defined by Larder and cannot be redefined',
    'recipe.yaml:7:3 Role "tenant.editor" is defined by module "people" and cannot be redefined',
  ])
})

test('reports a mail template that does not compile, with its file and line', async t => {
  const error = await failure(t, {
    'recipe.yaml': recipe(
      'modules: { people: {} }\nemails:\n  people.welcome: { template: ./welcome.hbs }\n  people.other: { template: ./none.hbs }\n',
    ),
    'welcome.hbs': '---\nsubject: Hello\n---\n<p>Hello</p>\n{{#if name}}\n<p>{{name}}</p>\n',
  })
  const [missing, broken] = [
    error.problems.find(({ line }) => line === 6),
    error.problems.find(({ file }) => file.endsWith('.hbs')),
  ]
  t.regex(missing?.message ?? '', /File not found: .*none\.hbs/)
  t.truthy(broken)
  t.true((broken?.line ?? 0) >= 5)
  t.regex(error.render(false), /welcome\.hbs:\d+:\d+/)
})

test('reports an invalid translation file of a team module with its path', async t => {
  const module = `import { defineModule } from '@larder-dev/larder/kernel'
export default defineModule({ name: 'shop', locales: new URL('./locales/', import.meta.url) })
`
  const problems = await problemsOf(t, {
    'recipe.yaml': recipe('modules: { shop: { use: ./shop/module.ts } }\n'),
    'shop/module.ts': module,
    'shop/locales/de.yaml': 'Order: [Bestellung]\n',
  })
  t.deepEqual(problems, ['de.yaml:1:1 This file must map each text to its translation: "Sign in": Anmelden'])
})

test('rejects unknown tokens and tokens of the wrong kind', async t => {
  const text = recipe(
    'theme:\n  tokens:\n    acent: "#123456"\n    accent: blu\n    radius: "4"\n    text: rgb(1,2,3\n    font: serif\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:5:5 This theme has no token 'acent'",
    "recipe.yaml:6:13 The token 'accent' must be a color, not 'blu'",
    "recipe.yaml:7:13 The token 'radius' must be a length, not '4'",
    "recipe.yaml:8:11 The token 'text' has a bracket or a quote that is not closed",
  ])
  t.deepEqual((await hintsOf(t, text)).slice(0, 3), [
    'Did you mean "accent"?',
    'Use a CSS color: "#2457ff", rgb(36 87 255), navy',
    'Use a CSS length: 4px',
  ])
  t.deepEqual(await hintsOf(t, recipe('theme: { tokens: { accent: } }\n')), [
    'Write accent: "#2457ff"  # a CSS value without ; { } < >; put colors in quotes',
  ])
})

test('reports errors in the files of a theme, and accepts only tokens of its chain', async t => {
  const files = (yaml: string, more = {}) => ({
    'recipe.yaml': recipe('theme: { use: ./look, tokens: { space: 4px, acent: red } }\n'),
    'look/theme.yaml': yaml,
    ...more,
  })
  t.deepEqual(await problemsOf(t, files('extends: default\ntokens: { space: 2px }\n')), [
    "recipe.yaml:3:45 This theme has no token 'acent'",
  ])
  t.deepEqual(await problemsOf(t, files('extends: default\ntokens: { space: 2px\n')), [
    'theme.yaml:3:1 Flow map in block collection must be sufficiently indented and end with a }',
  ])
  t.deepEqual(await problemsOf(t, files('extends: defualt\nlayouts: { wide: [a.b] }\n')), [
    `theme.yaml:1:1 Unknown theme "defualt" in extends: Did you mean "default"?`,
  ])
  const broken = files('extends: default\nlayouts: { wide: [a.b] }\n', { 'look/locales/de.yaml': 'a: [b]\n' })
  t.deepEqual(await problemsOf(t, broken), [
    'de.yaml:1:1 This file must map each text to its translation: "Sign in": Anmelden',
  ])
})

test('reports a missing theme, logo or language', async t => {
  t.deepEqual(
    (
      await problemsOf(
        t,
        recipe('theme: { use: defualt, logo: ./logo.svg }\nlocales: { default: de, available: [en] }\n'),
      )
    ).map(line => line.replace(/\/.*\//, '')),
    [
      'recipe.yaml:3:15 Unknown theme "defualt"',
      'recipe.yaml:3:30 File not found: logo.svg',
      'recipe.yaml:4:21 "de" is not in locales.available',
    ],
  )
})

test('resolves paths relative to the file that contains them', async t => {
  const { resolveFile } = await check(t, {
    'recipe.yaml': `${HEAD}include: ./look/look.yaml\n`,
    'look/look.yaml': 'theme: { use: ./mine, logo: ./logo.svg }\nemails: { people.hello: { template: ./hello.hbs } }\n',
    'look/mine/theme.yaml': 'extends: default\n',
    'look/logo.svg': '<svg/>',
    'look/hello.hbs': '---\nsubject: Hello\n---\n<p>Hello</p>\n',
  })
  t.regex(resolveFile(['theme', 'use'], './mine'), /\/look\/mine$/)
  t.regex(resolveFile(['theme', 'logo'], './logo.svg'), /\/look\/logo\.svg$/)
  t.regex(resolveFile(['emails', 'people.hello', 'template'], './hello.hbs'), /\/look\/hello\.hbs$/)
})

test('reports the problems of every step at once, in file order', async t => {
  const text = recipe(
    `theme: { use: none }\nmodules:\n  people: { saets: 1 }\n  people: {}\n  nobody: {}\n  post: {}\nroles:\n  tenant.x: { name: X, permissions: [people.member.raed] }\nletters: { a: {} }\ndocs: "\${DOCS}"\n`,
  )
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:3:15 Unknown theme "none"',
    'recipe.yaml:5:13 Unknown key "saets" in "modules.people"',
    'recipe.yaml:6:3 Duplicate key "people"; first set in line 5',
    'recipe.yaml:7:3 Unknown module "nobody"',
    'recipe.yaml:8:3 Missing key "from" in "modules.post"',
    'recipe.yaml:10:38 Unknown permission "people.member.raed" in role "tenant.x"',
    'recipe.yaml:11:12 Missing key "title" in "letters.a"',
    'recipe.yaml:12:7 Environment variable DOCS is not set',
  ])
})

test('passes a section to the service that owns it', async t => {
  const { services } = await check(t, recipe('docs: false\nrateLimits: { api: { points: 5, window: 2m } }\n'))
  t.deepEqual(services.find(({ key }) => key === 'http')?.sections, {
    docs: false,
    rateLimits: { api: { points: 5, window: '2m' } },
  })
})

test('reports an unknown rate limit', async t => {
  const counting = fake({ name: 'counting', limits: ['counting.ask'] })
  const text =
    'modules:\n  counting: {}\nrateLimits:\n  counting.ask: { points: 5, window: 2m }\n  counting.aks: { points: 5, window: 2m }\n'
  t.deepEqual(await problemsOf(t, recipe(text), { finder: finderOf(platform, counting) }), [
    'recipe.yaml:7:3 Unknown rate limit "counting.aks"',
  ])
})

test('reports a module with an invalid schema or a section that every recipe has', async t => {
  const odd = fake({ name: 'odd', options: { type: 'strong' }, sections: { roles: Type.Object({}) } })
  t.deepEqual(
    (await problemsOf(t, recipe('modules:\n  odd: {}\n'), { finder: finderOf(platform, odd) })).map(line =>
      line.replace(/": .*/, '"'),
    ),
    [
      'recipe.yaml:4:3 Invalid schema in module "odd"',
      'recipe.yaml:4:3 Module "odd" declares the reserved section "roles"',
    ],
  )
})

test('reports an empty section', async t => {
  t.deepEqual(await problemsOf(t, recipe('modules:\nroles:\n'), { finder: FINDER }), [
    'recipe.yaml:3:9 "modules" must be a map, but it is empty',
    'recipe.yaml:4:7 "roles" must be a map, but it is empty',
  ])
})

test('a role has the permissions of the roles that it extends', async t => {
  const roles = (base: string) => `${HEAD}modules: { people: {} }
roles:
  tenant.user: { name: User, extends: [tenant.editor], permissions: [] }
  tenant.boss: { name: Boss, extends: ${base}, permissions: [people.member.remove] }
`
  const { roles: checked } = await check(t, { 'recipe.yaml': roles('tenant.user') })
  t.deepEqual(checked['tenant.boss']?.permissions, ['people.member.read', 'people.member.remove'])
  t.regex((await problemsOf(t, { 'recipe.yaml': roles('tenant.usr') }))[0] ?? '', /Unknown role "tenant.usr"/)
  t.regex((await problemsOf(t, { 'recipe.yaml': roles('tenant.boss') }))[0] ?? '', /"tenant.boss" extends itself$/)
})

test('reports every role of a circle, and none that extends one of them', async t => {
  const text = recipe(`modules: { people: {} }
roles:
  tenant.a: { name: A, extends: tenant.b, permissions: [] }
  tenant.b: { name: B, extends: [tenant.editor, tenant.c], permissions: [] }
  tenant.c: { name: C, extends: tenant.a, permissions: [] }
  tenant.d: { name: D, extends: tenant.a, permissions: [] }
`)
  t.deepEqual(await problemsOf(t, text), [
    'recipe.yaml:5:33 Role "tenant.a" extends itself, because "tenant.b" extends it',
    'recipe.yaml:6:49 Role "tenant.b" extends itself, because "tenant.c" extends it',
    'recipe.yaml:7:33 Role "tenant.c" extends itself, because "tenant.a" extends it',
  ])
})
