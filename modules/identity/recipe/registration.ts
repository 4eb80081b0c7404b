/** Checks of `registration` in products of teams and of people. */
import { didYouMean, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { covers } from '@larder-dev/larder/kernel/internal'
import { CUSTOMER } from '../domain/fixed-roles.ts'
import type { IdentityOptions } from '../options.ts'
import { scopesOf } from './role-scopes.ts'

type Recipe = ValidatedRecipe<IdentityOptions>

const REGISTRATION = ['modules', 'identity', 'registration']
const WORKSPACE = [...REGISTRATION, 'workspace']
const ROLE = [...REGISTRATION, 'role']

export function validateRegistration(recipe: Recipe): RecipeDiagnostic[] {
  if (recipe.audience === 'people') return [...validateWorkspace(recipe), ...validateRole(recipe)]
  if (!recipe.isOwn(ROLE)) return []
  return [
    {
      path: ROLE,
      message: 'Whoever registers owns a workspace: a product of teams has no role of the registration',
      hint: 'Set product.audience: people, or remove this line.',
    },
  ]
}

function validateWorkspace({ isOwn }: Recipe): RecipeDiagnostic[] {
  if (!isOwn(WORKSPACE)) return []
  const message = "A product of people has one workspace, the operator's, and registration creates no other"
  return [{ path: WORKSPACE, at: 'key', message, hint: 'Remove this line.' }]
}

function validateRole(recipe: Recipe): RecipeDiagnostic[] {
  const { options, complete, isValid } = recipe
  const key = options.registration?.role ?? CUSTOMER
  const scopes = scopesOf(recipe)
  const scope = scopes.get(key)
  if (scope === undefined) {
    // The role may be one that could not be read.
    if (!(complete && isValid(['roles', key]))) return []
    const hint = didYouMean(key, [...scopes.keys()])
    return [{ path: ROLE, message: `Unknown role "${key}"`, ...(hint !== undefined && { hint }) }]
  }
  if (scope === 'platform')
    return [{ path: ROLE, message: `Role "${key}" has the scope platform, which is for operators` }]
  return permissionsOfStaff(recipe, key).map(({ permission, isLimitedByRules, path }) => ({
    path: path ?? (options.registration?.role === undefined ? ['roles', key] : ROLE),
    message: `Role "${key}" has the permission ${permission}, with which customers would read or change what belongs to others`,
    hint: isLimitedByRules
      ? 'Remove the permission, and say under access of the collection which rows customers read and write.'
      : 'Remove the permission, or give it to a role of the staff. Everybody manages their own account without a permission.',
  }))
}

interface PermissionOfStaff {
  readonly permission: string
  readonly isLimitedByRules: boolean
  /** Where the recipe gives it. */
  readonly path: RecipeDiagnostic['path'] | undefined
}

/** The first permission of each pattern that opens what belongs to others. A role of tenants has none of the platform. */
function permissionsOfStaff(recipe: Recipe, role: string): PermissionOfStaff[] {
  const permissions = recipe.modules
    .flatMap(({ module }) => Object.entries(module.permissions ?? {}))
    .map(([key, spec]) => ({ key, scope: 'tenant', customers: undefined, ...(typeof spec === 'object' && spec) }))
    .filter(({ scope, customers }) => scope === 'tenant' && customers !== true)
  const found = patternsOf(recipe, role).flatMap(({ pattern, byModule, path }) => {
    const opened = permissions.find(
      ({ key, customers }) => covers(pattern, key) && !(byModule && customers === 'granted'),
    )
    return opened ? [{ permission: opened.key, isLimitedByRules: opened.customers === 'granted', path }] : []
  })
  const written = found.filter(({ path }) => path !== undefined)
  return written.length > 0 ? written : found.slice(0, 1)
}

interface WrittenRole {
  readonly extends?: string | readonly string[]
  readonly permissions?: readonly string[]
}
interface GivenPattern {
  readonly pattern: string
  /** Whether a module grants it, rather than the role having it. */
  readonly byModule?: boolean
  readonly path?: RecipeDiagnostic['path']
}

/** The permissions of a role and of the roles that it extends. */
function patternsOf(recipe: Recipe, key: string, seen = new Set<string>()): GivenPattern[] {
  if (seen.has(key)) return []
  seen.add(key)
  const roles = recipe.section('roles') as Readonly<Record<string, WrittenRole>> | undefined
  const written = recipe.isValid(['roles', key]) ? roles?.[key] : undefined
  return [
    ...(written?.permissions ?? []).map((pattern, index) => ({ pattern, path: ['roles', key, 'permissions', index] })),
    ...recipe.modules.flatMap(({ module }) => [
      ...(module.roles?.[key]?.permissions ?? []).map(pattern => ({ pattern })),
      ...(module.grants?.[key] ?? []).map(pattern => ({ pattern, byModule: true })),
    ]),
    ...[written?.extends ?? []].flat().flatMap(base => patternsOf(recipe, base, seen)),
  ]
}
