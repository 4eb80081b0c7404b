/** One open realtime socket: sending with backpressure, pings, authentication, closing. */
import { setTimeout as wait } from 'node:timers/promises'
import {
  type Bucket,
  type ClosingNotice,
  type Credential,
  createBucket,
  type FrameError,
  KIB,
  MINUTE,
  REALTIME_CLOSE_CODE,
  type RealtimeServerOptions,
  type RealtimeSocket,
  readCookie,
  SECOND,
  type SocketMember,
  type SocketPeer,
  TENANT_COOKIE,
} from '@larder-dev/larder/kernel/internal'
import { encodeClosing, encodeError, encodeFrame } from './frames.ts'
import { type AuthenticateMember, type CurrentTenant, isRejection, type Rejection } from './member-authentication.ts'

/** A replay pauses while more bytes are buffered. */
const HIGH_WATER_MARK_BYTES = 256 * KIB
const BUFFER_POLL_INTERVAL_MS = 10
const VERIFICATION_INTERVAL_MS = 5 * MINUTE

/** What a socket uses of its server. */
export interface SocketServer<C> {
  readonly options: RealtimeServerOptions<C>
  readonly authenticateMember: AuthenticateMember
  now(): number
}

export class ServerSocket<C> implements RealtimeSocket {
  readonly #server: SocketServer<C>
  readonly peer: SocketPeer
  readonly bucket: Bucket
  readonly openedAt: number
  /** The module's state of this socket. */
  readonly connection: C
  closed = false
  helloReceived = false
  /** Counts revocations of rights, also possible ones, so that all verifications in progress are repeated. */
  revocations = 0
  member: SocketMember | undefined
  #credential: Credential | undefined
  verifyAt = Number.POSITIVE_INFINITY
  /** Time of the last frame. */
  seenAt: number
  pingAt: number
  /** `t` of the ping that awaits its pong; 0 without one. */
  #pendingPing = 0
  #pendingPosition = 0
  #lastPing = 0

  constructor(server: SocketServer<C>, peer: SocketPeer, pingAt: number) {
    this.#server = server
    this.peer = peer
    this.openedAt = server.now()
    this.seenAt = this.openedAt
    this.pingAt = pingAt
    this.bucket = createBucket(server.options.frameRate, this.openedAt)
    this.connection = server.options.open(this)
  }

  send(frame: string | Buffer): boolean {
    if (this.closed) return false
    if (this.peer.send(frame)) return true
    this.peer.close(REALTIME_CLOSE_CODE.slow_consumer, 'slow consumer')
    return false
  }

  async sendPaced(frame: string): Promise<boolean> {
    while (!this.closed && this.peer.bufferedAmount > HIGH_WATER_MARK_BYTES) await wait(BUFFER_POLL_INTERVAL_MS)
    this.send(frame)
    return !this.closed
  }

  sendFrame(type: string, data: unknown, id?: string): boolean {
    return this.send(encodeFrame(type, data, id))
  }

  sendError(error: FrameError, id?: string): boolean {
    return this.send(encodeError(error, this.peer.say, id))
  }

  closeWithError(code: number, error: FrameError, id?: string): void {
    this.peer.send(encodeError(error, this.peer.say, id))
    this.peer.close(code, error.code)
  }

  closeWithNotice(code: number, notice: ClosingNotice): void {
    this.peer.send((this.#server.options.encodeClosing ?? encodeClosing)(notice))
    this.peer.close(code, notice.reason)
  }

  close(code: number, reason: string): void {
    this.peer.close(code, reason)
  }

  skipHello(): void {
    this.helloReceived = true
  }

  get awaitsPong(): boolean {
    return this.#pendingPing !== 0
  }

  /** `t` increases with every ping, so that a late pong doesn't confirm what was sent after its ping. */
  ping(): void {
    this.#lastPing = Math.max(this.#server.now(), this.#lastPing + 1)
    this.#pendingPing = this.#lastPing
    this.#pendingPosition = this.#server.options.position?.(this.connection) ?? 0
    this.sendFrame('ping', { t: this.#lastPing })
  }

  handlePong(t: unknown): void {
    if (!this.awaitsPong || t !== this.#pendingPing) return
    this.#pendingPing = 0
    this.#server.options.confirmed?.(this.connection, this.#pendingPosition)
  }

  async authenticate(
    { tenantId, token }: { tenantId: string | undefined; token: string | undefined },
    id?: string,
  ): Promise<SocketMember | undefined> {
    this.#credential = token === undefined ? this.peer.credential : { kind: 'bearer', secret: token }
    const result = await this.#verify(tenantId ?? this.#currentTenant())
    if (this.closed) return undefined
    if (isRejection(result)) {
      this.closeWithError(result.close, result.error, id)
      return undefined
    }
    this.peer.markAuthenticated()
    this.member = result
    this.verifyAt = nextVerification(result, this.#server.now())
    return result
  }

  /** Verifies credential and membership again. Returns false if the socket has been closed. */
  async verifyMember(): Promise<boolean> {
    if (!this.member) return false
    const result = await this.#verify(this.member.tenantId)
    if (this.closed) return false
    if (isRejection(result)) {
      this.closeWithError(REALTIME_CLOSE_CODE.revoked, result.error)
      return false
    }
    this.member = result
    this.verifyAt = nextVerification(result, this.#server.now())
    return true
  }

  /** The cookie selects a workspace for people who are signed in by cookie. Tokens and keys have their own. */
  #currentTenant(): CurrentTenant {
    const isCookie = this.#credential?.kind === 'cookie'
    return { selected: isCookie ? readCookie(this.peer.request.headers.cookie, TENANT_COOKIE) : undefined }
  }

  async #verify(tenant: string | CurrentTenant): Promise<SocketMember | Rejection> {
    const { authenticateMember, options } = this.#server
    for (;;) {
      const before = this.revocations
      const result = await authenticateMember(this.#credential, tenant, options.permission)
      if (this.revocations === before || this.closed) return result
    }
  }
}

/** At intervals, and when the credential expires. */
function nextVerification({ principal: { expiresAt } }: SocketMember, now: number): number {
  const regular = now + VERIFICATION_INTERVAL_MS
  return expiresAt === null ? regular : Math.min(regular, Math.max(Date.parse(expiresAt), now + SECOND))
}
