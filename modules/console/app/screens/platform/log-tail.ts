/** Log lines of the last hour, with new ones as they are written. */

import { useRef, useState } from 'react'
import { type Api, api, keys, useLoad } from '../../public.ts'

interface Known {
  readonly lines: readonly Api.LogLine[]
  /** Processes that answered, by id. With several servers, requests reach any of them. */
  readonly processes: ReadonlyMap<string, Api.LogProcess & { readonly newest: string | undefined }>
  readonly hasMore: boolean
}

type Query = NonNullable<Api.Paths['/v1/platform/logs']['get']['query']>
const REFRESH_MS = 2000
const PAGE_SIZE = 200
const MAX_NEW_LINES = 1000
/** Older lines are dropped while new ones arrive. */
const MAX_LINES = 2000
const NOTHING: Known = { lines: [], processes: new Map(), hasMore: false }

/** @param filters change the lines that are loaded. */
export function useLogTail(filters: Query, isLive: boolean) {
  const [known, setKnown] = useState<{ readonly key: string; readonly value: Known }>({ key: '', value: NOTHING })
  const key = JSON.stringify(filters)
  const current = known.key === key ? known.value : NOTHING
  const latest = useRef(current)
  latest.current = current

  const add = (answer: Api.RecentLog, isOlder: boolean) => {
    const value = merge(latest.current, answer, isOlder)
    latest.current = value
    setKnown({ key, value })
  }
  const load = async (more: Query, signal?: AbortSignal) =>
    (await api.get('/v1/platform/logs', { query: { ...filters, limit: PAGE_SIZE, ...more }, signal })).body

  const result = useLoad(
    keys.load('/v1/platform/logs', key),
    async signal => {
      const since = oldestOf([...latest.current.processes.values()].map(({ newest }) => newest))
      add(await load(since === undefined ? {} : { 'filter[since]': since, limit: MAX_NEW_LINES }, signal), false)
      return null
    },
    { refreshMs: () => isLive && REFRESH_MS, isForgotten: true },
  )
  return {
    ...result,
    ...current,
    loadOlder: async () => add(await load({ 'filter[until]': current.lines.at(-1)?.at }), true),
  }
}

/** Undefined if one of the processes has not sent its lines yet. */
const oldestOf = (times: readonly (string | undefined)[]): string | undefined =>
  times.includes(undefined) ? undefined : (times as readonly string[]).toSorted()[0]

/** Lines of both, newest first. */
export function merge(known: Known, { process, data, hasMore }: Api.RecentLog, isOlder: boolean): Known {
  const isFirst = known.processes.size === 0
  const before = known.processes.get(process.id)
  const byId = new Map([...known.lines, ...data].map(line => [line.id, line]))
  const lines = [...byId.values()].sort((a, b) => b.at.localeCompare(a.at) || compareSequence(b.id, a.id))
  // The first answer of another process starts where the lines of the known ones ended: the next request loads all.
  const newest = isOlder ? before?.newest : before || isFirst ? (data[0]?.at ?? before?.newest) : undefined
  return {
    lines: isOlder ? lines : lines.slice(0, MAX_LINES),
    processes: new Map([...known.processes, [process.id, { ...process, newest }]]),
    hasMore: isOlder || isFirst ? hasMore : known.hasMore || lines.length > MAX_LINES,
  }
}

const sequenceOf = (id: string): number => Number(id.slice(id.lastIndexOf(':') + 1))
const compareSequence = (a: string, b: string): number => sequenceOf(a) - sequenceOf(b)
