/** What rules may ask about: facts of the server, and what the client says of itself. Pure. */
import type { Lookup } from './conditions.ts'

/** What the server knows of who asks. A client's own attributes of these names count for nothing. */
export interface Facts {
  readonly tenant: string
  /** Key of the tenant's plan; undefined where nothing is sold. */
  readonly plan: string | undefined
  readonly roles: readonly string[]
  readonly userId: string | undefined
}
/** Of the client: `targetingKey` and whatever else. */
export type Context = Readonly<Record<string, unknown>>

/** Characters of a text, entries of a list: what is longer is no attribute, and costs no time in a thousand rules. */
const LONGEST_TEXT = 2_000
const LONGEST_LIST = 200

const isFact = (name: string): name is keyof Facts =>
  name === 'tenant' || name === 'plan' || name === 'roles' || name === 'userId'

/** `address.country` is found in an attribute `address` too, where none has that whole name. */
export const lookupIn =
  (facts: Facts, context: Context): Lookup =>
  name => {
    if (isFact(name)) return facts[name]
    if (Object.hasOwn(context, name)) return bounded(context[name])
    return name.includes('.') ? bounded(within(context, name.split('.'))) : undefined
  }

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? undefined : value
  if (!Array.isArray(value)) return value
  return value.length > LONGEST_LIST
    ? undefined
    : value.map(entry => (Array.isArray(entry) ? undefined : bounded(entry)))
}

function within(context: Context, path: readonly string[]): unknown {
  let found: unknown = context
  for (const step of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found) || !Object.hasOwn(found, step)) return
    found = (found as Context)[step]
  }
  return found
}
