/** What each product of the comparison does. */
import type { BenchEnvironment } from '../fixtures.ts'
import type { Target } from '../measure.ts'
import type { School } from './school.ts'

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
  /** Undefined where the side has no rules. */
  readonly school?: School
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

/**
 * `rule`: one row, by a rule that follows three references. `either`: 20 rows that match one of two conditions. `seat`: a row
 * that takes one of the places of another one.
 */
export const SCHOOL_OPERATIONS = ['rule', 'either', 'seat'] as const
export type SchoolOperation = (typeof SCHOOL_OPERATIONS)[number]

export function schoolTargetOf({ name, pid, school }: Side, operation: SchoolOperation): Target | undefined {
  if (!school) return undefined
  const { task, either, seats, headers } = school
  if (operation !== 'seat') return { name, pid, url: operation === 'rule' ? task : either, headers }
  const bodies = seats.rows.map(row => JSON.stringify(row))
  let next = 0
  const nextBody = () => bodies[next++ % bodies.length] as string
  return {
    name,
    pid,
    url: seats.url,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    nextBody,
  }
}

/** Throws if a response doesn't have the expected rows, or if a class takes more people than it has places. */
export async function verifySchool(side: Side, pageSize: number): Promise<void> {
  const read = async (operation: SchoolOperation) => {
    const { url = '', headers = {} } = schoolTargetOf(side, operation) ?? {}
    return (await fetch(url, { headers: { ...headers } })).text()
  }
  const count = (text: string) => text.match(/"title":/g)?.length ?? 0
  const [task, list] = [await read('rule'), await read('either')]
  if (count(task) !== 1) throw new Error(`${side.name}: rule returned ${task.slice(0, 300)}`)
  const { seats, headers = {} } = side.school ?? {}
  const statuses: number[] = []
  for (let each = 0; each < 2; each++) {
    const json = { ...headers, 'content-type': 'application/json' }
    const response = await fetch(seats?.url ?? '', { method: 'POST', headers: json, body: JSON.stringify(seats?.last) })
    statuses.push(response.status)
  }
  if ((statuses[0] ?? 500) >= 300 || (statuses[1] ?? 200) < 300)
    throw new Error(`${side.name}: two seats of one place returned ${statuses.join(' and ')}`)
  if (count(list) !== pageSize) throw new Error(`${side.name}: either returned ${count(list)}: ${list.slice(0, 300)}`)
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
