/** The audit log of the current workspace, with filters. */
import { type Caller, type Deps, defineTexts, page } from '@larder-dev/larder/kernel'
import { auditFacts } from '../../audit/domain/audit-details.ts'
import { auditActionsOf, usersOf } from '../../audit/domain/audit-sentences.ts'
import type { AuditActions, AuditRecord } from '../../ports.ts'
import { mayReadMembers, memberNames, namesOf } from '../members/pages/member-names.ts'
import { readRoles } from '../roles/pages/role-choices.ts'
import type { WorkspaceServices } from '../services.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/audit'
const READ_USERS = 'identity.user.read_all'
const PAGE_SIZE = 50
const MAX_PEOPLE = 200
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/
const ACTORS = defineTexts({
  system: 'System',
  former: 'Former member',
  deleted: 'Deleted person',
  support: 'Support',
  user: 'A user',
})

export function auditPages(deps: Deps<'people' | 'access' | 'registry'> & WorkspaceServices) {
  const { audit, roles, settings, people, access, registry } = deps
  const titleOf = (permission: string) => access.permissions().find(({ key }) => key === permission)?.title
  const log = page({
    name: 'identity.audit',
    path: PATH,
    title: 'Audit log',
    allow: 'identity.audit.read',
    async load({ caller, tenantId, query }) {
      const { action = '', person = '', cursor } = query
      const actions = auditActionsOf(registry)
      const [since, until] = [dayIn(query.since), dayIn(query.until)]
      const [{ data, nextCursor }, roleNames, listed] = await Promise.all([
        audit.list(tenantId, {
          limit: PAGE_SIZE,
          ...(cursor && { cursor }),
          ...(action && { 'filter[action]': action }),
          ...(person && { 'filter[userId]': person }),
          ...(since && { 'filter[since]': `${since}T00:00:00.000Z` }),
          ...(until && { 'filter[until]': `${until}T23:59:59.999Z` }),
        }),
        readRoles(roles, tenantId),
        mayReadMembers(caller) ? people.find(tenantId, { words: '', limit: MAX_PEOPLE }) : [],
      ])
      const users = await audit.userNames(caller, tenantId, data)
      const members = await memberNames(people, caller, tenantId, data.flatMap(usersOf))
      const names = new Map([...(users ?? []), ...members])
      const choices = new Map([...namesOf(listed), ...names])
      const nameless = namelessFor(caller, users !== null)
      if (person !== '' && !choices.has(person)) choices.set(person, nameless === undefined ? person : '')
      const next = new URLSearchParams({
        ...(action && { action }),
        ...(person && { person }),
        ...(since && { since }),
        ...(until && { until }),
        cursor: nextCursor ?? '',
      })
      return {
        data: {
          tabs: workspaceTabs(caller, settings),
          since,
          until,
          filtered: [action, person, since, until].some(text => text !== ''),
          actions: Object.entries(actions).map(([key, { title }]) => ({ key, title, chosen: key === action })),
          people: [...choices].map(([id, name]) => ({ id, name, unnamed: nameless ?? '', chosen: id === person })),
          entries: data.map(entry => ({
            ...toRow(entry, actions, names, nameless),
            facts: auditFacts(entry.details, { role: roleNames.nameOf, permission: titleOf }),
          })),
          next: nextCursor === null ? null : `${PATH}?${next}`,
        },
      }
    },
  })
  return [log]
}

/** Returns the day, or an empty text for anything else. */
const dayIn = (text = ''): string => (DAY_PATTERN.test(text) && !Number.isNaN(Date.parse(text)) ? text : '')

/** Who a user is whose name wasn't found; undefined if the caller may read no names. */
function namelessFor(caller: Caller, isOperatorLog: boolean): string | undefined {
  if (isOperatorLog) return caller.can(READ_USERS) ? ACTORS.deleted : ACTORS.user
  return mayReadMembers(caller) ? ACTORS.former : undefined
}

/** @param nameless as of `namelessFor` */
function toRow(
  { action, actor, details, createdAt }: AuditRecord,
  actions: AuditActions,
  names: ReadonlyMap<string, string>,
  nameless: string | undefined,
) {
  const { userId } = details
  const isSupport = nameless !== undefined && action.startsWith('impersonation.')
  const unnamed = isSupport ? ACTORS.support : (nameless ?? actor.userId)
  const actorName = names.get(actor.userId ?? '')
  const isPerson = typeof userId === 'string'
  const about = isPerson ? (names.get(userId) ?? (nameless === undefined ? userId : '')) : ''
  // Who acts on themselves, for example joins, is shown once.
  const isShown = userId === actor.userId && (actorName !== undefined || !isSupport)
  return {
    action,
    title: actions[action]?.title ?? action,
    createdAt,
    actor: actorName ?? '',
    unnamed: actor.userId === null ? ACTORS.system : unnamed,
    byKey: actor.kind === 'apiKey',
    bySupport: actor.impersonatedBy !== null,
    about: isShown ? '' : about,
    aboutUnnamed: isPerson && !isShown && about === '' ? (nameless ?? '') : '',
  }
}
