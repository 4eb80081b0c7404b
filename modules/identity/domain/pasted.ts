/** Settings that people paste from the console of a provider, with what surrounds them there. Pure. */
import { trimmed, wording } from '@larder-dev/larder/kernel'

const DISCOVERY = /\/\.well-known\/(openid-configuration|oauth-authorization-server)\/?$/
const EVERY_DIRECTORY = /^https:\/\/login\.microsoftonline\.(com|us)\/(common|organizations|consumers)(\/|$)/i
const PEM = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----([^-]*)-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g

/** The issuer, also of the address of its discovery document. */
export const pastedIssuer = (text: string): string => trimmed(text).replace(DISCOVERY, '')

/** Whether the issuer signs in people of every directory of Microsoft, who can have any address. */
export const namesEveryDirectory = (issuer: string): boolean => EVERY_DIRECTORY.test(issuer)
export const ONE_DIRECTORY = wording(
  'must be that of one directory, such as https://login.microsoftonline.com/<directory ID>/v2.0',
)

/** The domain of an address of a site, or as name servers write it. */
export const pastedDomain = (text: string): string =>
  trimmed(text)
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .replace(/^@|\.$/g, '')

/** Certificates of a text in PEM, also with other text around them, or one in base64 as in metadata. */
export function pastedCertificates(text: string): readonly string[] {
  const blocks = [...text.matchAll(PEM)].map(([, base64 = '']) => base64)
  return blocks.length > 0 ? blocks : [text]
}
