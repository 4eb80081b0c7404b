/** Finds problems that routes return although the API document doesn't have them. */
import type { Problem } from '@larder-dev/larder/kernel'
import type { Logger } from 'pino'
import { declaredCodes } from '../documents/openapi/failures.ts'
import type { Endpoint } from '../types.ts'

export interface UndeclaredProblems {
  /** Warns once for each code of an endpoint. */
  check(endpoint: Endpoint | undefined, problem: Problem): void
  /** `POST /v1/forms: form_full`. */
  list(): readonly string[]
}

export function createUndeclaredProblems(log: Logger): UndeclaredProblems {
  const declared = new Map<Endpoint, ReadonlySet<string>>()
  const found = new Set<string>()
  return {
    list: () => [...found],
    check(endpoint, { code }) {
      if (endpoint?.kind !== 'route' && endpoint?.kind !== 'raw') return
      const codes = declared.get(endpoint) ?? declaredCodes(endpoint)
      declared.set(endpoint, codes)
      const name = `${endpoint.method} ${endpoint.path}: ${code}`
      if (codes.has(code) || found.has(name)) return
      found.add(name)
      log.warn({ method: endpoint.method, path: endpoint.path, code }, 'a route returned an undeclared problem')
    },
  }
}
