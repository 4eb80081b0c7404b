import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { createTestDatabase } from '../../kernel/database/testing.ts'
import { begin, folder } from './command.ts'

const recipe = (name: string, more = '') => `recipe: 1
product: { key: acme, name: ${name}, publicUrl: "http://localhost:8080" }
modules: { identity: {}, hello: { use: ./modules/hello } }
${more}`

const hello = (word: string) => `
import { defineModule, route, Type } from 'larder/kernel'
const replies = { 200: Type.String() }
const hello = route({ method: 'get', path: '/hello', allow: 'public', replies, handle: async () => '${word}' })
export default defineModule({ name: 'hello', routes: () => [hello] })
`

test('dev swaps in what changed, and keeps what runs when the change is wrong', async t => {
  const cwd = await folder(t)
  const file = join(cwd, 'recipe.yaml')
  const module = join(cwd, 'modules', 'hello', 'module.js')
  await mkdir(join(cwd, 'modules', 'hello'), { recursive: true })
  await writeFile(module, hello('good morning'))
  await writeFile(file, recipe('First'))
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' }
  const larder = begin(t, ['dev'], cwd, env)
  const [, url] = await larder.saying(/First answers at (http:\S+)/)
  const title = async () => ((await (await fetch(`${url}/v1/platform/openapi.json`)).json()) as Spec).info.title
  t.regex(await title(), /First/)

  // Nobody who asks during the swap meets a closed door.
  let asking = true
  const statuses = new Set<number>()
  const asker = (async () => {
    while (asking) statuses.add((await fetch(`${url}/v1/health`)).status)
  })()
  await writeFile(file, recipe('Second'))
  await larder.saying(/Second answers at/)
  t.regex(await title(), /Second/)
  asking = false
  await asker
  t.deepEqual([...statuses], [200])

  await writeFile(file, recipe('Third', 'nonsense: true'))
  await larder.saying(/nonsense[\s\S]+goes on as it was/)
  t.regex(await title(), /Second/)

  await writeFile(file, recipe('Fourth'))
  await larder.saying(/Fourth answers at/)

  const greeting = async () => (await fetch(`${url}/v1/hello`)).json()
  t.is(await greeting(), 'good morning')
  await writeFile(module, hello('good evening'))
  await larder.saying(/module\.js changed[\s\S]+Fourth answers at/)
  t.is(await greeting(), 'good evening')
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

interface Spec {
  info: { title: string }
}
