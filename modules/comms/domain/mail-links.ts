/** Signed links inside a mail's data: made when the mail is made, never stored. */
import type { Product, Secrets } from 'larder/kernel'
import type { MailLink } from '../ports.ts'
import { problems } from '../problems.ts'

type MailData = Readonly<Record<string, unknown>>
type Reached = Pick<Product, 'publicUrl'>

const isLink = (value: object): value is MailLink => '$link' in value

/** The data with each MailLink replaced by its address. */
export const resolveLinks = (data: MailData, secrets: Secrets, product: Reached): MailData =>
  replaced(data, ({ path, purpose, id, version }) => {
    const token = `${id}.${version}.${secrets.sign(purpose, id, String(version))}`
    return `${address(path, product)}?token=${encodeURIComponent(token)}`
  })

/** The same without the tokens: good enough to see whether a template can be filled. */
export const unsignedLinks = (data: MailData, product: Reached): MailData =>
  replaced(data, ({ path }) => address(path, product))

function replaced(data: MailData, make: (link: MailLink['$link']) => string): MailData {
  const walk = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (isLink(value)) return make(value.$link)
    if (Array.isArray(value)) return value.map(walk)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, walk(entry)]))
  }
  return walk(data) as MailData
}

function address(path: string, { publicUrl }: Reached): string {
  if (!path.startsWith('/')) throw new Error(`the path '${path}' of a mail link must begin with /`)
  return publicUrl + path
}

/** Who calls the API must not have links signed: throws problem `link_in_data` on any name that begins with `$`. */
export function refuseLinks(value: unknown, pointer = '/data'): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, entry] of Object.entries(value)) {
    const errors = [{ pointer: `${pointer}/${key}`, code: 'not_allowed', detail: 'a name here must not begin with $' }]
    if (key.startsWith('$')) throw problems.link_in_data({ key }, { errors })
    refuseLinks(entry, `${pointer}/${key}`)
  }
}
