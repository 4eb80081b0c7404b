/** The ports that the HTTP service uses, in one place. */
import type { Deps } from '@larder-dev/larder/kernel'

export const needs = [
  'settings',
  'log',
  'clock',
  'product',
  'secrets',
  'database',
  'systemDatabase',
  'bus',
  'operator',
  'access',
  'registry',
  'theme',
  'process',
] as const
export const optional = ['authenticator'] as const

export type HttpDeps = Deps<(typeof needs)[number], (typeof optional)[number]>

/** Without the ports that the service itself provides: they can't be read while they are created. */
export const onlyNeeds = (deps: HttpDeps): HttpDeps =>
  Object.fromEntries([...needs, ...optional].map(name => [name, deps[name]])) as HttpDeps
