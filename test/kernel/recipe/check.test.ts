import { readFileSync } from 'node:fs'
import test from 'ava'
import { Type } from '../../../kernel/index.ts'
import { liveFolders } from '../../../kernel/recipe/live-folders.ts'
import { check, FINDER, failure, fake, finderOf, HEAD, hintsOf, people, platform, problemsOf } from './kit.ts'

const recipe = (rest: string) => `${HEAD}${rest}`

test('a good recipe comes back with its defaults, and platform without being named', async t => {
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

test('a section goes to the module that owns it, and is absent where the recipe has none', async t => {
  const modules = 'modules: { people: {}, post: { from: a } }\n'
  const withLetters = await check(t, recipe(`${modules}letters: { hello: { title: Hello } }\n`))
  t.deepEqual(withLetters.modules[2]?.sections, { letters: { hello: { title: 'Hello', copies: 1 } } })
  t.deepEqual((await check(t, recipe(modules))).modules[2]?.sections, {})
})

test('an unknown module is told with the one that was meant, and how to use one of your own', async t => {
  const error = await failure(t, recipe('modules:\n  poeple: { registration: {} }\n'))
  t.like(error.problems[0], { line: 4, column: 3, message: "there is no module 'poeple'" })
  t.regex(error.problems[0]?.hint ?? '', /did you mean 'people'\?.*poeple: \{ use: \.\/modules\/poeple \}/)
})

test('a misspelt key is told with the one that was meant', async t => {
  t.deepEqual(await problemsOf(t, recipe('thmee: {}\nmodules:\n  people:\n    registraton: { open: true }\n')), [
    "recipe.yaml:3:1 there is no key 'thmee' in the recipe",
    "recipe.yaml:6:5 there is no key 'registraton' in 'modules.people'",
  ])
  t.deepEqual(await hintsOf(t, recipe('thmee: {}\nmodules:\n  people:\n    registraton: { open: true }\n')), [
    "did you mean 'theme'?",
    "did you mean 'registration'?",
  ])
})

test('a missing option is told where it should stand, with what it is', async t => {
  const text = recipe('modules:\n  people: {}\n  post: { secret: s }\n')
  t.deepEqual(await problemsOf(t, text), ["recipe.yaml:5:3 'modules.post' lacks 'from'"])
  t.deepEqual(await hintsOf(t, text), ['add from: Acme <hello@acme.test>  (the sender)'])
})

test('a wrong type is told with what would be right', async t => {
  const text = recipe('modules:\n  people: { seats: many, ttl: 7, hosts: a, registration: [], limit: x }\n')
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:4:20 'modules.people.seats' should be a whole number, not the text many",
    "recipe.yaml:4:31 'modules.people.ttl' should be a duration such as 500ms, 30s, 15m, 12h or 7d, not 7",
    "recipe.yaml:4:41 'modules.people.hosts' should be a list of texts, not the text a",
    "recipe.yaml:4:58 'modules.people.registration' should be a map, not a list",
    "recipe.yaml:4:69 'modules.people.limit' should be a whole number or null or a map, not the text x",
  ])
  t.true((await hintsOf(t, text)).includes('write ttl: 7d  (how long a login holds)'))
})

test('of several things that a value may be, the one that was meant is told', async t => {
  t.deepEqual(await problemsOf(t, recipe('modules: { people: { limit: { per: 5 } } }\n')), [
    "recipe.yaml:3:36 'modules.people.limit.per' should be text, not 5",
  ])
})

test('an address that no browser could open is told', async t => {
  for (const url of ['http://localhost:80800', 'http://1.2.3.4.5', 'https://a^b', 'http://[::1'])
    t.deepEqual(await problemsOf(t, `recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: '${url}' }\n`), [
      `recipe.yaml:2:46 '${url}' is no address`,
    ])
})

test('a role without permissions is no surprise where the recipe that it stands on cannot be read', async t => {
  const product = 'product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }'
  const problems = await problemsOf(
    t,
    `recipe: 1\nextends: ./gone.yaml\n${product}\nroles:\n  tenant.support: { name: Support }\n`,
  )
  t.is(problems.length, 1)
  t.regex(problems[0] ?? '', /gone\.yaml/)
})

for (const [what, role, told] of [
  ['with nothing after its key', '', "'roles.tenant.support' should be a map, not empty"],
  [
    'whose permissions are no list',
    '{ name: Support, permissions: 7 }',
    "'roles.tenant.support.permissions' should be a list of texts, not 7",
  ],
] as const)
  test(`a role ${what} is told as that, and as nothing more`, async t => {
    const problems = await problemsOf(t, recipe(`modules: {}\nroles:\n  tenant.support: ${role}\n`))
    t.is(problems.length, 1)
    t.true(problems[0]?.endsWith(told), problems[0])
  })

test('a value out of bounds, or not among the words, is told', async t => {
  const text = recipe('modules:\n  people: { seats: 501, ttl: 7 days, registration: { workspace: atuo } }\n')
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:4:20 'modules.people.seats' is 501: it is at most 500",
    "recipe.yaml:4:30 'modules.people.ttl' cannot be 7 days",
    "recipe.yaml:4:65 'modules.people.registration.workspace' cannot be atuo",
  ])
})

test('two modules that give one port are told at the second', async t => {
  const other = fake({ name: 'other', provides: { people: () => ({}) } })
  const problems = await problemsOf(t, recipe('modules:\n  people: {}\n  other: {}\n'), {
    finder: finderOf(people, other),
  })
  t.deepEqual(problems, ["recipe.yaml:5:3 port 'people' is provided by both 'people' and 'other'"])
})

test('modules that need each other in a circle are told', async t => {
  const hen = fake({ name: 'hen', needs: ['egg'], provides: { hen: () => ({}) } })
  const egg = fake({ name: 'egg', needs: ['hen'], provides: { egg: () => ({}) } })
  const problems = await problemsOf(t, recipe('modules:\n  hen: {}\n  egg: {}\n'), { finder: finderOf(hen, egg) })
  t.deepEqual(problems, ['recipe.yaml:5:3 modules need each other in a circle: hen → egg → hen'])
})

test('a port that nobody gives is told with the module that would give it', async t => {
  const error = await failure(t, recipe('modules:\n  post: { from: a }\n'))
  t.is(error.problems[0]?.message, "'post' needs the port 'people', which no service or module of this recipe provides")
  t.is(error.problems[0]?.hint, "add 'people: {}' to modules: it provides 'people'")
})

test('a role that names an unknown permission is told with the one that was meant', async t => {
  const text = recipe(
    'modules: { people: {} }\nroles:\n  tenant.support: { name: S, permissions: [people.member.raed, peple.*, people.member.*] }\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:5:44 role 'tenant.support' names the permission 'people.member.raed', which no module of this recipe has",
    "recipe.yaml:5:64 role 'tenant.support' names the permission 'peple.*', which no module of this recipe has",
  ])
  t.is((await hintsOf(t, text))[0], "did you mean 'people.member.read'?")
})

test('a role of a tenant holds no permission of the platform', async t => {
  const role = (scope: string) =>
    recipe(`modules: { people: {} }\nroles:\n  tenant.boss: { name: B, ${scope}permissions: [people.server.stop] }\n`)
  t.deepEqual(await problemsOf(t, role('')), [
    "recipe.yaml:5:41 role 'tenant.boss' is of scope tenant, and 'people.server.stop' of scope platform",
  ])
  t.like((await check(t, role('scope: platform, '))).roles, { 'tenant.boss': { scope: 'platform' } })
})

test('a recipe redefines neither the fixed roles nor those of a module', async t => {
  const text = recipe(
    'modules: { people: {} }\nroles:\n  tenant.owner: { name: O, permissions: ["*"] }\n  tenant.member: { name: M, permissions: [] }\n  tenant.editor: { name: E, permissions: [] }\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:5:3 the role 'tenant.owner' comes with Larder: a recipe cannot redefine it",
    "recipe.yaml:6:3 the role 'tenant.member' comes with Larder: a recipe cannot redefine it",
    "recipe.yaml:7:3 the role 'tenant.editor' comes with the module 'people': a recipe cannot redefine it",
  ])
})

test('a mail template that does not compile is told with its own file and line', async t => {
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
  t.regex(missing?.message ?? '', /there is no file .*none\.hbs/)
  t.truthy(broken)
  t.true((broken?.line ?? 0) >= 5)
  t.regex(error.render(false), /welcome\.hbs:\d+:\d+/)
})

test('reports an invalid translation file of a team module with its path', async t => {
  const module = `import { defineModule } from 'larder/kernel'
export default defineModule({ name: 'shop', locales: new URL('./locales/', import.meta.url) })
`
  const problems = await problemsOf(t, {
    'recipe.yaml': recipe('modules: { shop: { use: ./shop/module.ts } }\n'),
    'shop/module.ts': module,
    'shop/locales/de.yaml': 'Order: [Bestellung]\n',
  })
  t.deepEqual(problems, ['de.yaml:1:1 this file must map each text to its translation: "Sign in": Anmelden'])
})

test('a token that the theme does not have, or of another kind, is told where it stands', async t => {
  const text = recipe(
    'theme:\n  tokens:\n    acent: "#123456"\n    accent: blu\n    radius: "4"\n    text: rgb(1,2,3\n    font: serif\n',
  )
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:5:5 this theme has no token 'acent'",
    "recipe.yaml:6:13 the token 'accent' must be a color, not 'blu'",
    "recipe.yaml:7:13 the token 'radius' must be a length, not '4'",
    "recipe.yaml:8:11 the token 'text' has a bracket or a quote that is not closed",
  ])
  t.deepEqual((await hintsOf(t, text)).slice(0, 3), [
    "did you mean 'accent'?",
    'use a CSS color: "#2457ff", rgb(36 87 255), navy',
    'use a CSS length: 4px',
  ])
  t.deepEqual(await hintsOf(t, recipe('theme: { tokens: { accent: } }\n')), [
    'write accent: "#2457ff"  (a CSS value without ; { } < >; put colors in quotes)',
  ])
})

test('what is wrong with the files of a theme is told with the file, and its tokens are those of its own chain', async t => {
  const files = (yaml: string, more = {}) => ({
    'recipe.yaml': recipe('theme: { use: ./look, tokens: { space: 4px, acent: red } }\n'),
    'look/theme.yaml': yaml,
    ...more,
  })
  t.deepEqual(await problemsOf(t, files('extends: default\ntokens: { space: 2px }\n')), [
    "recipe.yaml:3:45 this theme has no token 'acent'",
  ])
  t.deepEqual(await problemsOf(t, files('extends: default\ntokens: { space: 2px\n')), [
    'theme.yaml:3:1 Flow map in block collection must be sufficiently indented and end with a }',
  ])
  t.deepEqual(await problemsOf(t, files('extends: defualt\nlayouts: { wide: [a.b] }\n')), [
    "theme.yaml:1:1 there is no theme 'defualt' to extend: did you mean 'default'?",
  ])
  const broken = files('extends: default\nlayouts: { wide: [a.b] }\n', { 'look/locales/de.yaml': 'a: [b]\n' })
  t.deepEqual(await problemsOf(t, broken), [
    'de.yaml:1:1 this file must map each text to its translation: "Sign in": Anmelden',
  ])
})

test('a theme, a logo and a language that are not there are told', async t => {
  t.deepEqual(
    (
      await problemsOf(
        t,
        recipe('theme: { use: defualt, logo: ./logo.svg }\nlocales: { default: de, available: [en] }\n'),
      )
    ).map(line => line.replace(/\/.*\//, '')),
    [
      "recipe.yaml:3:15 there is no theme 'defualt'",
      'recipe.yaml:3:30 there is no file logo.svg',
      "recipe.yaml:4:21 'de' is not among the languages that are available",
    ],
  )
})

test('paths are relative to the file in which they stand', async t => {
  const { resolveFile } = await check(t, {
    'recipe.yaml': `${HEAD}include: ./look/look.yaml\n`,
    'look/look.yaml': 'theme: { use: ./mine, logo: ./logo.svg }\nemails: { people.hello: { template: ./hello.hbs } }\n',
    'look/mine/theme.yaml': 'tokens: {}\n',
    'look/logo.svg': '<svg/>',
    'look/hello.hbs': '---\nsubject: Hello\n---\n<p>Hello</p>\n',
  })
  t.regex(resolveFile(['theme', 'use'], './mine'), /\/look\/mine$/)
  t.regex(resolveFile(['theme', 'logo'], './logo.svg'), /\/look\/logo\.svg$/)
  t.regex(resolveFile(['emails', 'people.hello', 'template'], './hello.hbs'), /\/look\/hello\.hbs$/)
})

test('problems of every step come at once, in the order of the file', async t => {
  const text = recipe(
    `theme: { use: none }\nmodules:\n  people: { saets: 1 }\n  people: {}\n  nobody: {}\n  post: {}\nroles:\n  tenant.x: { name: X, permissions: [people.member.raed] }\nletters: { a: {} }\ndocs: "\${DOCS}"\n`,
  )
  t.deepEqual(await problemsOf(t, text), [
    "recipe.yaml:3:15 there is no theme 'none'",
    "recipe.yaml:5:13 there is no key 'saets' in 'modules.people'",
    "recipe.yaml:6:3 'people' stands here a second time: the first is in line 5",
    "recipe.yaml:7:3 there is no module 'nobody'",
    "recipe.yaml:8:3 'modules.post' lacks 'from'",
    "recipe.yaml:10:38 role 'tenant.x' names the permission 'people.member.raed', which no module of this recipe has",
    "recipe.yaml:11:12 'letters.a' lacks 'title'",
    'recipe.yaml:12:7 the environment variable DOCS is not set',
  ])
})

test('a section of a service goes to that service', async t => {
  const { services } = await check(t, recipe('docs: false\nrateLimits: { api: { points: 5, window: 2m } }\n'))
  t.deepEqual(services.find(({ key }) => key === 'http')?.sections, {
    docs: false,
    rateLimits: { api: { points: 5, window: '2m' } },
  })
})

test('a limit that no module has is told where it stands', async t => {
  const counting = fake({ name: 'counting', limits: ['counting.ask'] })
  const text =
    'modules:\n  counting: {}\nrateLimits:\n  counting.ask: { points: 5, window: 2m }\n  counting.aks: { points: 5, window: 2m }\n'
  t.deepEqual(await problemsOf(t, recipe(text), { finder: finderOf(platform, counting) }), [
    "recipe.yaml:7:3 there is no rate limit 'counting.aks'",
  ])
})

test('a module whose schema is not valid, or takes a part of every recipe, is told at its key', async t => {
  const odd = fake({ name: 'odd', options: { type: 'strong' }, sections: { roles: Type.Object({}) } })
  t.deepEqual(
    (await problemsOf(t, recipe('modules:\n  odd: {}\n'), { finder: finderOf(platform, odd) })).map(line =>
      line.replace(/not valid: .*/, 'not valid'),
    ),
    [
      "recipe.yaml:4:3 the schema that 'odd' declares is not valid",
      "recipe.yaml:4:3 the module 'odd' declares the section 'roles', which every recipe has",
    ],
  )
})

test('an empty part is told as empty', async t => {
  t.deepEqual(await problemsOf(t, recipe('modules:\nroles:\n'), { finder: FINDER }), [
    "recipe.yaml:3:9 'modules' should be a map, not empty",
    "recipe.yaml:4:7 'roles' should be a map, not empty",
  ])
})
