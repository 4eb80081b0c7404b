import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { Command } from 'commander'
import { recipeCommands } from '../../bin/recipe.ts'

const GOOD = 'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }\n'

/** Runs `larder recipe …` in this process and returns the output. */
async function run(...words: string[]): Promise<{ stdout: string; stderr: string; code: unknown }> {
  const [out, err] = [process.stdout.write, process.stderr.write]
  const texts = { stdout: '', stderr: '' }
  const keep = (name: keyof typeof texts) => (chunk: unknown) => {
    texts[name] += String(chunk)
    return true
  }
  process.stdout.write = keep('stdout')
  process.stderr.write = keep('stderr')
  try {
    const program = new Command().exitOverride()
    recipeCommands(program)
    await program.parseAsync(['node', 'larder', 'recipe', ...words])
    return { ...texts, code: process.exitCode }
  } finally {
    process.stdout.write = out
    process.stderr.write = err
    process.exitCode = undefined
  }
}

function recipe(t: { teardown(work: () => void): void }, text: string): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-command-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  writeFileSync(file, text)
  return { folder, file }
}

test.serial('check lists the modules of a valid recipe', async t => {
  const { file } = recipe(t, GOOD)
  t.regex((await run('check', file)).stdout, /recipe\.yaml is valid: platform\n$/)
})

test.serial('check --json prints problems and fails', async t => {
  const { file } = recipe(t, `${GOOD}thmee: {}\n`)
  const { stdout, code } = await run('check', '--json', file)
  t.is(code, 1)
  const problem = {
    severity: 'error',
    code: 'unknown_key',
    file,
    line: 3,
    column: 1,
    path: 'thmee',
    message: 'Unknown key "thmee"',
    hint: 'Did you mean "theme"?',
  }
  t.deepEqual(JSON.parse(stdout), { ok: false, problems: [problem] })
})

/** A module that the check of the recipe finds nothing wrong with. */
const moduleWith = (parts: string) => `import { defineModule, route, Type } from '@larder-dev/larder/kernel'
const get = path =>
  route({ method: 'get', path, operationId: 'listShelves', allow: 'public', replies: { 204: null }, handle() {} })
export default defineModule({ name: 'shelves', ${parts} })
`
const SHELVES = `${GOOD}modules:\n  shelves: { use: ./shelves.js }\n`

test.serial('check reports two operations with one ID, as a start does', async t => {
  const { folder, file } = recipe(t, SHELVES)
  writeFileSync(join(folder, 'shelves.js'), moduleWith("routes: () => [get('/shelves'), get('/shelves/all')]"))
  const { problems } = JSON.parse((await run('check', '--json', file)).stdout)
  t.like(problems, [
    {
      code: 'start_refused',
      message: "Two operations are named 'listShelves': GET /v1/shelves and GET /v1/shelves/all",
    },
  ])
})

test.serial("check reports a module that can't be created, at its name", async t => {
  const { folder, file } = recipe(t, SHELVES)
  writeFileSync(join(folder, 'shelves.js'), moduleWith("routes() { throw new Error('no shelf is free') }"))
  const { stdout, code } = await run('check', '--json', file)
  t.is(code, 1)
  t.like(JSON.parse(stdout), {
    ok: false,
    problems: [{ code: 'start_refused', path: 'modules.shelves', line: 4, column: 3, message: 'no shelf is free' }],
  })
})

test.serial('check throws for an invalid recipe', async t => {
  const { file } = recipe(t, '')
  await t.throwsAsync(run('check', file), { message: /The file is empty/ })
})

test.serial('schema writes a file, or prints with --stdout', async t => {
  const { folder, file } = recipe(t, GOOD)
  t.regex((await run('schema', file)).stderr, /yaml-language-server/)
  const written = readFileSync(join(folder, '.larder/recipe.schema.json'), 'utf8')
  t.is(JSON.parse(written).$schema, 'http://json-schema.org/draft-07/schema#')
  t.is((await run('schema', '--stdout', file)).stdout, written)
})

test.serial('schema completes the collections that the recipe declares', async t => {
  const { file } = recipe(t, `${GOOD}collections:\n  parcels: { fields: { weight: { type: integer } } }\n`)
  const schema = JSON.parse((await run('schema', '--stdout', file)).stdout)
  const { home } = schema.properties.modules.properties.console.properties
  t.true(home.items.properties.chart.examples.includes('parcels'))
})

test.serial('docs prints the reference', async t => {
  const { file } = recipe(t, GOOD)
  t.regex((await run('docs', file)).stdout, /\| `product\.name` \| a string \| required \| Display name \|/)
})
