/** Finds the entrance that an address means. */

import findMyWay from 'find-my-way'
import { common, withHeaders } from 'larder/kernel'
import { preflight } from './headers.ts'
import type { Params, Serve } from './pipeline.ts'
import type { Exchange } from './request-context.ts'
import type { Answers } from './response-writer.ts'
import type { Entrance } from './types.ts'

export interface Router {
  /** Throws an Error that names both where two entrances have one method and path. */
  add(entrance: Entrance, serve: Serve): void
  dispatch(x: Exchange): void
  inventory(): readonly Entrance[]
  has(method: string, path: string): boolean
}

interface Door {
  readonly entrance: Entrance
  readonly serve: Serve
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type HttpMethod = (typeof METHODS)[number]
const isMethod = (method: string): method is HttpMethod => METHODS.some(known => known === method)

export function createRouter(answers: Answers, unknown: Serve): Router {
  const ways = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 512, onBadUrl: () => undefined })
  const doors: Door[] = []
  /** By method and shape. */
  const taken = new Map<string, Entrance>()

  const failed = (x: Exchange) => (error: unknown) => answers.fail(x, error)

  function dispatch(x: Exchange): void {
    const method = x.method === 'HEAD' ? 'GET' : x.method
    const found = isMethod(method) ? ways.find(method, x.path) : null
    const door = found?.store as Door | null | undefined
    if (door) {
      x.pattern = door.entrance.path
      door.serve(x, found?.params as Params).catch(failed(x))
    } else if (found) {
      // Only an escape that is not UTF-8 is found without a door.
      answers.fail(x, common.malformed({ reason: 'The address has an escape that is not UTF-8.' }))
    } else otherwise(x)
  }

  function otherwise(x: Exchange): void {
    const allowed = METHODS.filter(method => ways.find(method, x.path) !== null)
    if (allowed.length === 0) {
      unknown(x, {}).catch(failed(x))
      return
    }
    const allow = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (x.method === 'OPTIONS') answers.send(x, 204, '', undefined, { allow, ...preflight(allowed) })
    else answers.fail(x, withHeaders(common.method_not_allowed({ method: x.method, allowed: allow }), { allow }))
  }

  return {
    dispatch,
    inventory: () => doors.map(door => door.entrance),
    has: (method, path) => taken.has(shape(method, path)),
    add(entrance, serve) {
      const key = shape(entrance.method, entrance.path)
      const other = taken.get(key)
      if (other)
        throw new Error(`${entrance.method} ${entrance.path} is declared by ${other.module} and by ${entrance.module}`)
      const door: Door = { entrance, serve }
      doors.push(door)
      taken.set(key, entrance)
      ways.on(entrance.method as HttpMethod, entrance.path, () => undefined, door)
    },
  }
}

/** Names of parameters do not tell two paths apart. */
const shape = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`
