import { didYouMean, type RecipeDiagnostic } from '@larder-dev/larder/kernel'
import { formatList } from '@larder-dev/larder/kernel/internal'
import type { Collections, Field } from '../domain/declarations/collection.ts'

export type Path = readonly (string | number)[]
/** @param path below `collections`. @param place in another file. */
export type Report = (
  path: Path,
  code: string,
  message: string,
  hint?: string,
  at?: RecipeDiagnostic['at'],
  place?: RecipeDiagnostic['place'],
) => void

/** Each is undefined if it isn't known, for example because a module could not be loaded. */
export interface FileLimits {
  readonly types?: readonly string[] | undefined
  readonly maxBytes?: number | undefined
}

/** What the names in a collection can refer to. */
export interface Known {
  readonly collections: Collections
  /** Undefined if a module could not be loaded. */
  readonly roles: readonly string[] | undefined
  /** Whether a module has plans; undefined if it is not known. */
  readonly hasPlans: boolean | undefined
  /** Keys of plans; undefined if they are not known. */
  readonly plans: readonly string[] | undefined
  /** Fields of `profile.user`; undefined without any. */
  readonly profile: ReadonlyMap<string, Field> | undefined
  /** Entitlement → kind; undefined if it is not known. */
  readonly entitlements: ReadonlyMap<string, string> | undefined
  /** What the module that stores files accepts; undefined if there is none. */
  readonly files: FileLimits | undefined
}

/** @param kind plural, capitalized: `Fields`. */
export const suggest = (name: string, known: readonly string[], kind: string): string =>
  didYouMean(name, known) ?? (known.length > 0 ? `${kind}: ${formatList(known)}` : `There are no ${kind.toLowerCase()}`)

/** Reports a role that neither the recipe nor its modules define. @param words that may stand for a role. */
export function validateRole(
  role: string,
  path: Path,
  at: 'key' | 'value',
  { roles, words = [] }: Pick<Known, 'roles'> & { readonly words?: readonly string[] },
  report: Report,
): void {
  if (roles && !roles.includes(role))
    report(path, 'unknown_role', `Unknown role "${role}"`, didYouMean(role, words) ?? suggest(role, roles, 'Roles'), at)
}
