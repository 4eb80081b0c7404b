/**
 * Verifies responses of SAML with `@node-saml/node-saml`, in a worker thread: the time that a signature takes grows with
 * the square of the elements of the response, once for each certificate. It imports nothing of the kernel.
 */
import type { SamlConfig } from '@node-saml/node-saml'
import { groupsOf } from './domain/sso-roles.ts'
import type { SamlPerson } from './records.ts'

const CLOCK_SKEW_MS = 60_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
/** Names of the attribute with the address, at Entra ID, Okta, Keycloak, Google and Shibboleth. */
const EMAILS = ['email', 'mail', 'emailAddress', `${CLAIMS}/emailaddress`, 'urn:oid:0.9.2342.19200300.100.1.3']
const NAMES = [
  'displayName',
  'name',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
]
const NAME_PARTS = [
  ['firstName', 'lastName'],
  ['givenName', 'surname'],
  ['urn:oid:2.5.4.42', 'urn:oid:2.5.4.4'],
  [`${CLAIMS}/givenname`, `${CLAIMS}/surname`],
] as const

/** A response, and what it has to be. */
export interface SamlVerification {
  /** In base64. */
  readonly encoded: string
  readonly requestId: string
  readonly entityId: string
  readonly acsUrl: string
  readonly signInUrl: string
  /** Entity ID of the provider. */
  readonly issuer: string
  /** PEM; the valid ones. */
  readonly certificates: readonly string[]
  readonly emailAttribute: string | null
  readonly groupsClaim: string
}
/** `refused`: a sentence for the owner of the workspace. */
export type SamlVerdict = { readonly person: SamlPerson } | { readonly refused: string }

/** An element as the library reads it: attributes in `$`, the text in `_`, and lists of its elements. */
type Element = Readonly<Record<string, unknown>>

class Refusal extends Error {}

/** The settings of requests and of responses. */
export const samlConfig = ({
  entityId,
  acsUrl,
  signInUrl,
  certificates,
  requestId,
}: Pick<SamlVerification, 'entityId' | 'acsUrl' | 'signInUrl' | 'certificates' | 'requestId'>) => ({
  issuer: entityId,
  callbackUrl: acsUrl,
  entryPoint: signInUrl,
  idpCert: [...certificates],
  wantAssertionsSigned: true,
  // The provider decides which identifier it sends.
  identifierFormat: null,
  // The signature of the whole response would not replace that of the assertion.
  wantAuthnResponseSigned: false,
  // The provider decides how people prove who they are.
  disableRequestedAuthnContext: true,
  acceptedClockSkewMs: CLOCK_SKEW_MS,
  generateUniqueId: () => requestId,
})

export async function verifySaml(verification: SamlVerification): Promise<SamlVerdict> {
  const { encoded, requestId, acsUrl, issuer } = verification
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
  const options: SamlConfig = {
    ...samlConfig(verification),
    validateInResponseTo: ValidateInResponseTo.always,
    // The row of the request says whether it expired or was answered.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async id => (id === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  }
  try {
    const { profile } = await new SAML(options).validatePostResponseAsync({ SAMLResponse: encoded }).catch(refuse)
    const assertion = profile?.getAssertion?.().Assertion as Element | undefined
    if (!assertion) throw new Refusal('The response contains no assertion.')
    assertFor(assertion, { requestId, acsUrl, issuer })
    return { person: personOf(verification, assertion) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}

/** The sentences of the library, with what would be right. */
function refuse(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('Invalid signature') || message.startsWith('Cannot obtain assertion'))
    throw new Refusal(
      'The assertion has no valid signature of a certificate that is entered here. Turn the signature of assertions on at the provider, and enter its current certificate.',
    )
  if (/expired|not yet valid|subject confirmation/.test(message))
    throw new Refusal(`${message}. Compare the clocks of the provider and of this server.`)
  throw new Refusal(message)
}

const elements = (parent: Element | undefined, name: string): readonly Element[] => {
  const found = parent?.[name]
  return Array.isArray(found) ? found : []
}
const attributeOf = (element: Element | undefined, name: string): unknown =>
  (element?.$ as Readonly<Record<string, unknown>> | undefined)?.[name]
const textOf = (element: Element | undefined): string => (typeof element?._ === 'string' ? element._.trim() : '')

/** What the library leaves to its user: the assertion is of this provider, for this request, and for this address. */
function assertFor(assertion: Element, expected: { requestId: string; acsUrl: string; issuer: string }): void {
  const issuer = textOf(elements(assertion, 'Issuer')[0])
  if (issuer !== expected.issuer) throw new Refusal(`The assertion is of another issuer: ${issuer}.`)
  const [subject, ...others] = elements(assertion, 'Subject')
  const confirmations = elements(subject, 'SubjectConfirmation')
  const [confirmation] = confirmations
  if (others.length > 0 || confirmations.length !== 1 || attributeOf(confirmation, 'Method') !== BEARER)
    throw new Refusal('The assertion needs one subject with one confirmation by the bearer method.')
  const [data] = elements(confirmation, 'SubjectConfirmationData')
  const recipient = attributeOf(data, 'Recipient')
  if (recipient !== expected.acsUrl)
    throw new Refusal(`The assertion is for another recipient: ${recipient ?? 'none'}. It must be ${expected.acsUrl}.`)
  if (attributeOf(data, 'InResponseTo') !== expected.requestId)
    throw new Refusal('The assertion answers another request.')
}

function personOf({ emailAttribute, groupsClaim }: SamlVerification, assertion: Element): SamlPerson {
  const [nameId] = elements(elements(assertion, 'Subject')[0], 'NameID')
  const subject = textOf(nameId)
  const format = attributeOf(nameId, 'Format')
  if (subject === '') throw new Refusal('The assertion has no NameID.')
  if (format === TRANSIENT)
    throw new Refusal(
      'The NameID is another one at each sign-in. Choose a persistent one, or the address, at the provider.',
    )
  const attributes = attributesOf(assertion)
  const first = (names: readonly string[]): string | null =>
    names.flatMap(name => attributes.get(name) ?? [])[0] ?? null
  const address = emailAttribute === null ? first(EMAILS) : first([emailAttribute])
  const [names] = NAME_PARTS.map(parts => parts.flatMap(part => first([part]) ?? [])).filter(({ length }) => length > 0)
  const claims = {
    NameID: subject,
    ...(typeof format === 'string' && { 'NameID format': format }),
    ...Object.fromEntries(attributes),
  }
  return {
    subject,
    email: address ?? (emailAttribute === null && subject.includes('@') ? subject : null),
    name: first(NAMES) ?? names?.join(' ') ?? null,
    groups: groupsOf(claims, groupsClaim)?.slice() ?? null,
    claims,
    authnInstant: latestInstant(assertion),
  }
}

/** When the person proved who they are, as the provider says. */
function latestInstant(assertion: Element): string | null {
  const instants = elements(assertion, 'AuthnStatement').flatMap(each => {
    const instant = attributeOf(each, 'AuthnInstant')
    return typeof instant === 'string' && !Number.isNaN(Date.parse(instant)) ? [instant] : []
  })
  return instants.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1) ?? null
}

/** Texts of the attributes. A provider may send one attribute with several values, or several with one. */
function attributesOf(assertion: Element): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const statement of elements(assertion, 'AttributeStatement'))
    for (const attribute of elements(statement, 'Attribute')) {
      const name = attributeOf(attribute, 'Name')
      if (typeof name !== 'string') continue
      const values = elements(attribute, 'AttributeValue')
        .map(textOf)
        .filter(value => value !== '')
      found.set(name, [...(found.get(name) ?? []), ...values])
    }
  return found
}
