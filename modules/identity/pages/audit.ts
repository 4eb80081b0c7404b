/** The audit log of the current workspace, with filters. */
import { type Deps, defineTexts, page } from 'larder/kernel'
import { AUDIT_ACTIONS } from '../domain/audit-actions.ts'
import type { AuditRecord } from '../ports.ts'
import { workspaceTabs } from './workspace-tabs.ts'

const PATH = '/workspace/audit'
const PAGE_SIZE = 50
const MAX_PEOPLE = 200
const ACTORS = defineTexts({ system: 'System', former: 'Former member' })

export function auditPages({ identity, people }: Deps<'identity' | 'people'>) {
  const log = page({
    name: 'identity.audit',
    path: PATH,
    title: 'Audit log',
    allow: 'identity.audit.read',
    async load({ caller, tenantId, query }) {
      const { action = '', person = '', cursor } = query
      const [found, members] = await Promise.all([
        identity.audit.list(tenantId, {
          limit: PAGE_SIZE,
          ...(cursor && { cursor }),
          ...(action && { 'filter[action]': action }),
          ...(person && { 'filter[userId]': person }),
        }),
        people.find(tenantId, { words: '', limit: MAX_PEOPLE }),
      ])
      const names = new Map(members.map(({ userId, name, email }) => [userId, name ?? email]))
      const next = new URLSearchParams({
        ...(action && { action }),
        ...(person && { person }),
        cursor: found.nextCursor ?? '',
      })
      return {
        data: {
          tabs: workspaceTabs(caller),
          filtered: action !== '' || person !== '',
          actions: Object.entries(AUDIT_ACTIONS).map(([key, title]) => ({ key, title, chosen: key === action })),
          people: [...names].map(([id, name]) => ({ id, name, chosen: id === person })),
          entries: found.data.map(entry => toRow(entry, names)),
          next: found.nextCursor === null ? null : `${PATH}?${next}`,
        },
      }
    },
  })
  return [log]
}

function toRow({ action, actor, details, createdAt }: AuditRecord, names: ReadonlyMap<string, string>) {
  const { userId, ...facts } = details
  const about = typeof userId === 'string' ? names.get(userId) : undefined
  return {
    ...{ action, title: AUDIT_ACTIONS[action] ?? action, createdAt },
    actor: actor.userId === null ? ACTORS.system : (names.get(actor.userId) ?? ACTORS.former),
    byKey: actor.kind === 'apiKey',
    about: about ?? '',
    facts: Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : { name, value: textOf(value) })),
  }
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
