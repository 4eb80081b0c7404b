/**
 * How many runs of automations led to a request of this product. The header lets a circle through another system, or
 * through the product's own API, end as one of events does. Only this product can write it.
 */
import type { Secrets } from './secrets.ts'

/** The request header that names, and signs, how many runs of automations led to the request. */
export const CAUSE_HEADER = 'larder-cause'
const PURPOSE = 'cause of a request'
const FORM = /^(\d{1,4})\.([\w-]{1,100})$/

/** The headers of a request to another system; none if no run led to it. */
export const causeHeaders = (secrets: Pick<Secrets, 'sign'>, depth = 0): Readonly<Record<string, string>> =>
  depth === 0 ? {} : { [CAUSE_HEADER]: `${depth}.${secrets.sign(PURPOSE, String(depth))}` }

/** 0 for a header that this product hasn't written. */
export function depthOfCause(secrets: Pick<Secrets, 'verify'>, header: unknown): number {
  const [, depth = '', signature = ''] = (typeof header === 'string' && FORM.exec(header)) || []
  return depth !== '' && secrets.verify(signature, PURPOSE, depth) ? Number(depth) : 0
}
