/** Certificates with which providers of SAML sign. Pure. */
import { X509Certificate } from 'node:crypto'
import { WordedError, wording } from '@larder-dev/larder/kernel'
import type { SamlCertificate } from '../records.ts'

const MIN_KEY_BITS = 2048
const LINE_LENGTH = 64

export class CertificateError extends WordedError {}

/**
 * Reads base64, as in metadata and between the lines of PEM.
 * @throws CertificateError
 */
export function readCertificate(text: string): SamlCertificate {
  const base64 = text.replace(/\s/g, '')
  const parsed = parse(base64)
  if (!parsed) throw new CertificateError(wording('is not an X.509 certificate in PEM format'))
  const { publicKey, subject, fingerprint256, validFrom, validTo } = parsed
  const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (publicKey.asymmetricKeyType !== 'rsa' || bits < MIN_KEY_BITS)
    throw new CertificateError(wording('must have an RSA key of at least {bits} bits', { bits: MIN_KEY_BITS }))
  const body = parsed.raw.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []
  return {
    pem: ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----', ''].join('\n'),
    subject: subject.replaceAll('\n', ', '),
    fingerprint: fingerprint256,
    validFrom: new Date(validFrom).toISOString(),
    expiresAt: new Date(validTo).toISOString(),
  }
}

function parse(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/** @param now milliseconds since 1970 */
export const isValidAt = ({ validFrom, expiresAt }: SamlCertificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now < Date.parse(expiresAt)
