/** Requests to providers of SAML and their responses, by `@node-saml/node-saml`. */
import { type Deps, importOptional, MINUTE } from '@larder-dev/larder/kernel'
import type { SamlConfig } from '@node-saml/node-saml'
import { isValidAt } from '../../domain/certificates.ts'
import type { ResponseOutline } from '../../domain/saml-xml.ts'
import { groupsOf } from '../../domain/sso-roles.ts'
import type { SamlPerson } from '../../records/sso.ts'
import { SSO } from '../sign-in/sign-in-methods.ts'
import type { OpenSsoConnection } from './sso-connections.ts'

/** By how much the clock of a provider may differ. */
const CLOCK_SKEW_MS = 1 * MINUTE
/** How long a person may take at the provider. */
export const REQUEST_TTL_MS = 10 * MINUTE
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

/** A response that is refused. Its message is for the owner of the workspace. */
export class SamlRefusal extends Error {
  /** Whether no certificate of the provider is valid. */
  readonly isExpired: boolean
  constructor(message: string, isExpired = false) {
    super(message)
    this.isExpired = isExpired
  }
}

/** What a browser posted. */
export interface SamlResponse {
  /** In base64. */
  readonly encoded: string
  readonly outline: ResponseOutline
}
export interface SamlClient {
  /**
   * The entity ID and the address for responses of a workspace. Each is a service provider of its own, so that no
   * assertion is for two of them.
   */
  addresses(tenantId: string): { readonly entityId: string; readonly acsUrl: string }
  /** The XML that a provider reads about the workspace. */
  metadata(tenantId: string): Promise<string>
  /** Where the browser goes. Throws `SamlRefusal` if no certificate could verify the response. */
  signInUrl(connection: OpenSsoConnection, requestId: string): Promise<string>
  /** Verifies the response to a request. Throws `SamlRefusal`. */
  verify(connection: OpenSsoConnection, requestId: string, response: SamlResponse): Promise<SamlPerson>
}
type Needs = Deps<'product' | 'clock'>
/** An element as the library reads it: attributes in `$`, the text in `_`, and lists of its elements. */
type Element = Readonly<Record<string, unknown>>

const library = () => importOptional('@node-saml/node-saml', () => import('@node-saml/node-saml'))

export function createSamlClient({ product, clock }: Needs): SamlClient {
  const addresses: SamlClient['addresses'] = tenantId => {
    const base = `${product.publicUrl}/sign-in/${SSO}/${tenantId}`
    return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` }
  }

  function optionsFor(tenantId: string) {
    const { entityId, acsUrl } = addresses(tenantId)
    // The provider decides which identifier it sends.
    return { issuer: entityId, callbackUrl: acsUrl, wantAssertionsSigned: true, identifierFormat: null }
  }

  async function createSaml({ tenantId, saml }: OpenSsoConnection, requestId: string) {
    if (!saml) throw new Error('the connection has no provider of SAML')
    const { SAML, ValidateInResponseTo } = await library()
    const valid = saml.certificates.filter(certificate => isValidAt(certificate, clock.now()))
    if (valid.length === 0)
      throw new SamlRefusal('No certificate of the provider is valid. Enter its current certificate.', true)
    const options: SamlConfig = {
      ...optionsFor(tenantId),
      entryPoint: saml.signInUrl,
      idpCert: valid.map(({ pem }) => pem),
      // The signature of the whole response would not replace that of the assertion.
      wantAuthnResponseSigned: false,
      // The provider decides how people prove who they are.
      disableRequestedAuthnContext: true,
      acceptedClockSkewMs: CLOCK_SKEW_MS,
      validateInResponseTo: ValidateInResponseTo.always,
      requestIdExpirationPeriodMs: REQUEST_TTL_MS,
      generateUniqueId: () => requestId,
      // The row of the request says whether it expired or was answered.
      cacheProvider: {
        saveAsync: async () => null,
        getAsync: async id => (id === requestId ? new Date().toISOString() : null),
        removeAsync: async () => null,
      },
    }
    return new SAML(options)
  }

  return {
    addresses,

    async metadata(tenantId) {
      const { generateServiceProviderMetadata } = await library()
      return generateServiceProviderMetadata({ ...optionsFor(tenantId), generateUniqueId: () => `_${tenantId}` })
    },

    signInUrl: async (connection, requestId) =>
      (await createSaml(connection, requestId)).getAuthorizeUrlAsync('', undefined, {}),

    async verify(connection, requestId, { encoded, outline }) {
      const { acsUrl } = addresses(connection.tenantId)
      if (outline.isEncrypted)
        throw new SamlRefusal('The provider encrypts its assertions. Turn the encryption off there.')
      if (outline.weakAlgorithm !== undefined)
        throw new SamlRefusal(`The provider signs with ${outline.weakAlgorithm}. Choose SHA-256 there.`)
      if (outline.destination !== undefined && outline.destination !== acsUrl)
        throw new SamlRefusal(`The response is for another address: ${outline.destination}.`)
      const saml = await createSaml(connection, requestId)
      const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded }).catch(refuse)
      const assertion = profile?.getAssertion?.().Assertion as Element | undefined
      if (!assertion) throw new SamlRefusal('The response contains no assertion.')
      assertFor(assertion, { requestId, acsUrl, issuer: connection.issuer })
      return personOf(connection, assertion)
    },
  }
}

/** The sentences of the library, with what would be right. */
function refuse(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('Invalid signature') || message.startsWith('Cannot obtain assertion'))
    throw new SamlRefusal(
      'The assertion has no valid signature of a certificate that is entered here. Turn the signature of assertions on at the provider, and enter its current certificate.',
    )
  if (/expired|not yet valid|subject confirmation/.test(message))
    throw new SamlRefusal(`${message}. Compare the clocks of the provider and of this server.`)
  throw new SamlRefusal(message)
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
  if (issuer !== expected.issuer) throw new SamlRefusal(`The assertion is of another issuer: ${issuer}.`)
  const [subject, ...others] = elements(assertion, 'Subject')
  const confirmations = elements(subject, 'SubjectConfirmation')
  const [confirmation] = confirmations
  if (others.length > 0 || confirmations.length !== 1 || attributeOf(confirmation, 'Method') !== BEARER)
    throw new SamlRefusal('The assertion needs one subject with one confirmation by the bearer method.')
  const [data] = elements(confirmation, 'SubjectConfirmationData')
  const recipient = attributeOf(data, 'Recipient')
  if (recipient !== expected.acsUrl)
    throw new SamlRefusal(
      `The assertion is for another recipient: ${recipient ?? 'none'}. It must be ${expected.acsUrl}.`,
    )
  if (attributeOf(data, 'InResponseTo') !== expected.requestId)
    throw new SamlRefusal('The assertion answers another request.')
}

function personOf(connection: OpenSsoConnection, assertion: Element): SamlPerson {
  const [nameId] = elements(elements(assertion, 'Subject')[0], 'NameID')
  const subject = textOf(nameId)
  const format = attributeOf(nameId, 'Format')
  if (subject === '') throw new SamlRefusal('The assertion has no NameID.')
  if (format === TRANSIENT)
    throw new SamlRefusal(
      'The NameID is another one at each sign-in. Choose a persistent one, or the address, at the provider.',
    )
  const attributes = attributesOf(assertion)
  const first = (names: readonly string[]): string | null =>
    names.flatMap(name => attributes.get(name) ?? [])[0] ?? null
  const { emailAttribute = null } = connection.saml ?? {}
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
    groups: groupsOf(claims, connection.groupsClaim)?.slice() ?? null,
    claims,
  }
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
