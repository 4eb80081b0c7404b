/** Attributes that rules can match: those of the server, and those of the client's context. Pure. */
import type { Lookup } from './conditions.ts'

/** Attributes of the caller, determined by the server. Client attributes of the same names are ignored. */
export interface ServerAttributes {
  readonly tenant: string
  /** Key of the tenant's plan; undefined in a recipe without billing. */
  readonly plan: string | undefined
  readonly roles: readonly string[]
  readonly userId: string | undefined
}
/** Sent by the client: `targetingKey` and any other attribute. */
export type ClientContext = Readonly<Record<string, unknown>>

/** The subject that a flag is evaluated for. The server sets everything but `context`. */
export interface Subject {
  readonly tenantId: string
  readonly userId?: string | undefined
  readonly roles?: readonly string[]
  readonly context?: ClientContext | undefined
}

/** Characters of a text, entries of a list. A longer attribute counts as missing: a thousand rules may test it. */
const MAX_TEXT_LENGTH = 2_000
const MAX_LIST_LENGTH = 200

const isServerAttribute = (name: string): name is keyof ServerAttributes =>
  name === 'tenant' || name === 'plan' || name === 'roles' || name === 'userId'

/** `address.country` also reaches into an attribute `address`, unless an attribute has the whole name. */
export const createLookup =
  (server: ServerAttributes, client: ClientContext): Lookup =>
  name => {
    if (isServerAttribute(name)) return server[name]
    if (Object.hasOwn(client, name)) return bounded(client[name])
    return name.includes('.') ? bounded(valueAt(client, name.split('.'))) : undefined
  }

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? undefined : value
  if (!Array.isArray(value)) return value
  return value.length > MAX_LIST_LENGTH
    ? undefined
    : value.map(entry => (Array.isArray(entry) ? undefined : bounded(entry)))
}

function valueAt(context: ClientContext, path: readonly string[]): unknown {
  let found: unknown = context
  for (const key of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, key)) return
    found = (found as ClientContext)[key]
  }
  return found
}
