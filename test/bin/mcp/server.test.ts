import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { MAX_ANSWER_BYTES } from '../../../bin/mcp/answer-pages.ts'
import { docsPages } from '../../../bin/mcp/docs.ts'
import { connect, RECIPE } from './fixtures.ts'

interface Checked {
  readonly valid: boolean
  readonly modules?: readonly string[]
  readonly problems: readonly {
    code: string
    file: string
    line: number
    column: number
    message: string
    hint?: string
  }[]
}

test('offers tools that only read, each with a schema', async t => {
  const { client } = await connect(t, { 'recipe.yaml': RECIPE })
  const { tools } = await client.listTools()
  t.deepEqual(tools.map(({ name }) => name).sort(), [
    'check_recipe',
    'get_recipe',
    'get_recipe_schema',
    'get_route',
    'list_error_codes',
    'list_events',
    'list_modules',
    'list_permissions',
    'list_roles',
    'list_routes',
    'plan_recipe',
    'read_docs',
    'search_docs',
  ])
  t.true(tools.every(({ annotations, inputSchema }) => annotations?.readOnlyHint && inputSchema.type === 'object'))
  t.regex(client.getInstructions() ?? '', /change nothing and show no secrets/)
})

test('returns the recipe with its files and defaults', async t => {
  const { call } = await connect(t, {
    'recipe.yaml': `${RECIPE}include: ./roles.yaml\n`,
    'roles.yaml': 'roles: { tenant.support: { name: Support, permissions: ["identity.*"] } }\n',
  })
  const { text } = await call('get_recipe')
  t.regex(text, /^# Files of the recipe:\n# recipe\.yaml\n# roles\.yaml\n/)
  t.regex(text, /^ {2}tenant\.support:\n {4}name: Support/m)
  t.regex(text, /^theme:\n {2}use: default/m)
})

test('returns the schema of a part of the recipe', async t => {
  const { json, call } = await connect(t, { 'recipe.yaml': RECIPE })
  const parts = await json<Record<string, string>>('get_recipe_schema')
  t.true(['product', 'roles', 'modules.identity', 'modules.billing'].every(part => part in parts))
  const { properties } = await json<{ properties: object }>('get_recipe_schema', { part: 'modules.comms' })
  t.true('from' in properties)
  t.deepEqual(await call('get_recipe_schema', { part: 'modules.parcels' }).then(({ failed }) => failed), true)
})

test('returns one section of the recipe', async t => {
  const { call } = await connect(t, { 'recipe.yaml': RECIPE })
  const { text } = await call('get_recipe', { section: 'theme' })
  t.regex(text, /^theme:\n {2}use: default/m)
  t.notRegex(text, /^product:/m)
  t.regex((await call('get_recipe', { section: 'tables' })).text, /no section "tables"\. It has .*product/)
})

test('returns one section of a page of the docs', async t => {
  const { call } = await connect(t, { 'recipe.yaml': RECIPE })
  const { text } = await call('read_docs', { page: 'themes', section: 'Layouts' })
  t.regex(text, /^## Layouts\n/)
  t.notRegex(text, /^## Templates/m)
  t.regex((await call('read_docs', { page: 'themes', section: 'Lay' })).text, /no section "Lay"\. It has .*Layouts/)
})

test('checks the saved recipe', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  t.deepEqual(await json('check_recipe'), { valid: true, modules: ['platform', 'identity', 'comms'], problems: [] })
})

test('checks a text before it is saved, with location and fix', async t => {
  const { json, folder } = await connect(t, { 'recipe.yaml': RECIPE })
  const checked = await json<Checked>('check_recipe', { text: `${RECIPE}thmee: {}\n` })
  t.deepEqual(checked, {
    valid: false,
    problems: [
      {
        severity: 'error',
        code: 'unknown_key',
        file: 'recipe.yaml',
        line: 6,
        column: 1,
        path: 'thmee',
        message: 'Unknown key "thmee"',
        hint: 'Did you mean "theme"?',
      } as Checked['problems'][number],
    ],
  })
  t.is(readFileSync(join(folder, 'recipe.yaml'), 'utf8'), RECIPE)
})

test('checks another file of the project, saved or not', async t => {
  const { json, call } = await connect(t, { 'recipe.yaml': RECIPE, 'next/recipe.yaml': 'recipe: 1\n' })
  const saved = await json<Checked>('check_recipe', { file: 'next/recipe.yaml' })
  t.false(saved.valid)
  t.is(saved.problems[0]?.file, 'next/recipe.yaml')
  t.true((await json<Checked>('check_recipe', { file: 'next/new.yaml', text: RECIPE })).valid)
  for (const file of ['../recipe.yaml', '/etc/passwd']) {
    const { text, failed } = await call('check_recipe', { file })
    t.true(failed)
    t.regex(text, /outside the folder/)
  }
})

test('reports warnings, and as errors if strict', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  const text = `${RECIPE}roles: { tenant.support: { name: Support, permissions: [] } }\n`
  const lenient = await json<Checked>('check_recipe', { text })
  t.true(lenient.valid)
  t.deepEqual(
    lenient.problems.map(({ code }) => code),
    ['empty_role'],
  )
  t.false((await json<Checked>('check_recipe', { text, strict: true })).valid)
})

test('does not run code from outside the project', async t => {
  const { call } = await connect(t, { 'recipe.yaml': RECIPE })
  const text = `${RECIPE}  evil: { use: "data:text/javascript,globalThis.evil=1" }\n`
  for (const tool of ['check_recipe', 'plan_recipe'])
    t.regex((await call(tool, { text })).text, /^use: data:.+ is outside the project\./)
  t.false('evil' in globalThis)
})

test('plans an installation without a database', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  const plan = await json<{ database: null; note: string; changes: { subject: string }[] }>('plan_recipe')
  t.is(plan.database, null)
  t.regex(plan.note, /The first start creates it/)
  t.true(plan.changes.some(({ subject }) => subject === 'module identity'))
})

test('explains why a plan is not possible', async t => {
  const DATABASE_URL = 'postgres://larder:a-secret-word@127.0.0.1:1/larder'
  const LARDER_SECRET = 'a secret that only tests may know of'
  const { call } = await connect(t, { 'recipe.yaml': RECIPE }, { DATABASE_URL, LARDER_SECRET })
  const { text, failed } = await call('plan_recipe')
  t.true(failed)
  t.regex(text, /can't connect to .+: connection refused/)
  t.false(text.includes('a-secret-word'))
})

test('lists modules with their page of the docs', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  const modules = await json<{ name: string; inRecipe: boolean; docs?: string }[]>('list_modules')
  t.like(
    modules.find(({ name }) => name === 'identity'),
    { inRecipe: true, docs: 'identity' },
  )
  t.like(
    modules.find(({ name }) => name === 'billing'),
    { inRecipe: false, docs: 'billing' },
  )
})

test('lists routes, and describes one with its schemas', async t => {
  const { json, call } = await connect(t, { 'recipe.yaml': RECIPE })
  const routes = await json<{ method: string; path: string; module: string }[]>('list_routes', {
    module: 'identity',
    search: 'invite',
  })
  t.deepEqual(
    routes.filter(({ method }) => method === 'POST').map(({ path }) => path),
    ['/v1/identity/members/invite'],
  )
  const route = await json<{ requestBody: object; responses: object; references: object }>('get_route', {
    method: 'post',
    path: '/v1/identity/members/invite',
  })
  t.true('201' in route.responses || '200' in route.responses)
  t.regex(JSON.stringify(route.requestBody), /InviteMemberInput/)
  const schemas = route.references as Record<string, { properties?: object }>
  t.true('email' in (schemas['#/components/schemas/InviteMemberInput']?.properties ?? {}))
  t.true((await call('get_route', { method: 'GET', path: '/v1/nothing' })).failed)
  t.true((await call('list_routes', { module: 'billing' })).failed)
})

test('describes the routes that it lists', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  const routes = await json<{ method: string; path: string }[]>('list_routes', { module: 'identity' })
  const listed = routes.filter(({ method, path }) => path.startsWith('/v1/') && !['SOCKET', 'PAGE'].includes(method))
  t.true(listed.length > 20)
  for (const { method, path } of listed.slice(0, 3))
    t.is((await json<{ path: string }>('get_route', { method, path })).path, path)
})

test('lists events, and describes one with its payload', async t => {
  const { json } = await connect(t, { 'recipe.yaml': RECIPE })
  const events = await json<{ type: string; payload?: object }[]>('list_events', { module: 'identity' })
  t.true(events.some(({ type }) => type === 'identity.member.joined'))
  t.true(events.every(({ payload }) => payload === undefined))
  const event = await json<{ public: boolean; payload: { required: string[] } }>('list_events', {
    type: 'identity.member.joined',
  })
  t.true(event.public)
  t.true(event.payload.required.includes('memberId'))
})

test('lists permissions, roles and error codes', async t => {
  const recipeRoles = 'roles: { tenant.support: { name: Support, permissions: ["identity.*"] } }'
  const { json } = await connect(t, { 'recipe.yaml': `${RECIPE}${recipeRoles}\n` })
  const permissions = await json<{ key: string; module: string }[]>('list_permissions', { module: 'identity' })
  t.true(permissions.length > 0 && permissions.every(({ module }) => module === 'identity'))
  const roles = await json<{ key: string; from: string }[]>('list_roles')
  t.deepEqual(
    roles.filter(({ from }) => from === 'identity').map(({ key }) => key),
    ['tenant.owner', 'tenant.member', 'platform.admin'],
  )
  t.deepEqual(
    roles.filter(({ from }) => from === 'recipe'),
    [
      {
        key: 'tenant.support',
        name: 'Support',
        description: null,
        scope: 'tenant',
        operatorOnly: false,
        permissions: ['identity.*'],
        from: 'recipe',
      },
    ],
  )
  const codes = await json<{ code: string; module: string }[]>('list_error_codes')
  for (const code of ['not_found', 'too_many_sockets', 'last_owner'])
    t.true(
      codes.some(entry => entry.code === code),
      code,
    )
  const owners = new Set(
    (await json<typeof codes>('list_error_codes', { module: 'identity' })).map(entry => entry.module),
  )
  t.deepEqual([...owners], ['every route', 'identity'])
})

test('serves the recipe, its schema, its reference, the API document and every page as resources', async t => {
  const { client } = await connect(t, { 'recipe.yaml': RECIPE })
  const { resources } = await client.listResources()
  t.is(resources.length, 4 + docsPages().length)
  const read = async (uri: string) => {
    const { contents } = await client.readResource({ uri })
    return (contents[0] as { text: string }).text
  }
  t.regex(await read('larder://recipe'), /^product:/m)
  t.is((JSON.parse(await read('larder://recipe/schema')) as { title: string }).title, 'Larder recipe')
  t.regex(await read('larder://recipe/reference'), /^## modules\.identity/m)
  t.is((JSON.parse(await read('larder://openapi')) as { openapi: string }).openapi, '3.1.0')
  t.regex(await read('larder://docs/billing'), /^# Billing/)
  for (const uri of ['larder://docs/../README', 'larder://nothing', 'file:///etc/passwd'])
    await t.throwsAsync(client.readResource({ uri }), { message: /Unknown resource/ })
})

test('reports invalid arguments and unknown tools', async t => {
  const { call, client } = await connect(t, { 'recipe.yaml': RECIPE })
  t.deepEqual(await call('check_recipe', { text: 3, other: 1 }).then(({ text }) => text.split('\n').sort()), [
    '/other: is not a known field',
    '/text: must be a text',
  ])
  await t.throwsAsync(client.callTool({ name: 'apply_recipe', arguments: {} }), { message: /Unknown tool/ })
})

test('describes an invalid recipe as far as possible', async t => {
  const { call, json } = await connect(t, { 'recipe.yaml': `${RECIPE}thmee: {}\n` })
  const { text, failed } = await call('list_routes')
  t.true(failed)
  t.regex(text, /recipe\.yaml:6:1 Unknown key "thmee"/)
  t.true('modules.identity' in (await json<object>('get_recipe_schema')))
})

test('shortens errors as well', async t => {
  const mistakes = Array.from({ length: 300 }, (_, index) => `mistake${index}: {}`).join('\n')
  const { call } = await connect(t, { 'recipe.yaml': `${RECIPE}${mistakes}\n` })
  const { text, note = '', failed } = await call('list_routes')
  t.true(failed)
  t.regex(note, /offset: \d+/)
  t.true(Buffer.byteLength(text) + Buffer.byteLength(note) <= MAX_ANSWER_BYTES)
})

test('writes nothing', async t => {
  const { folder, call, client } = await connect(t, { 'recipe.yaml': RECIPE })
  const snapshot = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => [name, statSync(join(folder, name)).mtimeMs])
  const before = snapshot()
  for (const { name } of (await client.listTools()).tools) await call(name)
  for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri })
  t.deepEqual(snapshot(), before)
})
