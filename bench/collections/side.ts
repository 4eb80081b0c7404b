/** What each product of the comparison does. */
import type { BenchEnvironment } from '../fixtures.ts'
import type { Target } from '../measure.ts'

export interface Side {
  readonly name: string
  /** The process that serves the requests. */
  readonly pid: number
  readonly targets: Readonly<Record<Operation, Target>>
  stop(): Promise<void>
}

/** `list`: 20 rows with a filter, a sort and one expansion. `create`: with validation and an event where there is one. */
export const OPERATIONS = ['get', 'list', 'create'] as const
export type Operation = (typeof OPERATIONS)[number]

export interface SideOptions {
  readonly environment: BenchEnvironment
  /** URL of an empty PostgreSQL database. */
  readonly databaseUrl: string
  /** Folder with `node_modules` of the product. */
  readonly folder: string
}

type Headers = Readonly<Record<string, string>>

interface JsonRequests {
  /** Of the collection. */
  readonly url: string
  readonly id: string | undefined
  /** Query of the list. */
  readonly list: string
  readonly headers: Headers
  /** The row that `create` posts. */
  readonly row: object
}

/** The operations of a product with the paths `<collection>` and `<collection>/<id>`. */
export const jsonTargets = ({ url, id, list, headers, row }: JsonRequests): Side['targets'] => ({
  get: { name: 'get', url: `${url}/${id}`, headers },
  list: { name: 'list', url: `${url}?${list}`, headers },
  create: {
    name: 'create',
    url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(row),
  },
})

/** Sends JSON and returns JSON. Throws if the status isn't 2xx. */
export async function send<T>(method: string, url: string, body: unknown, headers: Headers = {}): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text.slice(0, 500)}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** Requests the three targets once, and throws if a response doesn't have the expected rows. */
export async function verify({ name, targets }: Side, pageSize: number): Promise<void> {
  const responses = await Promise.all(
    [targets.get, targets.list].map(async ({ url, headers }) => (await fetch(url, { headers: { ...headers } })).text()),
  )
  const [one = '', list = ''] = responses
  const titles = (text: string) => text.match(/"title":/g)?.length ?? 0
  const categories = list.match(/"Category \d"/g)?.length ?? 0
  if (titles(one) !== 1) throw new Error(`${name}: get returned ${one.slice(0, 300)}`)
  if (titles(list) !== pageSize || categories !== pageSize || /"(advanced|expert)"/.test(list))
    throw new Error(
      `${name}: list returned ${titles(list)} courses with ${categories} categories: ${list.slice(0, 300)}`,
    )
}
