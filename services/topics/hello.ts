/** The first frame: authenticates a member, or admits an anonymous client to public topics. */
import {
  type ClientFrame,
  createValidator,
  type Deps,
  idPattern,
  REALTIME_CLOSE_CODE,
  REALTIME_PING_INTERVAL_MS,
  REALTIME_PROTOCOL_VERSION,
  type SocketMember,
  wording,
} from '@larder-dev/larder/kernel/internal'
import type { Connection } from './connection.ts'
import { errorOf } from './errors.ts'
import { LIMITS } from './limits.ts'
import type { Quotas } from './quotas.ts'
import { clientFrames, type HelloData } from './schemas.ts'

const TENANT_ID = new RegExp(idPattern('ten'))

export interface HelloDeps extends Deps<'log'> {
  readonly quotas: Pick<Quotas, 'addSocket'>
}

export function createHello({ log, quotas }: HelloDeps) {
  const check = createValidator().body(clientFrames.hello)

  /** Returns false if the socket was closed. */
  async function admit(connection: Connection, hello: HelloData, id: string | undefined): Promise<boolean> {
    const { socket } = connection
    const { tenantId, token } = hello
    const member = await socket.authenticate({ tenantId, token }, id)
    return member !== undefined && count(connection, member, id)
  }

  function count(connection: Connection, member: SocketMember, id: string | undefined): boolean {
    try {
      connection.release = quotas.addSocket(member)
      return true
    } catch (error) {
      connection.socket.closeWithError(REALTIME_CLOSE_CODE.too_many_sockets, errorOf(error, log), id)
      return false
    }
  }

  function admitAnonymous(connection: Connection, { tenantId }: HelloData, id: string | undefined): boolean {
    if (tenantId !== undefined && !TENANT_ID.test(tenantId)) {
      const error = { code: 'bad_data', message: wording('The tenantId of an anonymous client must be an ID.') }
      connection.socket.closeWithError(REALTIME_CLOSE_CODE.bad_frame, error, id)
      return false
    }
    connection.anonymousTenantId = tenantId ?? connection.anonymousTenantId
    return true
  }

  return async (connection: Connection, { id, data }: ClientFrame): Promise<void> => {
    const { socket, subscriber } = connection
    let hello: HelloData
    try {
      hello = check(data) as HelloData
    } catch (error) {
      const { message } = errorOf(error, log)
      return socket.closeWithError(REALTIME_CLOSE_CODE.bad_frame, { code: 'bad_data', message }, id)
    }
    const isAnonymous = hello.anonymous || (hello.token === undefined && !socket.peer.credential)
    if (!(isAnonymous ? admitAnonymous(connection, hello, id) : await admit(connection, hello, id))) return
    connection.lastPing = hello.lastPing ?? 0
    const welcome = {
      protocol: REALTIME_PROTOCOL_VERSION,
      tenantId: subscriber.tenantId,
      userId: subscriber.member?.userId ?? null,
      pingIntervalMs: REALTIME_PING_INTERVAL_MS,
      limits: LIMITS,
    }
    socket.sendFrame('welcome', welcome, id)
  }
}
