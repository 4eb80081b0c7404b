import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { run, temporaryFolder } from './command.ts'

const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { transport: mailbox, from: "Acme <hello@acme.test>" }
  collections: {}
`
const courses = (fields: string) => `${RECIPE}collections:\n  courses:\n    fields:\n${fields}`

test('diff prints a comment without a database, and exits with 0, 2, 3 or 1', async t => {
  const cwd = await temporaryFolder(t)
  const write = (name: string, text: string) => writeFile(join(cwd, name), text)
  const diff = (...words: string[]) => run(t, ['recipe', 'diff', ...words], cwd)
  await write('recipe.yaml', courses('      title: { type: text }\n'))
  await write('more.yaml', courses('      title: { type: text }\n      note: { type: text }\n'))
  await write('bad.yaml', `${RECIPE}thmee: {}\n`)

  const same = await diff('recipe.yaml', 'recipe.yaml')
  t.is(same.code, 0, same.err)
  t.regex(same.out, /From `recipe\.yaml` to `recipe\.yaml`: no differences\.\n$/)

  const added = await diff('recipe.yaml', 'more.yaml')
  t.is(added.code, 2, added.err)
  t.regex(added.out, /^- Added `field courses\.note`: text$/m)
  t.regex(added.out, /none of them breaking/)

  // The second file is the recipe of the folder by default.
  const removed = await diff('more.yaml', '--json')
  t.is(removed.code, 3, removed.err)
  const found = JSON.parse(removed.out)
  t.like(found, { before: join(cwd, 'more.yaml'), after: join(cwd, 'recipe.yaml') })
  t.deepEqual(found.data, [
    {
      change: 'remove',
      subject: 'field courses.note',
      detail: 'text',
      breaks: 'its values are kept for 30 days, then deleted',
    },
  ])
  t.true(
    found.api.some(
      ({ subject, breaks }: Record<string, string>) => subject === 'schema DataCourseRow' && /note/.test(breaks ?? ''),
    ),
  )
  t.deepEqual([found.permissions, found.pages, found.settings], [[], [], []])

  const invalid = await diff('bad.yaml', 'missing.yaml')
  t.is(invalid.code, 1)
  t.is(invalid.out, '')
  t.regex(invalid.err, /bad\.yaml is invalid\nbad\.yaml:7:1 +Unknown key "thmee"/)
  t.regex(invalid.err, /missing\.yaml: there is no such file/)
  t.is((await diff()).code, 2)
})

test('diff compares a recipe without a module, and one with many collections', async t => {
  const cwd = await temporaryFolder(t)
  const collections = Array.from({ length: 30 }, (_, n) => `  c${n}:\n    fields: { title: { type: text } }\n`).join('')
  await writeFile(join(cwd, 'large.yaml'), `${RECIPE}collections:\n${collections}`)
  await writeFile(join(cwd, 'recipe.yaml'), RECIPE.replace('  collections: {}\n', ''))
  const { code, out, err } = await run(t, ['recipe', 'diff', 'large.yaml'], cwd)
  t.is(code, 3, err)
  t.true(out.length < 65_536)
  t.regex(out, /^- Removed `module collections`\. \*\*Breaking:\*\* removes its routes/m)
})
