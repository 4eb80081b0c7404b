/** What providers say about people, in the form in which the same values of requests are accepted. Pure. */
import { Type } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { Email, Name, WayLabel } from '../../../domain/fields.ts'

type Claims = Readonly<Record<string, unknown>>

/** Longer texts are no addresses and no names. */
const MAX_LENGTH = 1024
/** Hosts of the issuers of Entra ID, in all clouds of Microsoft. */
const ENTRA_HOST = /(^|\.)(login\.microsoftonline\.(com|us|de)|login\.partner\.microsoftonline\.cn|sts\.windows\.net)$/

const { body } = createValidator()

function reader(schema: typeof Email): (value: unknown) => string | undefined {
  const check = body(Type.Object({ value: schema }))
  return value => {
    if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined
    try {
      return (check({ value }) as { readonly value: string }).value
    } catch {
      return undefined
    }
  }
}
/** An address, as in every request. Undefined for what isn't one. */
export const providedEmail = reader(Email)
/** The name of a person. Undefined for what no person could enter. */
export const providedName = reader(Name)
export const providedLabel = reader(WayLabel)

/** Apple returns texts, and Microsoft numbers. */
export const isTrue = (claim: unknown): boolean => claim === true || claim === 'true' || claim === 1 || claim === '1'

const isMissing = (claim: unknown): boolean => claim === undefined || claim === null

/**
 * Whether the provider says that the address is the person's. Undefined if it says nothing. In directories of Entra ID,
 * an address can be any text, unless its domain is verified there (`xms_edov`).
 */
export function isAddressVerified({
  iss,
  email_verified: verified,
  xms_edov: ownsDomain,
}: Claims): boolean | undefined {
  if (!isMissing(verified) && !isTrue(verified)) return false
  if (!isMissing(ownsDomain) || isEntra(iss)) return isTrue(ownsDomain)
  return isMissing(verified) ? undefined : true
}

export const isEntra = (issuer: unknown): boolean =>
  typeof issuer === 'string' && URL.canParse(issuer) && ENTRA_HOST.test(new URL(issuer).hostname)

/** PostgreSQL stores no null characters and no halves of a pair. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** `JSON.stringify` of what PostgreSQL can store. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? storable(each) : each))
