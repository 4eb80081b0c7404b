import { isIP } from 'node:net'
import {
  DAY,
  didYouMean,
  HOUR,
  MINUTE,
  milliseconds,
  parseUrl,
  type RecipeDiagnostic,
  type ValidatedRecipe,
} from '@larder-dev/larder/kernel'
import { isThisMachine, parseTarget } from '@larder-dev/larder/kernel/internal'
import { normalDomain } from '../domain/email-domains.ts'
import { MEMBER } from '../domain/fixed-roles.ts'
import { type IdentityOptions, isKnownProvider, type Provider, providersOf } from '../options.ts'
import { isAppUrl } from '../sign-in/domain/app-urls.ts'
import { BUILT_IN } from '../sign-in/sign-in-methods.ts'
import { validateRegistration } from './registration.ts'
import { scopesOf } from './role-scopes.ts'

const PATH = ['modules', 'identity', 'invitations', 'defaultRole']

const SIGN_IN = ['modules', 'identity', 'signIn']

export const validate = (recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] => [
  ...validateDisposableDomains(recipe),
  ...validateSignIn(recipe),
  ...validateProviders(recipe),
  ...validateApps(recipe),
  ...validateDefaultRole(recipe),
  ...validateRegistration(recipe),
  ...validateSecondFactor(recipe),
  ...validateTrustedDevices(recipe),
]

function validateDisposableDomains({ options, isValid }: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const all = ['modules', 'identity', 'registration', 'disposableDomains']
  const { disposableDomains = [] } = options.registration ?? {}
  if (!isValid(all)) return []
  return disposableDomains.flatMap((domain, index) =>
    normalDomain(domain) === undefined
      ? [{ path: [...all, index], message: `"${domain}" isn't a domain`, hint: 'Use a domain such as mailinator.com.' }]
      : [],
  )
}

/** A secure context with a domain, which a passkey belongs to. */
function supportsPasskeys(publicUrl: string): boolean {
  if (!URL.canParse(publicUrl)) return true
  const { protocol, hostname } = new URL(publicUrl)
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
}

/** Checks that people can sign in. */
function validateSignIn(recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const { options, modules, complete, isValid, publicUrl } = recipe
  const { password, emailLink, passkeys } = options.signIn ?? {}
  const found: RecipeDiagnostic[] = []
  const others = modules.some(({ key, module }) => key !== 'identity' && 'signInMethods' in module)
  const hasProviders = Object.keys(options.signIn?.providers ?? {}).length > 0
  if (password === false && emailLink === undefined && !hasProviders && !others && complete)
    found.push({
      path: [...SIGN_IN, 'password'],
      message: 'This turns off the only way to sign in',
      hint:
        passkeys === undefined
          ? 'Remove this line, or turn on emailLink.'
          : 'Turn on emailLink, too: people need another way to sign up and to recover a lost passkey.',
    })
  if (passkeys !== undefined && !supportsPasskeys(publicUrl))
    found.push({
      path: [...SIGN_IN, 'passkeys'],
      message: `Browsers don't allow passkeys at ${publicUrl}`,
      hint: 'Set product.publicUrl, or PUBLIC_URL, to https with a domain name. http works for localhost only.',
    })
  const sendsMail = modules.some(({ module }) => 'mailer' in (module.provides ?? {}))
  const github = options.signIn?.providers?.github
  if (github !== undefined && !sendsMail && complete)
    found.push({
      severity: 'warning',
      code: 'no_recent_proof',
      path: [...SIGN_IN, 'providers', 'github'],
      message: "GitHub doesn't say when people signed in, and no module of this recipe sends mail",
      hint: 'Add the module comms. People whose only way to sign in is GitHub prove who they are with a code from a mail',
    })
  if (emailLink !== undefined && !sendsMail && complete)
    found.push({
      path: [...SIGN_IN, 'emailLink'],
      message: 'No module of this recipe sends mail',
      hint: 'Add the module comms.',
    })
  const ttl = isValid([...SIGN_IN, 'emailLink', 'ttl']) ? emailLink?.ttl : undefined
  if (ttl !== undefined && (milliseconds(ttl) < MINUTE || milliseconds(ttl) > HOUR))
    found.push({
      path: [...SIGN_IN, 'emailLink', 'ttl'],
      message: 'A code works from a minute to an hour',
      hint: 'Use 10m.',
    })
  return found
}

/** An https URL; http for servers on this machine. */
function isProviderUrl(text: string): boolean {
  const target = parseTarget(text)
  if (!target || !parseUrl(text)) return false
  const { search, hash } = target.url
  return (target.secure || isThisMachine(target)) && search === '' && hash === ''
}

const OWN_KEYS: Readonly<Record<Provider['kind'], readonly (keyof Provider)[]>> = {
  google: ['clientSecret'],
  github: ['clientSecret', 'url'],
  microsoft: ['clientSecret', 'tenant'],
  apple: ['teamId', 'keyId', 'privateKey'],
  issuer: ['clientSecret', 'issuer'],
}
const OPTIONAL_KEYS: ReadonlySet<keyof Provider> = new Set(['url', 'tenant'])
const SPECIAL_KEYS = ['clientSecret', 'issuer', 'tenant', 'url', 'teamId', 'keyId', 'privateKey'] as const

function validateApps({ options, isValid }: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const { apps = [] } = options.signIn ?? {}
  return apps.flatMap((url, index) => {
    const path = [...SIGN_IN, 'apps', index]
    if (isAppUrl(url) || !isValid([...SIGN_IN, 'apps'])) return []
    return [
      {
        path,
        message: `"${url}" isn't the URL of an app`,
        hint: 'Use a scheme of a domain such as com.acme.app:/signed-in, https, or http://127.0.0.1/signed-in.',
      },
    ]
  })
}

/** Checks that each provider has the keys of its kind. */
function validateProviders({ options, isValid }: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const all = [...SIGN_IN, 'providers']
  return providersOf(options)
    .filter(({ name }) => isValid([...all, name]))
    .flatMap(provider => {
      const { name, kind } = provider
      const path = [...all, name]
      if (BUILT_IN.has(name)) return [{ path, message: `"${name}" is another way to sign in`, hint: 'Rename it.' }]
      const own = OWN_KEYS[kind]
      const found: RecipeDiagnostic[] = own
        .filter(key => !OPTIONAL_KEYS.has(key) && provider[key] === undefined)
        .map(key => ({
          path,
          message: `"${name}" needs ${key}`,
          hint: isKnownProvider(name)
            ? `Add ${key}.`
            : 'google, github, microsoft and apple need no issuer; others do.',
        }))
      for (const key of SPECIAL_KEYS)
        if (provider[key] !== undefined && !own.includes(key))
          found.push({ path: [...path, key], message: `"${name}" has no ${key}`, hint: 'Remove this line.' })
      for (const key of ['issuer', 'url'] as const)
        if (provider[key] !== undefined && !isProviderUrl(provider[key]))
          found.push({
            path: [...path, key],
            message: `"${provider[key]}" isn't the URL of a provider`,
            hint: 'Use https, without a query. http works for localhost only.',
          })
      return found
    })
}

/** Checks that invitations have a role that exists and that workspaces can assign. */
function validateDefaultRole(recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const { options, complete, isValid } = recipe
  const key = options.invitations?.defaultRole ?? MEMBER
  const scopes = scopesOf(recipe)
  const scope = scopes.get(key)
  if (scope === 'tenant') return []
  // The role may be one that could not be read.
  if (scope === undefined && !(complete && isValid(['roles', key]))) return []
  if (scope === 'platform')
    return [{ path: PATH, message: `Role "${key}" has the scope platform, so workspaces can't assign it` }]
  const hint = didYouMean(key, [...scopes.keys()])
  return [{ path: PATH, message: `Unknown role "${key}"`, ...(hint !== undefined && { hint }) }]
}

/** Checks that the roles that require a second factor exist. */
function validateSecondFactor(recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const { options, complete, isValid } = recipe
  const scopes = scopesOf(recipe)
  return (options.signIn?.secondFactor?.requiredFor ?? []).flatMap((key, index) => {
    // The role may be one that could not be read.
    if (scopes.has(key) || !(complete && isValid(['roles', key]))) return []
    const hint = didYouMean(key, [...scopes.keys()])
    const path = [...SIGN_IN, 'secondFactor', 'requiredFor', index]
    return [{ path, message: `Unknown role "${key}"`, ...(hint !== undefined && { hint }) }]
  })
}

function validateTrustedDevices({ options, isValid }: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const path = [...SIGN_IN, 'trustedDevices']
  const { secondFactor, trustedDevices } = options.signIn ?? {}
  if (trustedDevices === undefined || !isValid(path)) return []
  if (secondFactor === undefined && isValid([...SIGN_IN, 'secondFactor']))
    return [{ path, message: 'There is no second factor to leave out', hint: 'Add secondFactor, or remove this line.' }]
  const ttl = milliseconds(trustedDevices)
  if (ttl >= HOUR && ttl <= 90 * DAY) return []
  return [{ path, message: 'A device is trusted from an hour to 90 days', hint: 'Use 30d.' }]
}
