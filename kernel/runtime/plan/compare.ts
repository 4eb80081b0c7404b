/** Compares the roles and mail templates of two recipes. Pure. */
import type { RecipeChange } from '../../contract/index.ts'
import type { AppliedRecipe } from './applied-recipe.ts'

export interface PlannedChange extends RecipeChange {
  /** The module that owns the changed part, or `recipe`. */
  readonly of: string
}

type Roles = AppliedRecipe['roles']
type Mails = AppliedRecipe['mails']

/** Omits additions of new modules and removals of removed modules, except for removed roles, which users may have. */
export function compareRecipes(before: AppliedRecipe, after: AppliedRecipe): PlannedChange[] {
  const isNew = (module: string) => after.modules.includes(module) && !before.modules.includes(module)
  const isRemoved = (module: string) => before.modules.includes(module) && !after.modules.includes(module)
  return [
    ...roleChanges(before.roles, after.roles).filter(({ change, of }) => change !== 'add' || !isNew(of)),
    ...mailChanges(before.mails, after.mails).filter(
      ({ change, of }) => !(change === 'add' && isNew(of)) && !(change === 'remove' && isRemoved(of)),
    ),
  ]
}

function roleChanges(before: Roles, after: Roles): PlannedChange[] {
  return keysOf(before, after).flatMap((key): PlannedChange[] => {
    const [old, role] = [before[key], after[key]]
    const subject = `role ${key}`
    if (!old) return role ? [{ change: 'add', of: role.from, subject, detail: role.permissions.join(', ') }] : []
    if (!role) {
      const lost = old.permissions.length > 0 ? `: ${old.permissions.join(', ')}` : ''
      return [{ change: 'remove', of: old.from, subject, breaks: `users with this role lose its permissions${lost}` }]
    }
    return roleDifference(subject, old, role)
  })
}

function roleDifference(subject: string, old: Roles[string], role: Roles[string]): PlannedChange[] {
  const gained = role.permissions.filter(permission => !old.permissions.includes(permission))
  const lost = old.permissions.filter(permission => !role.permissions.includes(permission))
  const details = [
    ...gained.map(permission => `+ ${permission}`),
    ...lost.map(permission => `− ${permission}`),
    ...(['name', 'scope', 'from'] as const).flatMap(field =>
      old[field] === role[field] ? [] : [`${field} ${old[field]} → ${role[field]}`],
    ),
  ]
  if (details.length === 0) return []
  const fewer = old.scope === role.scope ? lost : old.permissions
  const breaks = fewer.length > 0 ? { breaks: `users with this role lose ${fewer.join(', ')}` } : {}
  return [{ change: 'change', of: role.from, subject, detail: details.join(', '), ...breaks }]
}

function mailChanges(before: Mails, after: Mails): PlannedChange[] {
  return keysOf(before, after).flatMap((key): PlannedChange[] => {
    const [old, mail] = [before[key], after[key]]
    const subject = `mail template ${key}`
    if (!old) return mail ? [{ change: 'add', of: mail.from, subject }] : []
    if (!mail) return [{ change: 'remove', of: old.from, subject, breaks: 'emails that use it fail' }]
    if (old.digest === mail.digest && old.from === mail.from) return []
    const detail = old.from === mail.from ? 'text' : `source ${old.from} → ${mail.from}`
    return [{ change: 'change', of: mail.from, subject, detail }]
  })
}

const keysOf = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
