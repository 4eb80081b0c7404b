import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { waitFor } from '../fixtures/wait.ts'
import { spawnLarder, temporaryFolder } from './command.ts'

const recipe = (name: string, more = '') => `recipe: 1
product: { key: acme, name: ${name}, publicUrl: "http://localhost:8080" }
modules: { identity: {}, hello: { use: ./modules/hello } }
${more}`

const hello = (word: string) => `
import { defineModule, route, Type } from '@larder-dev/larder/kernel'
const replies = { 200: Type.String() }
const hello = route({ method: 'get', path: '/hello', allow: 'public', replies, handle: async () => '${word}' })
export default defineModule({ name: 'hello', routes: () => [hello] })
`

test('dev reloads after a change and keeps the previous version on an error', async t => {
  const cwd = await temporaryFolder(t)
  const file = join(cwd, 'recipe.yaml')
  const module = join(cwd, 'modules', 'hello', 'module.js')
  await mkdir(join(cwd, 'modules', 'hello'), { recursive: true })
  await writeFile(module, hello('good morning'))
  await writeFile(file, recipe('First'))
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' }
  const larder = spawnLarder(t, ['dev'], cwd, env)
  const [, url] = await larder.waitForOutput(/First is running at (http:\S+)/)
  const title = async () => ((await (await fetch(`${url}/v1/platform/openapi.json`)).json()) as Spec).info.title
  t.regex(await title(), /First/)

  // Requests during the swap do not fail.
  let asking = true
  const statuses = new Set<number>()
  const asker = (async () => {
    while (asking) statuses.add((await fetch(`${url}/v1/health`)).status)
  })()
  await writeFile(file, recipe('Second'))
  await larder.waitForOutput(/Second is running at/)
  t.regex(await title(), /Second/)
  asking = false
  await asker
  t.deepEqual([...statuses], [200])

  await writeFile(file, recipe('Third', 'nonsense: true'))
  await larder.waitForOutput(/nonsense[\s\S]+previous version is still running/)
  t.regex(await title(), /Second/)

  await writeFile(file, recipe('Fourth'))
  await larder.waitForOutput(/Fourth is running at/)

  const greeting = async () => (await fetch(`${url}/v1/hello`)).json()
  t.is(await greeting(), 'good morning')
  await writeFile(module, hello('good evening'))
  await larder.waitForOutput(/module\.js changed[\s\S]+Fourth is running at/)
  t.is(await greeting(), 'good evening')
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

test('dev detects a file that replaces another after a failed reload, and watches only folders of the project', async t => {
  const cwd = await temporaryFolder(t)
  const file = join(cwd, 'recipe.yaml')
  await mkdir(join(cwd, 'modules', 'hello'), { recursive: true })
  await writeFile(join(cwd, 'modules', 'hello', 'module.js'), hello('good morning'))
  await writeFile(file, recipe('First'))
  await fillNodeModules(cwd, 20_000)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' }
  const larder = spawnLarder(t, ['dev'], cwd, env)
  await larder.waitForOutput(/First is running at/)

  await replaceFile(file, recipe('Second', 'nonsense: true'))
  await larder.waitForOutput(/nonsense[\s\S]+previous version is still running/)
  for (const name of ['.test-1.yaml', 'output.json', 'larder.log'])
    await writeFile(join(cwd, name), 'not of the product')
  await replaceFile(file, recipe('Third'))
  await larder.waitForOutput(/Third is running at/)

  // The second file is saved while the first one is loaded.
  await replaceFile(file, recipe('Fourth'))
  await larder.waitForOutput(/recipe\.yaml changed: [\s\S]+recipe\.yaml changed: [\s\S]+recipe\.yaml changed: /)
  await replaceFile(file, recipe('Fifth'))
  await larder.waitForOutput(/Fifth is running at/)
  t.notRegex(larder.err(), /\.test-1\.yaml|output\.json|larder\.log|node_modules/)
  if (process.platform === 'linux') {
    // This process has watched the folders of the running recipe since the reload before.
    const watched = await inotifyWatches(larder.child.pid, cwd)
    t.is(watched.length, 2, `it watches ${watched.join(', ')}`)
  }
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

test('dev includes a new file that matches a pattern in the folder of the recipe', async t => {
  const cwd = await temporaryFolder(t)
  await writeFile(
    join(cwd, 'recipe.yaml'),
    'recipe: 1\nproduct: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }\nmodules: { identity: {} }\ninclude: ./part-*.yaml\n',
  )
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' }
  const larder = spawnLarder(t, ['dev'], cwd, env)
  const [, url] = await larder.waitForOutput(/Acme is running at (http:\S+)/)
  await writeFile(join(cwd, 'other.yaml'), 'nonsense: true\n')
  await writeFile(join(cwd, 'part-1.yaml'), 'modules: { forms: {} }\n')
  const status = async () => (await fetch(`${url}/v1/forms`)).status
  t.is(await waitFor(status, found => found !== 404), 401)
  await rm(join(cwd, 'part-1.yaml'))
  t.is(await waitFor(status, found => found !== 401), 404)
  t.notRegex(larder.err(), /other\.yaml/)
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

/** Saves a file as editors do: writes another one and renames it. */
async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content)
  await rename(`${path}.new`, path)
}

async function fillNodeModules(project: string, files: number): Promise<void> {
  const filesPerPackage = 100
  for (let i = 0; i < files / filesPerPackage; i++) {
    const folder = join(project, 'node_modules', `package-${i}`)
    await mkdir(folder, { recursive: true })
    await Promise.all(Array.from({ length: filesPerPackage }, (_, j) => writeFile(join(folder, `${j}.js`), '')))
  }
}

/** The watched folders: relative to the project or the package where their inode is known, otherwise as an inode. */
async function inotifyWatches(pid: number | undefined, project: string): Promise<string[]> {
  const folder = `/proc/${pid}/fdinfo`
  const descriptors = await Promise.all(
    (await readdir(folder)).map(name => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  const inodes = [...descriptors.join('\n').matchAll(/^inotify wd:\S+ ino:(\w+)/gm)].map(([, inode]) =>
    Number.parseInt(inode ?? '', 16),
  )
  const names = new Map([...(await foldersBelow(project)), ...(await foldersBelow(fileURLToPath(packageRoot)))])
  return inodes.map(inode => names.get(inode) ?? `inode ${inode}`).sort()
}

/** Inode → path of this folder and those below it, except packages and output. */
async function foldersBelow(root: string, folder = root): Promise<Map<number, string>> {
  const found = new Map([[(await stat(folder)).ino, relative(root, folder) || '.']])
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
      for (const [inode, path] of await foldersBelow(root, join(folder, entry.name))) found.set(inode, path)
  return found
}

interface Spec {
  info: { title: string }
}

const page = (title: string) => `<title>{{page.title}}</title><i>${title}</i>`

test('dev reloads browsers after a change and reports template errors', async t => {
  const cwd = await temporaryFolder(t)
  const file = join(cwd, 'recipe.yaml')
  const layout = join(cwd, 'look', 'layouts', 'page.hbs')
  await mkdir(join(cwd, 'look', 'layouts'), { recursive: true })
  await writeFile(join(cwd, 'look', 'theme.yaml'), 'extends: default\n')
  await writeFile(layout, `${page('one')}{{body}}`)
  await writeFile(join(cwd, 'home.md'), 'First body')
  await writeFile(
    file,
    `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
theme: { use: ./look }
modules: { identity: {}, content: {} }
pages: { about: { title: About, body: ./home.md } }
`,
  )
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of', PORT: '0' }
  const larder = spawnLarder(t, ['dev'], cwd, env)
  const [, url] = await larder.waitForOutput(/Acme is running at (http:\S+)/)
  const look = async () => (await fetch(`${url}/about`, { headers: { accept: 'text/html' } })).text()
  const first = await look()
  t.regex(first, /<i>one<\/i>[\s\S]*First body/)
  const [, nonce] = /<script nonce="([^"]+)">.*EventSource\('\/larder-dev'\)/.exec(first) ?? []
  t.truthy(nonce)

  const reloads = await listen(`${url}/larder-dev`)
  t.teardown(reloads.stop)
  await writeFile(layout, `${page('two')}{{body}}`)
  await reloads.times(1)
  t.regex(await look(), /<i>two<\/i>/)
  await writeFile(layout, '{{#if page.title}}\n{{> nothing}}{{/if}}')
  await reloads.times(2)
  const broken = await look()
  t.regex(broken, /look\/layouts\/page\.hbs:2:1/)
  t.regex(broken, /there is no partial/)
  t.regex(broken, /EventSource/)
  await writeFile(layout, `${page('three')}{{body}}`)
  await reloads.times(3)
  await writeFile(join(cwd, 'home.md'), 'Second body')
  await larder.waitForOutput(/home\.md changed[\s\S]+Acme is running at/)
  await reloads.times(4)
  await writeFile(join(cwd, 'look', 'theme.yaml'), 'extends: default\ntokens: { accent: "red;" }\n')
  await larder.waitForOutput(/look\/theme\.yaml:2:11\s+The token 'accent'[\s\S]+previous version is still running/)
  t.regex(await look(), /theme\.yaml:2:1/)
  await writeFile(join(cwd, 'look', 'theme.yaml'), 'extends: default\n')
  await reloads.times(5)
  t.regex(await look(), /<i>three<\/i>[\s\S]*Second body/)
  larder.child.kill('SIGTERM')
  t.is((await larder.ended).code, 0)
})

/** Yields server-sent events. */
async function listen(url: string) {
  const abort = new AbortController()
  const answer = await fetch(url, { signal: abort.signal })
  let text = ''
  const waiting: { count: number; resolve: () => void }[] = []
  const count = () => text.split('event: reload').length - 1
  const read = async () => {
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      for (const one of waiting) if (count() >= one.count) one.resolve()
    }
  }
  const reading = read().catch(error => error)
  return {
    times: (wanted: number) =>
      new Promise<void>(resolve => {
        if (count() >= wanted) resolve()
        else waiting.push({ count: wanted, resolve })
      }),
    async stop() {
      abort.abort()
      await reading
    },
  }
}
