/** The parts of the last applied recipe that no module stores in a table. */
import type { Ports, RoleEntry } from '../../contract/index.ts'
import type { CheckedRecipe } from '../../recipe/index.ts'

export interface AppliedRecipe {
  /** Keys, sorted. */
  readonly modules: readonly string[]
  readonly roles: Readonly<Record<string, Pick<RoleEntry, 'name' | 'scope' | 'permissions' | 'from'>>>
  /** Key → owner, and a digest of the files. */
  readonly mails: Readonly<Record<string, { readonly from: string; readonly digest: string }>>
}

export function appliedRecipe(
  { modules }: CheckedRecipe,
  { access, mailTemplates }: Pick<Ports, 'access' | 'mailTemplates'>,
): AppliedRecipe {
  return {
    modules: modules.map(({ key }) => key).sort(),
    roles: Object.fromEntries(
      access
        .roles()
        .map(({ key, name, scope, permissions, from }) => [
          key,
          { name, scope, permissions: [...permissions].sort(), from },
        ]),
    ),
    mails: Object.fromEntries(mailTemplates.list().map(({ key, source, digest }) => [key, { from: source, digest }])),
  }
}
