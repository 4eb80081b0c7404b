/** Signed links in template data. Their tokens are created when the email is rendered, and never stored. */
import type { Product, Secrets } from '@larder-dev/larder/kernel'
import type { MailLink } from '../ports.ts'
import { problems } from '../problems.ts'

type MailData = Readonly<Record<string, unknown>>
type Site = Pick<Product, 'publicUrl'>

const isLink = (value: object): value is MailLink => '$link' in value

/** Replaces each MailLink with its signed URL. */
export const signLinks = (data: MailData, secrets: Secrets, product: Site): MailData =>
  replaceLinks(data, ({ path, purpose, id, version }) => {
    const token = `${id}.${version}.${secrets.sign(purpose, id, String(version))}`
    return `${urlOf(path, product)}?token=${encodeURIComponent(token)}`
  })

/** Replaces each MailLink with its URL without a token, which is sufficient to check a template. */
export const unsignedLinks = (data: MailData, product: Site): MailData =>
  replaceLinks(data, ({ path }) => urlOf(path, product))

function replaceLinks(data: MailData, make: (link: MailLink['$link']) => string): MailData {
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (isLink(value)) return make(value.$link)
    if (Array.isArray(value)) return value.map(visit)
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, visit(entry)]))
  }
  return visit(data) as MailData
}

function urlOf(path: string, { publicUrl }: Site): string {
  if (!path.startsWith('/')) throw new Error(`the path '${path}' of a mail link must start with /`)
  return publicUrl + path
}

/** API callers can't request signed links. Throws `link_in_data` on any name that starts with `$`. */
export function rejectSignedLinks(value: unknown, pointer = '/data'): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, entry] of Object.entries(value)) {
    const errors = [{ pointer: `${pointer}/${key}`, code: 'not_allowed', detail: 'names must not start with $' }]
    if (key.startsWith('$')) throw problems.link_in_data({ key }, { errors })
    rejectSignedLinks(entry, `${pointer}/${key}`)
  }
}
