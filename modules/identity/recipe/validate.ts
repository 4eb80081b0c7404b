import { isIP } from 'node:net'
import {
  didYouMean,
  HOUR,
  MINUTE,
  milliseconds,
  type RecipeDiagnostic,
  type ValidatedRecipe,
} from '@larder-dev/larder/kernel'
import { MEMBER } from '../domain/fixed-roles.ts'
import type { IdentityOptions } from '../options.ts'

const PATH = ['modules', 'identity', 'invitations', 'defaultRole']

const SIGN_IN = ['modules', 'identity', 'signIn']

export const validate = (recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] => [
  ...validateSignIn(recipe),
  ...validateDefaultRole(recipe),
]

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
  if (password === false && emailLink === undefined && !others && complete)
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

/** Checks that invitations have a role that exists and that workspaces can assign. */
function validateDefaultRole({
  options,
  modules,
  roles,
  complete,
  isValid,
}: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const key = options.invitations?.defaultRole ?? MEMBER
  const scopes = new Map([
    ...modules.flatMap(({ module }) =>
      Object.entries(module.roles ?? {}).map(([name, role]) => [name, role.scope ?? 'tenant'] as const),
    ),
    ...Object.entries(roles).map(([name, role]) => [name, role.scope ?? 'tenant'] as const),
  ])
  const scope = scopes.get(key)
  if (scope === 'tenant') return []
  // The role may be one that could not be read.
  if (scope === undefined && !(complete && isValid(['roles', key]))) return []
  if (scope === 'platform')
    return [{ path: PATH, message: `Role "${key}" has the scope platform, so workspaces can't assign it` }]
  const hint = didYouMean(key, [...scopes.keys()])
  return [{ path: PATH, message: `Unknown role "${key}"`, ...(hint !== undefined && { hint }) }]
}
