/** The parts of the last applied recipe that no module stores in a table. */
import type { MailTemplates, RoleEntry } from '../../contract/index.ts'
import { type CheckedRecipe, createAccess } from '../../recipe/index.ts'

export interface AppliedRecipe {
  /** Keys, sorted. */
  readonly modules: readonly string[]
  readonly roles: Readonly<Record<string, Pick<RoleEntry, 'name' | 'scope' | 'permissions' | 'from'>>>
  /** Key → owner, and a digest of the files. */
  readonly mails: Readonly<Record<string, { readonly from: string; readonly digest: string }>>
}

export function appliedRecipe(
  { modules, roles }: CheckedRecipe,
  mailTemplates: Pick<MailTemplates, 'list'>,
): AppliedRecipe {
  const known = createAccess(modules, roles).roles()
  return {
    modules: modules.map(({ key }) => key).sort(),
    roles: Object.fromEntries(
      known.map(({ key, name, scope, permissions, from }) => [
        key,
        { name, scope, permissions: [...permissions].sort(), from },
      ]),
    ),
    mails: Object.fromEntries(mailTemplates.list().map(({ key, source, digest }) => [key, { from: source, digest }])),
  }
}
