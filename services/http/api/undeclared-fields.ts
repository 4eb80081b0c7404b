/** Finds fields that handlers return although the reply schema doesn't have them: serialization leaves them out. */
import { type AnyRoute, fieldsLeftOut, isRecord } from '@larder-dev/larder/kernel/internal'
import type { Logger } from 'pino'

export interface UndeclaredFields {
  /** Warns once for each field of a route. */
  check(route: AnyRoute, status: number, body: unknown, sent: string): void
  /** `GET /v1/forms 200: owner.email`. */
  list(): readonly string[]
}

/** Later responses of a route have the same fields, and comparing costs more than serializing. */
const CHECKED_RESPONSES = 3

export function createUndeclaredFields(log: Logger): UndeclaredFields {
  const responses = new Map<string, number>()
  const found = new Set<string>()
  return {
    list: () => [...found],
    check({ method, path, replies }, status, body, sent) {
      const name = `${method.toUpperCase()} /v1${path} ${status}`
      const count = (responses.get(name) ?? 0) + 1
      if (count > CHECKED_RESPONSES) return
      responses.set(name, count)
      const expected = fieldsLeftOut(replies[status])
      const fields = missingFields(JSON.parse(JSON.stringify(body) ?? 'null'), JSON.parse(sent))
      const fresh = fields.filter(field => !expected.has(lastStep(field)) && !found.has(`${name}: ${field}`))
      if (fresh.length === 0) return
      for (const field of fresh) found.add(`${name}: ${field}`)
      log.warn({ method, path, status, fields: fresh }, 'a handler returned fields that the reply schema does not have')
    },
  }
}

const lastStep = (field: string): string => field.slice(field.lastIndexOf('.') + 1)

/** Paths such as `owner.email` and `data[].email` that `returned` has and `sent` doesn't. */
function missingFields(returned: unknown, sent: unknown): readonly string[] {
  return [...new Set(missing(returned, sent, ''))]
}

function missing(returned: unknown, sent: unknown, path: string): string[] {
  if (Array.isArray(returned) && Array.isArray(sent))
    return returned.flatMap((item, index) => missing(item, sent[index], `${path}[]`))
  if (!isRecord(returned) || !isRecord(sent)) return []
  return Object.entries(returned).flatMap(([key, value]) => {
    const field = path === '' ? key : `${path}.${key}`
    return Object.hasOwn(sent, key) ? missing(value, sent[key], field) : [field]
  })
}
