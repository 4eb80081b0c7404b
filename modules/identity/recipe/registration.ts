/** Checks of `registration` in products of teams and of people. */
import { didYouMean, type RecipeDiagnostic, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import { anyCovers } from '@larder-dev/larder/kernel/internal'
import { CUSTOMER } from '../domain/fixed-roles.ts'
import type { IdentityOptions } from '../options.ts'
import { scopesOf } from './role-scopes.ts'

type Recipe = ValidatedRecipe<IdentityOptions>

const REGISTRATION = ['modules', 'identity', 'registration']
const WORKSPACE = [...REGISTRATION, 'workspace']
const ROLE = [...REGISTRATION, 'role']
/** Their permissions show or change what everybody in the workspace has. */
const MODULES_OF_STAFF: ReadonlySet<string> = new Set(['identity', 'platform'])

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
  const shared = permissionOfStaff(recipe, key)
  if (shared === undefined) return []
  return [
    {
      path: options.registration?.role === undefined ? ['roles', key] : ROLE,
      message: `Role "${key}" has the permission ${shared}, with which customers would learn about each other`,
      hint: 'Give the role of the registration what customers do in collections and other modules. Everybody manages their own account without a permission.',
    },
  ]
}

function permissionOfStaff(recipe: Recipe, role: string): string | undefined {
  const patterns = [...patternsOf(recipe, role)]
  return recipe.modules
    .filter(({ key }) => MODULES_OF_STAFF.has(key))
    .flatMap(({ module }) => Object.keys(module.permissions ?? {}))
    .find(permission => anyCovers(patterns, permission))
}

interface WrittenRole {
  readonly extends?: string | readonly string[]
  readonly permissions?: readonly string[]
}

/** The permissions of a role and of the roles that it extends. */
function patternsOf(recipe: Recipe, key: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(key)) return new Set()
  seen.add(key)
  const written = (recipe.section('roles') as Readonly<Record<string, WrittenRole>> | undefined)?.[key]
  const declared = recipe.modules.flatMap(({ module }) => [
    ...(module.roles?.[key]?.permissions ?? []),
    ...(module.grants?.[key] ?? []),
  ])
  const bases = [written?.extends ?? []].flat()
  return new Set([
    ...declared,
    ...(written?.permissions ?? []),
    ...bases.flatMap(base => [...patternsOf(recipe, base, seen)]),
  ])
}
