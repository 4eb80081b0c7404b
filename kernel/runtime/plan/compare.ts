/** Two recipes compared: roles and mail templates. Pure. */
import type { RecipeChange } from '../../contract/index.ts'
import type { AppliedRecipe } from './applied-recipe.ts'

export interface PlannedChange extends RecipeChange {
  /** Whose part of the recipe it is: a module, or `recipe`. */
  readonly of: string
}

type Roles = AppliedRecipe['roles']
type Mails = AppliedRecipe['mails']

/** What comes and goes with a whole module is told by that module's own line; of what goes, what people hold is not. */
export function compareRecipes(before: AppliedRecipe, after: AppliedRecipe): PlannedChange[] {
  const isNew = (module: string) => after.modules.includes(module) && !before.modules.includes(module)
  const isGone = (module: string) => before.modules.includes(module) && !after.modules.includes(module)
  return [
    ...roleChanges(before.roles, after.roles).filter(({ change, of }) => change !== 'add' || !isNew(of)),
    ...mailChanges(before.mails, after.mails).filter(
      ({ change, of }) => !(change === 'add' && isNew(of)) && !(change === 'remove' && isGone(of)),
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
      return [{ change: 'remove', of: old.from, subject, breaks: `whoever holds it loses what it allowed${lost}` }]
    }
    return roleDifference(subject, old, role)
  })
}

function roleDifference(subject: string, old: Roles[string], role: Roles[string]): PlannedChange[] {
  const gained = role.permissions.filter(permission => !old.permissions.includes(permission))
  const lost = old.permissions.filter(permission => !role.permissions.includes(permission))
  const told = [
    ...gained.map(permission => `+ ${permission}`),
    ...lost.map(permission => `− ${permission}`),
    ...(['name', 'scope', 'from'] as const).flatMap(field =>
      old[field] === role[field] ? [] : [`${field} ${old[field]} → ${role[field]}`],
    ),
  ]
  if (told.length === 0) return []
  const fewer = old.scope === role.scope ? lost : old.permissions
  const breaks = fewer.length > 0 ? { breaks: `whoever holds it may no longer: ${fewer.join(', ')}` } : {}
  return [{ change: 'change', of: role.from, subject, detail: told.join(', '), ...breaks }]
}

function mailChanges(before: Mails, after: Mails): PlannedChange[] {
  return keysOf(before, after).flatMap((key): PlannedChange[] => {
    const [old, mail] = [before[key], after[key]]
    const subject = `mail template ${key}`
    if (!old) return mail ? [{ change: 'add', of: mail.from, subject }] : []
    if (!mail) return [{ change: 'remove', of: old.from, subject, breaks: 'mail that is sent by it fails' }]
    if (old.digest === mail.digest && old.from === mail.from) return []
    const detail = old.from === mail.from ? 'what it says' : `of ${old.from} → of ${mail.from}`
    return [{ change: 'change', of: mail.from, subject, detail }]
  })
}

const keysOf = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
