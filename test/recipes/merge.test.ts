import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { checkFile } from '../../bin/composition.ts'

const recipe = (fields: readonly string[]) => `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  collections: {}
collections:
  courses:
    fields:
${fields.map(field => `      ${field}: { type: text }\n`).join('')}`

type Teardown = { teardown(work: () => void): void }

/** Merges as git does, and checks the result. Returns the number of conflicts and the fields. */
async function merge(t: Teardown, base: string[], ours: string[], theirs: string[], ...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-merge-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const [file, ...others] = [ours, base, theirs].map((fields, index) => {
    const path = join(folder, `${index}.yaml`)
    writeFileSync(path, recipe(fields))
    return path
  }) as [string, string, string]
  const { status } = spawnSync('git', ['merge-file', ...options, file, ...others])
  if (status !== 0) return { conflicts: status, fields: [] }
  const { value } = await checkFile(file, {})
  const { collections } = value as unknown as { collections: { courses: { fields: object } } }
  return { conflicts: 0, fields: Object.keys(collections.courses.fields), text: readFileSync(file, 'utf8') }
}

test('branches that add fields in different places of a collection merge without conflict', async t => {
  const merged = await merge(t, ['code', 'title'], ['author', 'code', 'title'], ['code', 'title', 'year'])
  t.like(merged, { conflicts: 0, fields: ['author', 'code', 'title', 'year'] })
})

test('branches that add fields in the same place merge with both, as the attribute merge=union does', async t => {
  const sides = [['title'], ['title', 'level'], ['title', 'price']] as const
  t.is((await merge(t, ...(sides.map(side => [...side]) as [string[], string[], string[]]))).conflicts, 1)
  const merged = await merge(t, ...(sides.map(side => [...side]) as [string[], string[], string[]]), '--union')
  t.like(merged, { conflicts: 0, fields: ['title', 'level', 'price'] })
})

test('a field that both branches add differently is reported after a union merge', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'larder-merge-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'recipe.yaml')
  writeFileSync(file, recipe(['title', 'level', 'level']))
  await t.throwsAsync(checkFile(file, {}), { message: /level/ })
})
