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

/** Checks that people can sign in. */
function validateSignIn(recipe: ValidatedRecipe<IdentityOptions>): RecipeDiagnostic[] {
  const { options, modules, complete, isValid } = recipe
  const { password, emailLink } = options.signIn ?? {}
  const found: RecipeDiagnostic[] = []
  const others = modules.some(({ key, module }) => key !== 'identity' && 'signInMethods' in module)
  if (password === false && emailLink === undefined && !others && complete)
    found.push({
      path: [...SIGN_IN, 'password'],
      message: 'This turns off the only way to sign in',
      hint: 'Remove this line, or turn on emailLink.',
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
