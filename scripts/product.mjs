// Starts the built Larder with a recipe of its own, for scripts that look at pages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LARDER = fileURLToPath(new URL('../dist/bin/larder.js', import.meta.url))
const CLAIM_CODE = /\b(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}\b/

/** Starts recipes/full.yaml as Acme in `folder`. `recipe` is YAML that is added to the recipe, `settings` are environment variables. */
export function startProduct(folder, recipe = '', settings = {}) {
  const product = 'product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }'
  writeFileSync(join(folder, 'recipe.yaml'), `recipe: 1\nextends: larder/full\n${product}\n${recipe}`)
  return startRecipe(folder, settings)
}

/** Starts the recipe.yaml of `folder` at a free port of localhost: browsers allow passkeys there only. */
export async function startRecipe(folder, settings = {}) {
  const port = await freePort()
  const base = `http://localhost:${port}`
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: base,
    LARDER_DATA: join(folder, 'data'),
    ...settings,
  }
  const child = spawn(process.execPath, [LARDER, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text
    })
  while (!(await fetch(`${base}/v1/health/readiness`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`The product did not start:\n${output}`)
    await new Promise(again => setTimeout(again, 200))
  }

  /** Sends JSON, or a form with files. Throws for a status of 400 or above. */
  async function call(method, path, body, headers = {}) {
    const init =
      body instanceof FormData
        ? { method, headers, body }
        : { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const response = await fetch(base + path, init)
    const answer = await response.json().catch(() => undefined)
    if (!response.ok) throw new Error(`${method} ${path} ${response.status} ${answer?.detail}`)
    return { body: answer, cookies: response.headers.getSetCookie().map(line => line.split(';')[0]) }
  }

  /** Uploads the file of a form, and returns its ID once it can be published: a busy machine takes a while. */
  async function upload(form, headers) {
    const { body: file } = await call('POST', '/v1/media', form, headers)
    for (let { status } = file; status === 'processing'; ) {
      await new Promise(again => setTimeout(again, 200))
      status = (await call('GET', `/v1/media/${file.id}`, undefined, headers)).body.status
    }
    return file.id
  }

  return {
    base,
    call,
    upload,
    /** Registers Ada Lovelace as the owner of the product. Cookies are `name=value`. */
    async claim() {
      const account = {
        email: 'ada@example.test',
        password: 'correct horse battery staple',
        name: 'Ada Lovelace',
        locale: 'en',
      }
      const { body, cookies } = await call('POST', '/v1/auth/register', account)
      const headers = { authorization: `Bearer ${body.token}` }
      await call('POST', '/v1/auth/claim', { code: CLAIM_CODE.exec(output)?.[0] }, headers)
      return { token: body.token, cookies }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

export async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address()
  listener.close()
  await once(listener, 'close')
  return port
}
