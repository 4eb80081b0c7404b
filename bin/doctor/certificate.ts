/** The certificate of the public URL, as a browser receives it. */
import { once } from 'node:events'
import { isIP } from 'node:net'
import { checkServerIdentity, connect, type DetailedPeerCertificate } from 'node:tls'
import { DAY } from '../../kernel/base/index.ts'
import { ANSWER_MS, type Finding, reason } from './finding.ts'

/** Certificates are renewed when a third of their time is left. */
const WARN_SHARE = 0.25
const WARN_MS = 14 * DAY

export interface Served {
  readonly certificate: DetailedPeerCertificate
  /** Why this machine doesn't trust the chain, as a code of OpenSSL. */
  readonly distrust: string | undefined
  readonly protocol: string | null
}

export async function certificate(url: URL, now: number, limitMs = ANSWER_MS): Promise<Finding[]> {
  const place = `${url.hostname}:${url.port || 443}`
  try {
    return judgeCertificate(url.hostname, await serve(url, limitMs), now)
  } catch (error) {
    const fix = 'Check that the name leads to the proxy, and that the proxy listens there with TLS.'
    return [{ state: 'fail', what: `TLS to ${place} is impossible: ${reason(error)}`, fix }]
  }
}

async function serve({ hostname, port }: URL, limitMs: number): Promise<Served> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port) || 443,
    // Examined below, also if it is wrong.
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  })
  const limit = setTimeout(() => socket.destroy(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
  try {
    await once(socket, 'secureConnect')
    const distrust = socket.authorizationError as Error | string | null | undefined
    return {
      certificate: socket.getPeerCertificate(true),
      distrust: distrust ? String(Reflect.get(Object(distrust), 'code') ?? distrust) : undefined,
      protocol: socket.getProtocol(),
    }
  } finally {
    clearTimeout(limit)
    socket.destroy()
  }
}

const SELF_SIGNED = [
  'the certificate is self-signed, so browsers refuse it',
  'Get one of an authority that browsers know, such as the one of Certbot.',
] as const
const INCOMPLETE = [
  'the chain of the certificate is incomplete',
  'Let the proxy send the certificate and those of the authorities in between, in one file: `fullchain.pem` of Certbot.',
] as const
/** By codes of OpenSSL. Times and names are examined apart. */
const DISTRUST: Readonly<Record<string, readonly [what: string, fix: string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: [
    'the certificate is from an authority that this machine does not know',
    'Visitors need the root of this authority. For Node.js, NODE_EXTRA_CA_CERTS names its file.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: INCOMPLETE,
}
const EXAMINED_APART = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID']

/** @param now milliseconds since 1970 */
export function judgeCertificate(hostname: string, served: Served, now: number): Finding[] {
  const { certificate, distrust, protocol } = served
  const [from, to] = [Date.parse(certificate.valid_from), Date.parse(certificate.valid_to)]
  const date = (time: number) => new Date(time).toISOString().slice(0, 10)
  const renew = 'Renew it, and reload the proxy. Check the timer that renews it: `systemctl list-timers`.'
  const problems: Finding[] = []
  if (checkServerIdentity(hostname.replace(/^\[|\]$/g, ''), certificate))
    problems.push({
      state: 'fail',
      what: `the certificate is for ${namesOf(certificate)}, not for ${hostname}`,
      fix: 'Give the proxy the certificate of this name, or correct PUBLIC_URL.',
    })
  if (now > to) problems.push({ state: 'fail', what: `the certificate expired on ${date(to)}`, fix: renew })
  if (now < from)
    problems.push({
      state: 'fail',
      what: `the certificate is valid from ${new Date(from).toISOString()} on`,
      fix: 'Check the clock of this machine.',
    })
  if (distrust !== undefined && !EXAMINED_APART.includes(distrust)) {
    const [what, fix] = DISTRUST[distrust] ?? [`the certificate isn't trusted: ${distrust}`, 'Replace it.']
    problems.push({ state: 'fail', what, fix })
  }
  if (problems.length > 0) return problems
  const days = Math.floor((to - now) / DAY)
  const what = `the certificate of ${hostname} is valid for ${days} more days, until ${date(to)} (${protocol})`
  return to - now < Math.min(WARN_MS, (to - from) * WARN_SHARE)
    ? [{ state: 'warn', what, fix: renew }]
    : [{ state: 'ok', what }]
}

const namesOf = ({ subject, subjectaltname }: DetailedPeerCertificate): string =>
  subjectaltname?.replaceAll(/\b(?:DNS|IP Address):/g, '') || [subject?.CN ?? 'nobody'].flat().join(', ')
