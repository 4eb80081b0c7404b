/** The audit log of the current workspace, with filters. */
import { type Deps, defineTexts, page } from 'larder/kernel'
import { AUDIT_ACTIONS } from '../domain/audit-actions.ts'
import { auditFacts } from '../domain/audit-details.ts'
import type { AuditRecord } from '../ports.ts'
import { mayReadMembers, memberNames, namesOf } from './member-names.ts'
import { readRoles } from './role-choices.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/audit'
const PAGE_SIZE = 50
const MAX_PEOPLE = 200
const ACTORS = defineTexts({ system: 'System', former: 'Former member', support: 'Support' })

export function auditPages({ identity, people, access }: Deps<'identity' | 'people' | 'access'>) {
  const titleOf = (permission: string) => access.permissions().find(({ key }) => key === permission)?.title
  const log = page({
    name: 'identity.audit',
    path: PATH,
    title: 'Audit log',
    allow: 'identity.audit.read',
    async load({ caller, tenantId, query }) {
      const { action = '', person = '', cursor } = query
      const [{ data, nextCursor }, roles, listed] = await Promise.all([
        identity.audit.list(tenantId, {
          limit: PAGE_SIZE,
          ...(cursor && { cursor }),
          ...(action && { 'filter[action]': action }),
          ...(person && { 'filter[userId]': person }),
        }),
        readRoles(identity.roles, tenantId),
        mayReadMembers(caller) ? people.find(tenantId, { words: '', limit: MAX_PEOPLE }) : [],
      ])
      const names = await memberNames(people, caller, tenantId, data.flatMap(usersOf))
      const choices = new Map([...namesOf(listed), ...names])
      if (person !== '' && !choices.has(person)) choices.set(person, person)
      const next = new URLSearchParams({
        ...(action && { action }),
        ...(person && { person }),
        cursor: nextCursor ?? '',
      })
      return {
        data: {
          tabs: workspaceTabs(caller),
          filtered: action !== '' || person !== '',
          actions: Object.entries(AUDIT_ACTIONS).map(([key, title]) => ({ key, title, chosen: key === action })),
          people: [...choices].map(([id, name]) => ({ id, name, chosen: id === person })),
          entries: data.map(entry => ({
            ...toRow(entry, names, mayReadMembers(caller)),
            facts: auditFacts(entry.details, { role: roles.nameOf, permission: titleOf }),
          })),
          next: nextCursor === null ? null : `${PATH}?${next}`,
        },
      }
    },
  })
  return [log]
}

const usersOf = ({ actor, details: { userId } }: AuditRecord): string[] =>
  [actor.userId, userId].filter(id => typeof id === 'string')

/** @param namesAreComplete a user without a name is no longer a member. */
function toRow(
  { action, actor, details, createdAt }: AuditRecord,
  names: ReadonlyMap<string, string>,
  namesAreComplete: boolean,
) {
  const { userId } = details
  const former = action.startsWith('impersonation.') ? ACTORS.support : ACTORS.former
  const unnamed = namesAreComplete ? former : actor.userId
  return {
    ...{ action, title: AUDIT_ACTIONS[action] ?? action, createdAt },
    actor: names.get(actor.userId ?? '') ?? '',
    unnamed: actor.userId === null ? ACTORS.system : unnamed,
    byKey: actor.kind === 'apiKey',
    bySupport: actor.impersonatedBy !== null,
    about: typeof userId === 'string' ? (names.get(userId) ?? userId) : '',
  }
}
