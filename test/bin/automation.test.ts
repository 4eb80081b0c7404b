import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Command } from 'commander'
import { automationCommands } from '../../bin/automation.ts'
import { explain } from '../../bin/failure.ts'

const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: {}
  collections: {}
  automations: {}
collections:
  tickets: { fields: { title: { type: text, required: true }, count: { type: integer } } }
automations:
  count-on:
    on: collections.tickets.created
    steps:
      - collections.update: { row: $row, set: { title: "{{row.title}}!", count: 2 } }
        as: made
      - wait: 2d
        when: { row.count: { gt: 1 } }
  fails:
    on: collections.tickets.created
    steps: [ { wait: { until: $row.title } } ]
`

/** Runs `larder automation …` in this process and returns what it prints. */
async function run(...words: string[]): Promise<{ stdout: string; code: unknown; error?: string }> {
  const write = process.stdout.write
  let stdout = ''
  process.stdout.write = (chunk: unknown) => {
    stdout += String(chunk)
    return true
  }
  try {
    const program = new Command().exitOverride()
    automationCommands(program)
    await program.parseAsync(['node', 'larder', 'automation', ...words])
    return { stdout, code: process.exitCode }
  } catch (error) {
    return { stdout, code: process.exitCode, error: explain(error, {}) }
  } finally {
    process.stdout.write = write
    process.exitCode = undefined
  }
}

function files(t: ExecutionContext, recipe = RECIPE) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-automation-command-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [file, sample] = [join(folder, 'recipe.yaml'), join(folder, 'sample.json')]
  writeFileSync(file, recipe)
  return { file, sample, write: (text: string) => writeFileSync(sample, text) }
}

test.serial('test prints what each step would do with what samples prints', async t => {
  const { file, sample, write } = files(t)
  const { stdout: printed } = await run('samples', 'count-on', '--recipe', file)
  write(printed)
  const { stdout, code } = await run('test', 'count-on', '--event', sample, '--recipe', file)
  t.is(code, undefined)
  t.is(
    stdout,
    `count-on starts. Nothing was done.
✓ 1. collections.update
     row:
       collection: tickets
       id: row_01jh8m2c5v7q9x3f4g6k8n0prt
     set:
       title: Title!
       count: 2
     $steps.made, assumed:
       collection: tickets
       id: 01jh8m2c5v7q9x3f4g6k8n0prt
– 2. wait is skipped: The condition row.count: {"gt":1} doesn't match: row.count is 1
`,
  )
})

test.serial('test exits with 1 if a step would fail', async t => {
  const { file, sample, write } = files(t)
  write('{ "type": "collections.tickets.created", "payload": { "row": { "title": "x" } } }')
  const { stdout, code } = await run('test', 'fails', '--event', sample, '--json', '--recipe', file)
  t.is(code, 1)
  t.deepEqual(JSON.parse(stdout), {
    automation: 'fails',
    starts: true,
    steps: [{ position: 0, name: null, action: 'wait', state: 'failed', detail: '$row.title is no time' }],
  })
})

test.serial('errors say what would be right', async t => {
  const { file, sample, write } = files(t)
  const tried = async (key: string) => (await run('test', key, '--event', sample, '--recipe', file)).error
  t.regex(
    (await tried('count-on')) ?? '',
    /^Can't read .*sample\.json\. To write it, run larder automation samples KEY > /,
  )
  write('{ "event": ')
  t.regex((await tried('count-on')) ?? '', /sample\.json is no JSON: /)
  write('{ "event": { "type": "collections.tickets.created", "payload": { "row": { "titel": "x" } } } }')
  t.regex((await tried('count-on')) ?? '', /^event\.payload\.row\.titel .*did you mean "title"/)
  t.regex((await tried('cuont-on')) ?? '', /^Unknown automation "cuont-on"\. Did you mean "count-on"\?$/)
  t.regex((await run('samples', 'count', '--recipe', file)).error ?? '', /^Unknown automation "count"\. /)
})

test.serial('a recipe without the module is told which line to add', async t => {
  const { file } = files(t, RECIPE.slice(0, RECIPE.indexOf('automations:\n')).replace('  automations: {}\n', ''))
  const { error } = await run('samples', 'count-on', '--recipe', file)
  t.is(error, 'The recipe has no automations. Add the line automations: {} under modules.')
})
