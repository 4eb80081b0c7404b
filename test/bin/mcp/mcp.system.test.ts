/** `larder mcp` as a client runs it: a process, with the protocol on stdin and stdout. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import test, { type ExecutionContext } from 'ava'
import { createTestDatabase } from '../../../services/postgres/testing.ts'
import { CLEAN_ENV, LARDER, run } from '../command.ts'
import { installLarder } from '../installed.ts'
import { callsOf, createFolder, RECIPE } from './fixtures.ts'

const SECRET = 'a secret that only tests may know of'
const TALKATIVE = `
import { defineModule } from '@larder-dev/larder/kernel'
console.log('parcels is loaded')
process.stdout.write('not the protocol\\n')
export default defineModule({ name: 'parcels' })
`

interface Options {
  readonly env?: Record<string, string>
  readonly larder?: string
}

async function start(t: ExecutionContext, cwd: string, { env = {}, larder = LARDER }: Options = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [larder, 'mcp'],
    cwd,
    env: { ...CLEAN_ENV, LARDER_DATA: join(cwd, '.larder'), ...env },
    stderr: 'pipe',
  })
  const output = { err: '' }
  transport.stderr?.on('data', text => {
    output.err += text
  })
  const errors: Error[] = []
  const client = new McpClient({ name: 'test', version: '1' })
  // The client reports every line that isn't a message.
  client.onerror = error => errors.push(error)
  await client.connect(transport)
  t.teardown(() => client.close())
  return { client, errors, output, ...callsOf(client) }
}

test('stdout has only the protocol, whatever a module of the team prints', async t => {
  const recipe = `${RECIPE}  parcels: { use: ./parcels }\n`
  const cwd = createFolder(t, { 'recipe.yaml': recipe, 'parcels/module.js': TALKATIVE })
  const { json, errors, output } = await start(t, cwd)
  const { modules } = await json<{ modules: string[] }>('check_recipe')
  t.true(modules.includes('parcels'))
  await json('list_routes')
  t.deepEqual(errors, [])
  t.regex(output.err, /parcels is loaded\nnot the protocol/)
})

test('plans against a database, without secrets and without changes', async t => {
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: SECRET }
  const cwd = createFolder(t, { 'recipe.yaml': RECIPE })
  t.is((await run(t, ['recipe', 'apply'], cwd, env)).code, 0)
  const { call, json } = await start(t, cwd, { env })
  t.like(await json('plan_recipe'), { valid: true, changes: [], breaking: 0 })

  const text = `${RECIPE}  forms: {}\nroles: { tenant.support: { name: Support, permissions: [forms.form.read] } }\n`
  const plan = await json<{ changes: { subject: string }[] }>('plan_recipe', { text })
  t.deepEqual(
    plan.changes.map(({ subject }) => subject),
    ['module forms', 'role tenant.support'],
  )
  t.like(await json('plan_recipe'), { changes: [] })
  const reply = await call('plan_recipe')
  t.false(reply.text.includes(SECRET) || reply.text.includes(new URL(database.ownerUrl).password || SECRET))
})

test('works in a project that installed Larder', async t => {
  const cwd = createFolder(t, { 'recipe.yaml': RECIPE })
  await installLarder(cwd)
  const larder = join(cwd, 'node_modules/@larder-dev/larder/dist/bin/larder.js')
  const { json, call } = await start(t, cwd, { larder })
  t.like(await json('check_recipe'), { valid: true })
  t.regex((await call('read_docs', { page: 'identity' })).text, /^# /)
  t.true((await json<unknown[]>('search_docs', { query: 'invitation' })).length > 0)
})

test('exits when stdin ends, and refuses invalid messages without ending', async t => {
  const cwd = createFolder(t, { 'recipe.yaml': RECIPE })
  const child = spawn(process.execPath, [LARDER, 'mcp'], { cwd, env: CLEAN_ENV, stdio: ['pipe', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.on('data', text => {
    out += text
  })
  child.stdin.write('not a message\n')
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  const [code] = await once(child, 'close')
  t.is(code, 0)
  t.deepEqual(JSON.parse(out), { jsonrpc: '2.0', id: 1, result: {} })
})

test('other commands do not load the SDK', async t => {
  const cwd = createFolder(t, { 'recipe.yaml': RECIPE })
  const coverage = join(cwd, 'coverage')
  await mkdir(coverage)
  t.is((await run(t, ['recipe', 'check'], cwd, { NODE_V8_COVERAGE: coverage })).code, 0)
  const loaded = readdirSync(coverage).map(name => readFileSync(join(coverage, name), 'utf8'))
  t.true(loaded.some(text => text.includes('bin/mcp.js')))
  t.false(loaded.some(text => text.includes('@modelcontextprotocol') || text.includes('bin/mcp/serve.js')))
})
