import { common, type Deps, isSuspendedSql } from '@larder-dev/larder/kernel'
import { parseCode } from '../domain/code.ts'
import { hashJoinToken } from '../domain/join-token.ts'
import { statusAtSql } from '../domain/lifecycle.ts'
import type { SessionsOptions } from '../options.ts'
import type { Session, SessionFilter, Sessions } from '../ports.ts'
import { problems } from '../problems.ts'
import { sessionSchemas, sessionTable } from '../records.ts'
import { createSessionCreation } from './session-creation.ts'
import { toEventPayload, toSession } from './session-records.ts'

type ServiceDeps = Deps<'database' | 'systemDatabase' | 'events' | 'clock' | 'bus', 'webhookTargets'>

const BY_JOIN_TOKEN = `select ${sessionTable.columns('s')}, ${isSuspendedSql('s.tenant_id')} as suspended
  from sessions_sessions s where join_token_hash = $1`

export function createSessions(deps: ServiceDeps, options: SessionsOptions): Sessions {
  const { database, systemDatabase, clock } = deps

  async function getByJoinToken(token: string): Promise<Session> {
    const unit = systemDatabase.acrossTenants('a join token identifies its session before any tenant is known')
    const [found] = await sessionTable.query<{ suspended: boolean }>(unit, BY_JOIN_TOKEN, [hashJoinToken(token)])
    if (!found) throw problems.invalid_join_token()
    const { suspended, ...stored } = found
    if (suspended) throw common.tenant_suspended()
    return toSession(stored, clock.now())
  }

  return {
    schemas: sessionSchemas,
    create: createSessionCreation(deps, options),
    getByJoinToken,
    async joinTokenHash(tenantId, id) {
      const { rows } = await database
        .tenant(tenantId)
        .query<{ hash: Buffer }>('select join_token_hash as hash from sessions_sessions where id = $1', [id])
      return rows[0]?.hash
    },
    get: async (tenantId, id) => toSession(await sessionTable.get(database.tenant(tenantId), { id }), clock.now()),
    list: (tenantId, filter) => listSessions(deps, tenantId, filter),
    async getManyAcrossTenants(ids) {
      const unit = systemDatabase.acrossTenants('the directory lists public sessions of every tenant')
      const stored = await sessionTable.findMany(unit, { id: ids })
      return stored.map(session => toSession(session, clock.now()))
    },
    async nextEventPayload(tenantId, id) {
      const stored = await sessionTable.update(database.tenant(tenantId), { id }, {})
      return toEventPayload(toSession(stored, clock.now()))
    },
  }
}

/** Ids are UUIDv7 and sort by time of creation. */
async function listSessions(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  tenantId: string,
  filter: SessionFilter,
) {
  const now = clock.now()
  const { limit, cursor, status, mode, customer, code } = filter
  const { data, nextCursor } = await sessionTable.page(database.tenant(tenantId), {
    limit,
    cursor,
    where: { workspace_id: tenantId, mode, customer, code: code && (parseCode(code) ?? code) },
    and: status === undefined ? [] : [[`${statusAtSql('$1')} = $2`, [new Date(now), status]]],
  })
  return { data: data.map(stored => toSession(stored, now)), nextCursor }
}
