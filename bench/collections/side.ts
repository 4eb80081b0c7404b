/** What each product of the comparison does. */
import type { BenchEnvironment } from '../fixtures.ts'
import type { Target } from '../measure.ts'

/** `list`: 20 rows with a filter, a sort and one expansion. `create`: with validation and an event where there is one. */
export const OPERATIONS = ['get', 'list', 'create'] as const
export type Operation = (typeof OPERATIONS)[number]

type Headers = Readonly<Record<string, string>>

export interface Side {
  readonly name: string
  /** The process that serves the requests. */
  readonly pid: number
  /** URL of the collection. */
  readonly url: string
  /** A row for `get`. */
  readonly id: string | undefined
  /** Query of the list. */
  readonly list: string
  readonly headers: Headers
  /** The row that `create` posts. */
  readonly row: object
  stop(): Promise<void>
}

export interface SideOptions {
  readonly environment: BenchEnvironment
  /** URL of an empty PostgreSQL database. */
  readonly databaseUrl: string
  /** Folder with the product. */
  readonly folder: string
}

export function targetOf({ name, pid, url, id, list, headers, row }: Side, operation: Operation): Target {
  if (operation === 'get') return { name, pid, url: `${url}/${id}`, headers }
  if (operation === 'list') return { name, pid, url: `${url}?${list}`, headers }
  const json = { ...headers, 'content-type': 'application/json' }
  return { name, pid, url, method: 'POST', headers: json, body: JSON.stringify(row) }
}

/** Throws if a response doesn't have the expected rows. */
export async function verify(side: Side, pageSize: number): Promise<void> {
  const read = async (operation: Operation) => {
    const { url, headers } = targetOf(side, operation)
    return (await fetch(url, { headers: { ...headers } })).text()
  }
  const [one, list] = [await read('get'), await read('list')]
  const titles = (text: string) => text.match(/"title":/g)?.length ?? 0
  const categories = list.match(/"Category \d"/g)?.length ?? 0
  if (titles(one) !== 1) throw new Error(`${side.name}: get returned ${one.slice(0, 300)}`)
  if (titles(list) !== pageSize || categories !== pageSize || /"(advanced|expert)"/.test(list))
    throw new Error(
      `${side.name}: list returned ${titles(list)} courses with ${categories} categories: ${list.slice(0, 300)}`,
    )
}
