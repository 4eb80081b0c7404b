/** A SAML identity provider for tests: it signs with `xml-crypto`, and can answer as hostile ones do. */
import { KeyObject, webcrypto } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'
// Needed by the package that makes certificates.
import 'reflect-metadata'
import { X509CertificateGenerator } from '@peculiar/x509'
import { SignedXml } from 'xml-crypto'
import { DAY, MINUTE } from '../../../../../kernel/base/units.ts'

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const NAME_ID = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ALGORITHMS = {
  sha256: {
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  },
  sha1: {
    signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
  },
} as const

export interface SigningKey {
  readonly key: string
  /** PEM */
  readonly certificate: string
}
const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** @param days from now, when the certificate starts and ends to be valid */
export async function newSigningKey(days: readonly [number, number] = [-1, 365], bits = 2048): Promise<SigningKey> {
  const publicExponent = new Uint8Array([1, 0, 1])
  const keys = await webcrypto.subtle.generateKey({ ...ALGORITHM, modulusLength: bits, publicExponent }, true, [
    'sign',
    'verify',
  ])
  const [notBefore, notAfter] = days.map(each => new Date(Date.now() + each * DAY))
  const generated = await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=login.acme.test', notBefore, notAfter, signingAlgorithm: ALGORITHM, keys } as never,
    webcrypto as never,
  )
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { key: String(key), certificate: generated.toString('pem') }
}

/** What a response says. By default what is right. */
export interface Answer {
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, readonly string[]>>
  readonly issuer?: string
  readonly audience?: string
  readonly recipient?: string
  readonly destination?: string
  /** The attribute of the response. */
  readonly inResponseTo?: string
  /** The attribute of the signed assertion. */
  readonly subjectInResponseTo?: string
  /** Milliseconds from now. */
  readonly notBefore?: number
  readonly notOnOrAfter?: number
  readonly signs?: 'assertion' | 'response' | 'both' | 'nothing'
  readonly signer?: SigningKey
  readonly hash?: keyof typeof ALGORITHMS
  readonly status?: string
  /** Changes the XML that is signed. */
  beforeSigning?(xml: string): string
  /** Changes the XML after it was signed. */
  tamper?(xml: string): string
}
/** What a browser posts. */
export interface Post {
  /** Path of the address. */
  readonly path: string
  readonly response: string
}
export interface IdentityProvider {
  readonly entityId: string
  readonly metadataUrl: string
  signer: SigningKey
  /** What its sign-in page answers. */
  person: Answer
  /** The certificates that the metadata contains. */
  certificates: readonly string[]
  metadata(): string
  /** Its sign-in page for a request: a form that posts the answer. */
  page(path: string): string
  /** The answer to the request at which a browser arrives. */
  answer(location: string, answer?: Answer): Post
  stop(): Promise<void>
}

const attributeIn = (xml: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(xml)?.[1] ?? ''

/** ID and address of a request, and who sent it. */
export function readRequest(location: string): { id: string; acs: string; issuer: string; forceAuthn: boolean } {
  const text = new URL(location).searchParams.get('SAMLRequest') ?? ''
  const xml = inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')
  const issuer = /Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? ''
  const forceAuthn = attributeIn(xml, 'ForceAuthn') === 'true'
  return { id: attributeIn(xml, 'ID'), acs: attributeIn(xml, 'AssertionConsumerServiceURL'), issuer, forceAuthn }
}

const timeIn = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

function sign(xml: string, element: string, { key, certificate }: SigningKey, hash: keyof typeof ALGORITHMS): string {
  const { signatureAlgorithm, digestAlgorithm } = ALGORITHMS[hash]
  const signer = new SignedXml({ privateKey: key, publicCert: certificate, signatureAlgorithm })
  signer.canonicalizationAlgorithm = EXCLUSIVE
  const transforms = ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE] as const
  const xpath = `//*[local-name(.)='${element}']`
  signer.addReference({ xpath, transforms, digestAlgorithm })
  signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const server = createServer(({ url: path = '' }, response) => {
    if (!path.startsWith('/sign-in')) return response.end(provider.metadata())
    response.setHeader('content-type', 'text/html')
    response.end(provider.page(path))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const signer = await newSigningKey()

  function respond(location: string, answer: Answer): string {
    const { id, acs, issuer: audience } = readRequest(location)
    const {
      nameId = 'a-subject',
      nameIdFormat = NAME_ID,
      attributes = {},
      issuer = provider.entityId,
      inResponseTo = id,
      notBefore = -1000,
      notOnOrAfter = 5 * MINUTE,
      signs = 'assertion',
      hash = 'sha256',
      status = 'Success',
    } = answer
    const isSuccess = status === 'Success'
    const values = Object.entries(attributes).map(
      ([name, all]) =>
        `<saml:Attribute Name="${name}">${all.map(value => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    const window = `NotOnOrAfter="${timeIn(notOnOrAfter)}"`
    const assertion = `<saml:Assertion xmlns:saml="${ASSERTION}" ID="_a${Date.now()}" Version="2.0" IssueInstant="${timeIn(0)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${BEARER}"><saml:SubjectConfirmationData InResponseTo="${answer.subjectInResponseTo ?? inResponseTo}" Recipient="${answer.recipient ?? acs}" ${window}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${timeIn(notBefore)}" ${window}><saml:AudienceRestriction><saml:Audience>${answer.audience ?? audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${timeIn(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>${values.length > 0 ? `<saml:AttributeStatement>${values.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`
    const request = inResponseTo === '' ? '' : ` InResponseTo="${inResponseTo}"`
    const unsigned = `<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="_r${Date.now()}" Version="2.0" IssueInstant="${timeIn(0)}" Destination="${answer.destination ?? acs}"${request}><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${isSuccess ? assertion : ''}</samlp:Response>`
    const by = answer.signer ?? provider.signer
    const given = answer.beforeSigning?.(unsigned) ?? unsigned
    const inner = isSuccess && (signs === 'assertion' || signs === 'both') ? sign(given, 'Assertion', by, hash) : given
    return signs === 'response' || signs === 'both' ? sign(inner, 'Response', by, hash) : inner
  }

  const provider: IdentityProvider = {
    entityId: 'https://login.acme.test/saml',
    metadataUrl: `${url}/metadata`,
    signer,
    certificates: [signer.certificate],
    person: {},
    metadata() {
      const keys = provider.certificates.map(
        certificate =>
          `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
      )
      return `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${provider.entityId}"><md:IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">${keys.join('')}<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/sign-in?realm=acme"/></md:IDPSSODescriptor></md:EntityDescriptor>`
    },
    answer(location, answer = {}) {
      const { tamper = xml => xml } = answer
      const response = Buffer.from(tamper(respond(location, answer))).toString('base64')
      return { path: new URL(readRequest(location).acs).pathname, response }
    },
    page(path) {
      const location = new URL(path, url).href
      const { response } = provider.answer(location, provider.person)
      const field = `<input type="hidden" name="SAMLResponse" value="${response}">`
      return `<!doctype html><title>Acme</title><form method="post" action="${readRequest(location).acs}">${field}<button>Continue as ${provider.person.nameId}</button></form>`
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
  return provider
}
