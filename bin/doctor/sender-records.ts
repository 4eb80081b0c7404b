/** SPF, DKIM and DMARC of the sender's domain: RFC 7208, 6376 and 7489. */
import { createPublicKey } from 'node:crypto'
import { NODATA, NOTFOUND, type promises } from 'node:dns'
import { type Finding, reason } from './finding.ts'

type Resolver = Pick<promises.Resolver, 'resolveTxt'>

/** Those that providers give out. */
const SELECTORS =
  'default dkim mail email smtp google selector1 selector2 s1 s2 k1 k2 k3 fm1 fm2 fm3 pm mandrill mailjet zoho zmail ' +
  'protonmail resend brevo1 mxvault'
const MAX_LOOKUPS = 10
const WEAK_BITS = 1024
/** Domains for tests and within a network. */
const NOT_PUBLIC = /(?:^|\.)(?:localhost|test|example|invalid|local|internal|lan|home\.arpa)$/i

export async function senderRecords(domain: string, resolver: Resolver, selector?: string): Promise<Finding[]> {
  if (NOT_PUBLIC.test(domain) || !domain.includes('.'))
    return [{ state: 'skip', what: `the sender's domain ${domain} isn't a public one` }]
  const checks = [spf(domain, resolver), dkim(domain, resolver, selector), dmarc(domain, resolver)]
  return (await Promise.all(checks.map(check => check.catch(unanswered(domain))))).flat()
}

/** A server that doesn't answer says nothing about the domain. */
const unanswered =
  (domain: string) =>
  (error: unknown): Finding[] => [
    {
      state: 'warn',
      what: `DNS doesn't answer about ${domain}: ${reason(error)}`,
      fix: 'Check the name server of this machine, or ask another one: --dns 9.9.9.9.',
    },
  ]

/** `missing` for a name without text records, `unknown` for a name that doesn't exist, and none below it. */
async function texts(name: string, resolver: Resolver): Promise<string[] | 'missing' | 'unknown'> {
  try {
    return (await resolver.resolveTxt(name)).map(parts => parts.join(''))
  } catch (error) {
    const code = Reflect.get(Object(error), 'code')
    if (code === NODATA) return 'missing'
    if (code === NOTFOUND) return 'unknown'
    throw error
  }
}

async function recordsOf(name: string, pattern: RegExp, resolver: Resolver): Promise<string[]> {
  const found = await texts(name, resolver)
  return typeof found === 'string' ? [] : found.filter(text => pattern.test(text))
}

const SPF = /^v=spf1(?: |$)/i

async function spf(domain: string, resolver: Resolver): Promise<Finding[]> {
  const records = await recordsOf(domain, SPF, resolver)
  const [record] = records
  if (record === undefined)
    return [
      {
        state: 'warn',
        what: `${domain} has no SPF record: receivers can't tell which servers may send its mail`,
        fix: `Add a TXT record at ${domain}, which names the servers of your mail provider: v=spf1 include:… -all`,
      },
    ]
  if (records.length > 1)
    return [
      {
        state: 'fail',
        what: `${domain} has ${records.length} SPF records, so receivers ignore all of them`,
        fix: 'Put all servers into one record.',
      },
    ]
  const problem = spfProblem(record)
  if (problem) return [{ state: problem.state, what: `SPF of ${domain} ${problem.what}: ${record}`, fix: problem.fix }]
  const { lookups, missing } = await follow(record, resolver, new Set([domain]))
  if (missing !== undefined)
    return [
      {
        state: 'fail',
        what: `SPF of ${domain} leads to ${missing}, which has no SPF record, so receivers ignore it: ${record}`,
        fix: 'Correct the name as your mail provider shows it, or remove the part.',
      },
    ]
  if (lookups > MAX_LOOKUPS)
    return [
      {
        state: 'fail',
        what: `SPF of ${domain} needs ${lookups} lookups, and receivers stop after ${MAX_LOOKUPS} with an error`,
        fix: 'Remove what no longer sends mail, or name addresses (ip4:, ip6:) instead.',
      },
    ]
  return [{ state: 'ok', what: `SPF of ${domain}: ${record}` }]
}

const TERM = /^(?:[+?~-]?(?:all|(?:a|mx|ptr)(?:[:/].*)?|(?:include|exists|ip4|ip6):\S+)|[a-z][\w.-]*=\S*)$/i

function spfProblem(record: string): (Pick<Finding, 'state' | 'what'> & { readonly fix: string }) | undefined {
  const terms = record.split(/ +/).slice(1).filter(Boolean)
  const wrong = terms.find(term => !TERM.test(term))
  if (wrong !== undefined)
    return {
      state: 'fail',
      what: `has a part that isn't valid, "${wrong}", so receivers ignore it`,
      fix: 'Correct it.',
    }
  const end = terms.find(term => /^[+?~-]?all$/i.test(term))
  if (end !== undefined && /^\+?all$/i.test(end))
    return { state: 'fail', what: 'lets every server send its mail', fix: `End it with -all instead of ${end}.` }
  if (end?.startsWith('?'))
    return { state: 'warn', what: 'says nothing about other servers', fix: 'End it with -all or ~all instead of ?all.' }
  if (end === undefined && !terms.some(term => /^redirect=/i.test(term)))
    return { state: 'warn', what: 'says nothing about other servers', fix: 'End it with -all or ~all.' }
  return undefined
}

interface Followed {
  /** Terms that ask DNS (RFC 7208, 4.6.4). */
  readonly lookups: number
  /** A record that a term needs, and that isn't there or there twice (RFC 7208, 5.2 and 6.1). */
  readonly missing?: string
}

/** Also follows included records. */
async function follow(record: string, resolver: Resolver, known: Set<string>): Promise<Followed> {
  let lookups = 0
  for (const term of record.split(/ +/).slice(1)) {
    const [, mechanism = '', target] =
      /^[+?~-]?(include|exists|redirect|a|mx|ptr)(?:[:=]([^/]*))?(?:\/.*)?$/i.exec(term) ?? []
    if (mechanism === '') continue
    lookups++
    if (!/^(?:include|redirect)$/i.test(mechanism) || !target || known.has(target) || known.size > 2 * MAX_LOOKUPS)
      continue
    // A macro stands for a name that depends on the mail.
    if (target.includes('%')) continue
    known.add(target)
    const [included, another] = await recordsOf(target, SPF, resolver)
    if (included === undefined || another !== undefined) return { lookups, missing: target }
    const { lookups: more, missing } = await follow(included, resolver, known)
    lookups += more
    if (missing !== undefined) return { lookups, missing }
  }
  return { lookups }
}

async function dkim(domain: string, resolver: Resolver, selector: string | undefined): Promise<Finding[]> {
  const selectors = selector === undefined ? SELECTORS.split(' ') : [selector]
  const names = selectors.map(each => `${each}._domainkey.${domain}`)
  const found = await Promise.all(
    names.map(async name => ({ name, records: await recordsOf(name, /(?:^|;)\s*p=/, resolver) })),
  )
  const keys = found.filter(({ records }) => records.length > 0)
  if (keys.length > 0) return keys.flatMap(({ name, records }) => records.map(record => judgeDkim(name, record)))
  const add = 'Add the record that your mail provider shows, and let it sign.'
  if (selector !== undefined) return [{ state: 'fail', what: `there is no DKIM key at ${names[0]}`, fix: add }]
  return (await texts(`_domainkey.${domain}`, resolver)) === 'unknown'
    ? [{ state: 'warn', what: `${domain} has no DKIM key: receivers can't tell that mail is from it`, fix: add }]
    : [
        {
          state: 'skip',
          what: `no DKIM key of ${domain} has a common selector`,
          fix: 'Name the selector, which is `s=` in the header DKIM-Signature of a mail: --dkim SELECTOR',
        },
      ]
}

export function judgeDkim(name: string, record: string): Finding {
  const tags = tagsOf(record)
  const key = tags.get('p')?.replaceAll(/\s/g, '') ?? ''
  const problem = (state: 'warn' | 'fail', what: string, fix: string): Finding => ({
    state,
    what: `the DKIM key ${name} ${what}`,
    fix,
  })
  if (key === '') return problem('fail', 'is revoked: its p= is empty', 'Add the key that your mail provider shows.')
  if ((tags.get('t') ?? '').split(':').includes('y'))
    return problem('warn', 'is in test mode (t=y), so receivers may ignore signatures', 'Remove t=y from the record.')
  if (tags.get('k') === 'ed25519')
    return Buffer.from(key, 'base64').length === 32
      ? { state: 'ok', what: `the DKIM key ${name}: Ed25519` }
      : problem('fail', "isn't a key of Ed25519", 'Copy it again from your mail provider.')
  const bits = rsaBits(key)
  if (bits === undefined)
    return problem(
      'fail',
      "can't be read",
      'Copy it again from your mail provider: parts may be missing or in a wrong order.',
    )
  if (bits < WEAK_BITS) return problem('fail', `has ${bits} bits, and receivers ignore it`, 'Create one of 2048 bits.')
  if (bits === WEAK_BITS) return problem('warn', `has ${bits} bits only`, 'Create one of 2048 bits.')
  return { state: 'ok', what: `the DKIM key ${name}: RSA, ${bits} bits` }
}

function rsaBits(base64: string): number | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyDetails?.modulusLength
  } catch {
    return undefined
  }
}

async function dmarc(domain: string, resolver: Resolver): Promise<Finding[]> {
  const labels = domain.split('.')
  // The record of a parent, such as the organization's domain, counts for its subdomains.
  for (let from = 0; from <= labels.length - 2; from++) {
    const place = `_dmarc.${labels.slice(from).join('.')}`
    const records = await recordsOf(place, /^v=DMARC1(?:\s*;|\s*$)/i, resolver)
    if (records.length > 1)
      return [
        {
          state: 'fail',
          what: `${place} has ${records.length} DMARC records, so receivers ignore all of them`,
          fix: 'Keep one.',
        },
      ]
    if (records[0] !== undefined) return [judgeDmarc(place, records[0], from > 0)]
  }
  return [
    {
      state: 'warn',
      what: `${domain} has no DMARC record: large receivers mistrust its mail, and forged mail is delivered`,
      fix: `Add a TXT record at _dmarc.${domain}: v=DMARC1; p=none; rua=mailto:… and later p=quarantine or p=reject`,
    },
  ]
}

export function judgeDmarc(place: string, record: string, isOfParent: boolean): Finding {
  const tags = tagsOf(record)
  const policy = (isOfParent ? tags.get('sp') : undefined) ?? tags.get('p')
  const share = Number(tags.get('pct') ?? 100)
  const what = `DMARC at ${place}: ${record}`
  if (policy === undefined || !/^(?:none|quarantine|reject)$/i.test(policy))
    return {
      state: 'fail',
      what: `${what}: ${policy === undefined ? 'p= is missing' : `"${policy}" isn't a policy`}`,
      fix: 'Set p=none, p=quarantine or p=reject.',
    }
  if (policy.toLowerCase() === 'none')
    return {
      state: 'warn',
      what: `${what}: forged mail is delivered`,
      fix: 'Once SPF or DKIM of all your mail passes, as reports to rua= show, set p=quarantine or p=reject.',
    }
  if (share < 100) return { state: 'warn', what: `${what}: counts for ${share}% of mail`, fix: 'Remove pct=.' }
  return { state: 'ok', what }
}

const tagsOf = (record: string): Map<string, string> =>
  new Map(
    record.split(';').flatMap(part => {
      const at = part.indexOf('=')
      return at < 0 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const]
    }),
  )
