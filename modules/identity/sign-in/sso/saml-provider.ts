/** What a workspace enters about its provider of SAML: its metadata, where it is, or its parts. */
import { type Deps, invalidField, Type, type Wording, wording } from '@larder-dev/larder/kernel'
import { createValidator } from '@larder-dev/larder/kernel/internal'
import { pastedCertificates } from '../../domain/pasted.ts'
import { timeAt } from '../../domain/time.ts'
import { describeFailure } from '../providers/provider-failures.ts'
import { CertificateError, readCertificate } from './domain/certificates.ts'
import { type ProviderMetadata, readProviderMetadata, SamlXmlError } from './domain/saml-xml.ts'
import { ssoProblems } from './problems.ts'
import { MAX_CERTIFICATES, type SamlCertificate, SamlConfiguration, type SamlProvider } from './records.ts'
import type { SsoFetch } from './sso-fetch.ts'

export interface KnownSamlProvider extends SamlProvider {
  /** Entity ID. */
  readonly issuer: string
}
export interface SamlProviders {
  /** Reads metadata from its URL, too. Throws 422. */
  read(configuration: SamlConfiguration): Promise<KnownSamlProvider>
}
type Needs = Deps<'clock'> & { readonly ssoFetch: SsoFetch }

const TOO_MANY = wording('must be at most {limit} certificates', { limit: MAX_CERTIFICATES })
const Parts = Type.Required(Type.Pick(SamlConfiguration, ['issuer', 'signInUrl', 'certificates']))

export function createSamlProviders({ clock, ssoFetch }: Needs): SamlProviders {
  const checkParts = createValidator().body(Parts)

  function parse(xml: string): ProviderMetadata {
    try {
      const { certificates, ...provider } = readProviderMetadata(xml, clock.now())
      const { usable, refused } = usableOf(certificates)
      if (usable.length === 0)
        throw invalidField('/certificates', 'invalid_certificate', refused ?? wording('is required'))
      return { ...provider, certificates: usable.map(({ pem }) => pem) }
    } catch (error) {
      if (error instanceof SamlXmlError) throw invalidField('/metadata', 'invalid_metadata', error.wording)
      throw error
    }
  }

  async function download(url: string): Promise<string> {
    const refusal = ssoFetch.refusal(url)
    if (refusal !== undefined) throw invalidField('/metadataUrl', 'wrong_format', refusal)
    return ssoFetch.read(url).catch((error: unknown) => {
      throw ssoProblems.sso_metadata_unavailable({ reason: describeFailure(error) })
    })
  }

  async function partsOf({ metadata, metadataUrl, ...entered }: SamlConfiguration): Promise<Partial<ProviderMetadata>> {
    const { certificates } = entered
    const [issuer, signInUrl] = [entered.issuer?.trim(), entered.signInUrl?.trim()]
    const isEntered = issuer !== undefined || signInUrl !== undefined || certificates !== undefined
    if ([metadata !== undefined, metadataUrl !== undefined, isEntered].filter(Boolean).length > 1)
      throw invalidField(
        '/metadata',
        'ambiguous',
        wording('must not be combined with another description of the provider'),
      )
    if (metadata !== undefined) return parse(metadata)
    if (metadataUrl !== undefined) return parse(await download(metadataUrl.trim()))
    if (!isEntered)
      throw invalidField('/metadata', 'required', wording('is required, or its address, or the parts of the provider'))
    return { issuer, signInUrl, certificates }
  }

  return {
    async read(configuration) {
      const metadataUrl = configuration.metadataUrl?.trim() ?? null
      const emailAttribute = configuration.emailAttribute?.trim() ?? null
      // Metadata can exceed the limits, too.
      const { issuer, signInUrl, certificates } = checkParts(await partsOf(configuration)) as ProviderMetadata
      const refusal = ssoFetch.browserRefusal(signInUrl)
      if (refusal !== undefined) throw invalidField('/signInUrl', 'wrong_format', refusal)
      const read = distinct(certificates.flatMap(certificatesOf))
      if (read.length > MAX_CERTIFICATES) throw invalidField('/certificates', 'too_many', TOO_MANY)
      return { issuer, signInUrl, certificates: read, metadataUrl, readAt: timeAt(clock), emailAttribute }
    },
  }
}

/** The usable ones of a text: a provider can have a key of another kind, and a chain contains those of its issuers. */
function certificatesOf(text: string): readonly SamlCertificate[] {
  const { usable, refused } = usableOf(pastedCertificates(text))
  if (usable.length === 0) throw invalidField('/certificates', 'invalid_certificate', refused ?? wording('is required'))
  return usable
}

function usableOf(texts: readonly string[]) {
  const usable: SamlCertificate[] = []
  let refused: Wording | undefined
  for (const text of texts)
    try {
      usable.push(readCertificate(text))
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      refused ??= error.wording
    }
  return { usable, refused }
}

const distinct = (certificates: readonly SamlCertificate[]): SamlCertificate[] => [
  ...new Map(certificates.map(certificate => [certificate.fingerprint, certificate])).values(),
]
