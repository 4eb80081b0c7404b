/** Reads what Larder itself needs of SAML documents. Assertions are read by the library, after it verified them. Pure. */
import { WordedError, type Wording, wording } from '@larder-dev/larder/kernel'
import { type SaxesAttributeNS, SaxesParser } from 'saxes'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const MAX_DEPTH = 64
const MAX_ATTRIBUTES = 64
/**
 * Elements, comments, processing instructions and CDATA sections of a response with a thousand groups. The time in which
 * the library verifies it grows with the square of their number, once for each certificate.
 */
const MAX_NODES = 1500
/** The limit of the metadata of one provider: those of large ones have fewer than a thousand. */
const MAX_METADATA_NODES = 5000
/** Characters. */
const MAX_METADATA_LENGTH = 500_000
const WEAK = /(sha1|md5)$/

/** Its message is the end of a sentence about the document. */
export class SamlXmlError extends WordedError {}

type Attributes = Readonly<Record<string, SaxesAttributeNS>>
interface Element {
  readonly uri: string
  readonly local: string
  readonly attributes: Attributes
}

const attribute = (attributes: Attributes, name: string): string | undefined => attributes[name]?.value

/** Walks through the elements. `visit` may return what receives the text of the element. */
function walk(
  xml: string,
  visit: (element: Element, parents: readonly Element[]) => ((text: string) => void) | undefined,
  maxNodes = Number.POSITIVE_INFINITY,
): void {
  const parser = new SaxesParser({ xmlns: true })
  const open: (Element & { readonly read: ((text: string) => void) | undefined; text: string })[] = []
  const refuse = (reason: Wording): never => {
    throw new SamlXmlError(reason)
  }
  const append = (text: string): void => {
    const element = open.at(-1)
    if (element?.read) element.text += text
  }
  let nodes = 0
  const count = (): void => {
    if (++nodes > maxNodes)
      refuse(wording('has more than {limit} elements, comments and other nodes', { limit: maxNodes }))
  }
  parser.on('error', () => refuse(wording('is not well-formed XML')))
  parser.on('doctype', () => refuse(wording('must have no document type declaration')))
  parser.on('text', append)
  parser.on('comment', count)
  parser.on('processinginstruction', count)
  parser.on('cdata', text => {
    count()
    append(text)
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    count()
    if (open.length >= MAX_DEPTH) refuse(wording('nests elements more than {limit} levels deep', { limit: MAX_DEPTH }))
    if (Object.keys(attributes).length > MAX_ATTRIBUTES)
      refuse(wording('has elements with more than {limit} attributes', { limit: MAX_ATTRIBUTES }))
    const element = { uri, local, attributes }
    open.push({ ...element, read: visit(element, open), text: '' })
  })
  parser.on('closetag', () => {
    const element = open.pop()
    element?.read?.(element.text)
  })
  parser.write(xml.trim()).close()
}

const isIn = (parents: readonly Element[], uri: string, local: string): boolean =>
  parents.some(parent => parent.uri === uri && parent.local === local)

/** What the metadata of a provider says. */
export interface ProviderMetadata {
  /** Entity ID. */
  readonly issuer: string
  readonly signInUrl: string
  /** Base64, as in the document. */
  readonly certificates: readonly string[]
}

/**
 * Reads the metadata of one provider.
 * @param now milliseconds since 1970
 * @throws SamlXmlError
 */
export function readProviderMetadata(xml: string, now: number): ProviderMetadata {
  if (xml.length > MAX_METADATA_LENGTH)
    throw new SamlXmlError(wording('is longer than {limit} characters', { limit: MAX_METADATA_LENGTH }))
  const providers: { issuer: string; signInUrl?: string; certificates: string[] }[] = []
  let issuer = ''
  let isKeyRead = false
  walk(
    xml,
    ({ uri, local, attributes }, parents) => {
      if (uri === METADATA && (local === 'EntityDescriptor' || local === 'EntitiesDescriptor')) {
        const validUntil = attribute(attributes, 'validUntil')
        if (validUntil !== undefined && !(Date.parse(validUntil) > now))
          throw new SamlXmlError(wording('is no longer valid'))
        issuer = attribute(attributes, 'entityID') ?? ''
        return undefined
      }
      if (uri === METADATA && local === 'IDPSSODescriptor') {
        providers.push({ issuer, certificates: [] })
        return undefined
      }
      const provider = isIn(parents, METADATA, 'IDPSSODescriptor') ? providers.at(-1) : undefined
      if (!provider) return undefined
      if (uri === METADATA && local === 'SingleSignOnService' && attribute(attributes, 'Binding') === REDIRECT)
        provider.signInUrl ??= attribute(attributes, 'Location')
      if (uri === METADATA && local === 'KeyDescriptor') isKeyRead = attribute(attributes, 'use') === 'encryption'
      // The first certificate is that of the key. Others are those of its issuers.
      if (uri !== SIGNATURE || local !== 'X509Certificate' || isKeyRead) return undefined
      isKeyRead = true
      return text => void provider.certificates.push(text)
    },
    MAX_METADATA_NODES,
  )
  const [provider] = providers
  if (!provider) throw new SamlXmlError(wording('describes no identity provider'))
  if (providers.length > 1) throw new SamlXmlError(wording('describes several identity providers'))
  if (provider.issuer === '') throw new SamlXmlError(wording('has no entity ID'))
  if (provider.signInUrl === undefined)
    throw new SamlXmlError(wording('has no sign-in address for the binding HTTP-Redirect'))
  if (provider.certificates.length === 0) throw new SamlXmlError(wording('has no certificate that signs'))
  return { issuer: provider.issuer, signInUrl: provider.signInUrl, certificates: provider.certificates }
}

/** What a response says about itself. Nothing of it is verified. */
export interface ResponseOutline {
  readonly inResponseTo: string | undefined
  readonly destination: string | undefined
  readonly isEncrypted: boolean
  /** An algorithm of a signature that no longer proves anything. */
  readonly weakAlgorithm: string | undefined
}

/** @throws SamlXmlError */
export function readResponseOutline(xml: string): ResponseOutline {
  let inResponseTo: string | undefined
  let destination: string | undefined
  let isEncrypted = false
  let weakAlgorithm: string | undefined
  const visit: Parameters<typeof walk>[1] = ({ uri, local, attributes }, parents) => {
    if (parents.length === 0) {
      if (uri !== PROTOCOL || local !== 'Response') throw new SamlXmlError(wording('is no response of SAML 2.0'))
      inResponseTo = attribute(attributes, 'InResponseTo')
      destination = attribute(attributes, 'Destination')
    }
    if (uri === ASSERTION && local === 'EncryptedAssertion') isEncrypted = true
    const algorithm = attribute(attributes, 'Algorithm')
    if (uri === SIGNATURE && algorithm !== undefined && WEAK.test(algorithm)) weakAlgorithm = algorithm
    return undefined
  }
  walk(xml, visit, MAX_NODES)
  return { inResponseTo, destination, isEncrypted, weakAlgorithm }
}
