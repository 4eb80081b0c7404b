/** Signed links and codes in template data. They are created when the email is rendered, and never stored. */
import { fieldError, type Product, type Secrets, wording } from '@larder-dev/larder/kernel'
import type { MailCode, MailLink } from '../ports.ts'
import { problems } from '../problems.ts'

type MailData = Readonly<Record<string, unknown>>
type Site = Pick<Product, 'publicUrl'>

const isCode = (value: object): value is MailCode => '$code' in value
const isLink = (value: object): value is MailLink => '$link' in value

/** Replaces each MailLink with its signed URL, and each MailCode with its digits. */
export const signLinks = (data: MailData, secrets: Secrets, product: Site): MailData =>
  replaceSecrets(data, {
    link({ path, purpose, id, version }) {
      const token = `${id}.${version}.${secrets.sign(purpose, id, String(version))}`
      return `${urlOf(path, product)}?token=${encodeURIComponent(token)}`
    },
    code: ({ purpose, id }) => secrets.code(purpose, id),
  })

/** Replaces each MailLink with its URL without a token, and each MailCode with zeros: sufficient to check a template. */
export const unsignedLinks = (data: MailData, product: Site): MailData =>
  replaceSecrets(data, { link: ({ path }) => urlOf(path, product), code: () => '000000' })

interface Replacements {
  link(link: MailLink['$link']): string
  code(code: MailCode['$code']): string
}
function replaceSecrets(data: MailData, { link, code }: Replacements): MailData {
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (isLink(value)) return link(value.$link)
    if (isCode(value)) return code(value.$code)
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
    const errors = [fieldError(`${pointer}/${key}`, 'not_allowed', wording('names must not start with $'))]
    if (key.startsWith('$')) throw problems.link_in_data({ key }, { errors })
    rejectSignedLinks(entry, `${pointer}/${key}`)
  }
}
