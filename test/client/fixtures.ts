/** Generates clients of recipes and imports them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { pino } from 'pino'
import { stringify } from 'yaml'
import { clientOf, typesOf } from '../../bin/client.ts'
import { checkFile, readSettings } from '../../bin/composition.ts'
import type { Ports } from '../../kernel/index.ts'
import { inspectRecipe } from '../../kernel/runtime/index.ts'

type Recipe = Readonly<Record<string, unknown>>

const PRODUCT = { key: 'acme', name: 'Acme', publicUrl: 'http://localhost:8080' }

async function generate(recipe: Recipe, work: (ports: Readonly<Ports>) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-client-'))
  try {
    const file = join(folder, 'recipe.yaml')
    await writeFile(file, stringify({ recipe: 1, product: PRODUCT, ...recipe }))
    const checked = await checkFile(file, {})
    const settings = readSettings({ LARDER_DATA: folder })
    return await inspectRecipe({ checked, settings, log: pino({ level: 'silent' }) }, work)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The source of the client of a recipe, without a database. */
export const clientSource = (recipe: Recipe): Promise<string> => generate(recipe, clientOf)
export const typesSource = (recipe: Recipe): Promise<string> => generate(recipe, typesOf)

export const toJavaScript = async (source: string): Promise<string> =>
  (await transform(source, { loader: 'ts', format: 'esm', target: 'es2022' })).code

/** Imports generated TypeScript. Types are checked by `compile.system.test.ts`. */
export async function importSource<Module>(source: string): Promise<Module> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-client-'))
  try {
    const file = join(folder, 'client.mjs')
    await writeFile(file, await toJavaScript(source))
    return (await import(pathToFileURL(file).href)) as Module
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The generated module, as far as the tests call it. */
export interface GeneratedModule<Client> {
  createClient(options: object): Client
  isLarderError(error: unknown, ...codes: string[]): boolean
}

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A `fetch` that records requests and returns these responses in turn, the last one from then on. */
export function fakeFetch(...responses: readonly (() => Response)[]) {
  const requests: RecordedRequest[] = []
  const fetch = async (url: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    requests.push({ method, url, headers: headers as Record<string, string>, body: body && JSON.parse(String(body)) })
    const respond = responses[Math.min(requests.length, responses.length) - 1]
    if (!respond) throw new Error('no response is prepared')
    return respond()
  }
  return { fetch, requests }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): (() => Response) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

export const problem =
  (status: number, code: string, more: object = {}, headers: Record<string, string> = {}): (() => Response) =>
  () =>
    new Response(JSON.stringify({ type: 'about:blank', title: code, status, detail: `${code}.`, code, ...more }), {
      status,
      headers: { 'content-type': 'application/problem+json', ...headers },
    })
