import { readFileSync, statSync } from 'node:fs'
import test from 'ava'
import { startTestKernel } from '../../../testing/index.ts'

const MAX_FIRST_SCRIPT_BYTES = 250 * 1024
const folder = new URL('../../../modules/console/public/', import.meta.url)

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

test('the first script has at most 250 KiB compressed', t => {
  const manifest = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Record<string, Chunk>
  const names = new Set<string>()
  const collect = (name: string) => {
    const chunk = manifest[name]
    if (!chunk || names.has(chunk.file)) return
    names.add(chunk.file)
    for (const imported of chunk.imports ?? []) collect(imported)
  }
  const entry = Object.keys(manifest).find(name => manifest[name]?.isEntry)
  // The home screen is loaded before anything is shown.
  for (const name of [entry ?? '', 'shell/Home.tsx']) collect(name)
  const size = [...names].reduce((sum, file) => sum + compressedSize(file), 0)
  t.log(`${size} bytes`)
  t.true(names.size > 0 && size > 0 && size <= MAX_FIRST_SCRIPT_BYTES)
})

const compressedSize = (file: string): number => {
  try {
    return statSync(new URL(`${file}.gz`, folder)).size
  } catch {
    return statSync(new URL(file, folder)).size
  }
}

test.serial('serves the application to people who are signed in', async t => {
  const kernel = await startTestKernel({ recipe: { modules: { identity: {}, comms: {}, console: {} } } })
  t.teardown(() => kernel.stop())
  const accept = { accept: 'text/html' }
  const signedOut = await fetch(`${kernel.url}/console/content/pages`, { headers: accept, redirect: 'manual' })
  t.is(signedOut.status, 303)
  t.regex(signedOut.headers.get('location') ?? '', /^\/sign-in\?next=%2Fconsole%2Fcontent%2Fpages/)

  const ada = await kernel.register('ada@example.test')
  const document = await fetch(`${kernel.url}/console/any/path`, { headers: { ...accept, cookie: ada.cookie } })
  const html = await document.text()
  const policy = document.headers.get('content-security-policy') ?? ''
  const again = await fetch(`${kernel.url}/console`, { headers: { ...accept, cookie: ada.cookie } })
  t.not(again.headers.get('content-security-policy'), policy)
  t.is(document.headers.get('cache-control'), 'no-store')
  t.regex(policy, /frame-ancestors 'none'/)
  t.notRegex(policy, /unsafe-inline/)
  const nonce = /nonce-([\w-]+)/.exec(policy)?.[1]
  t.true(nonce !== undefined && html.includes(`nonce="${nonce}"`))
  t.notRegex(html, /__NONCE__/)

  const [, path] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html) ?? []
  const script = await fetch(kernel.url + path, { headers: { 'accept-encoding': 'br' } })
  t.is(script.status, 200)
  t.is(script.headers.get('content-encoding'), 'br')
  t.regex(script.headers.get('cache-control') ?? '', /immutable/)
  t.regex(script.headers.get('vary') ?? '', /accept-encoding/i)
  for (const [accepted, encoding] of [
    ['identity', null],
    ['br;q=0', null],
    ['gzip, br;q=0.0', 'gzip'],
  ] as const) {
    const { headers } = await fetch(kernel.url + path, { headers: { 'accept-encoding': accepted } })
    t.is(headers.get('content-encoding'), encoding, accepted)
  }
  for (const name of ['unknown.js', '..%2Findex.html', 'index.html'])
    t.is((await fetch(`${kernel.url}/console/assets/${name}`)).status, 404, name)
})
