/**
 * Realtime sockets: JSON text frames over a WebSocket, opened by a first frame `hello`. All modules share one wire
 * protocol: hello, authentication, pings, rate limit, slow consumers, revocation, drain and close codes.
 */
import type { Problem, Rate, Wording } from '../../base/index.ts'
import type { AnySocket, SocketPeer } from '../route.ts'
import type { Membership, Principal } from './access.ts'

/** A frame of a client: `{type, id?, data?}`. */
export interface ClientFrame {
  readonly type: string
  /** Repeated in the reply. */
  readonly id: string | undefined
  /** Empty if the frame has none. */
  readonly data: Readonly<Record<string, unknown>>
  /** All members of the frame. */
  readonly members: Readonly<Record<string, unknown>>
  /** The frame as received. */
  readonly text: string
}

export interface FrameError {
  readonly code: string
  /** The client receives it in the language of its upgrade request. */
  readonly message: Wording | Problem
  /** Whether the same request may succeed later. False by default. */
  readonly retryable?: boolean
  /** ID of the subscription that the error is about. */
  readonly subscription?: string
}

/** Sent before the server closes a socket. */
export interface ClosingNotice {
  /** `resume`: reconnect and continue the session. `stop`: reconnecting would fail again. */
  readonly action: 'resume' | 'reconnect' | 'stop'
  readonly reason: string
  readonly retryAfterMs?: number
}

/** The user of a socket in one tenant. */
export interface SocketMember {
  readonly userId: string
  readonly tenantId: string
  readonly principal: Principal
  readonly membership: Membership
  can(permission: string): boolean
}

/** One open realtime socket. */
export interface RealtimeSocket {
  readonly peer: SocketPeer
  readonly closed: boolean
  /** Set by `authenticate`, and verified again at intervals. */
  readonly member: SocketMember | undefined
  /** Sends a serialized frame. Returns false, and closes with 4001, if the client reads too slowly. */
  send(frame: string | Buffer): boolean
  /** Sends a frame of a replay, once the client has read most earlier ones. Resolves to false if the socket has closed. */
  sendPaced(frame: string): Promise<boolean>
  sendFrame(type: string, data: unknown, id?: string): boolean
  sendError(error: FrameError, id?: string): boolean
  /** Sends an `error` frame and closes the socket. */
  closeWithError(code: number, error: FrameError, id?: string): void
  /** Sends a `closing` frame and closes the socket. */
  closeWithNotice(code: number, notice: ClosingNotice): void
  close(code: number, reason: string): void
  /** Sends a ping. Its pong confirms the position at this time: see `RealtimeServerOptions.position`. */
  ping(): void
  /** Whether a ping awaits its pong. */
  readonly awaitsPong: boolean
  /** Sockets whose URL replaces the hello call this. Sockets without a hello are closed after five seconds. */
  skipHello(): void
  /**
   * Authenticates a member with the token of a hello, or without one with the credential of the upgrade request. If that
   * fails, closes the socket with an error and resolves to undefined. The server verifies the member again at intervals,
   * and closes the socket when access is revoked.
   */
  authenticate(
    hello: { readonly tenantId: string | undefined; readonly token: string | undefined },
    id?: string,
  ): Promise<SocketMember | undefined>
}

/** `C` is the module's state of one socket. */
export interface RealtimeServerOptions<C> {
  /** Larger frames close the socket with 4413. */
  readonly maxFrameBytes: number
  /** A client with more unsent bytes is closed with 4001. */
  readonly maxBufferBytes: number
  /** Frames that one socket may send. */
  readonly frameRate: Rate
  /** What happens to sockets of members whose rights were revoked. `close` by default. */
  readonly onRevoked?: 'close' | 'verify'
  /** Required of members in addition to the membership itself. */
  readonly permission?: string
  /** The error in members of a frame other than `type`, `id` and `data`. */
  validateMembers?(members: ClientFrame['members']): Wording | undefined
  open(socket: RealtimeSocket): C
  /** The text of `closing` frames, for a protocol with names of its own. */
  encodeClosing?(notice: ClosingNotice): string
  /** Runs after `open`. Frames wait until it resolves. */
  opened?(connection: C): Promise<void>
  /** Handles the first `hello`. */
  hello(connection: C, frame: ClientFrame): void | Promise<void>
  /** Handles every other frame after the hello, except `ping` and `pong`. */
  message(connection: C, frame: ClientFrame): void | Promise<void>
  closed(connection: C, code: number): void | Promise<void>
  /** Whether the client can continue its session with another socket. False by default. */
  canResume?(connection: C): boolean
  /** Sequence number of the last frame sent. */
  position?(connection: C): number
  /** The client has received all frames up to this position. */
  confirmed?(connection: C, position: number): void
  /** Runs after the member has been verified again. Read what the member may see again, too. */
  verified?(connection: C): Promise<void>
}

/** Fields for the declaration of a socket: `socket({ path, allow, ...endpoint })`. */
export type RealtimeEndpoint = Pick<AnySocket, 'maxFrame' | 'maxBuffer' | 'codes' | 'closeOnRevocation' | 'open'>

export interface RealtimeServer<C> {
  readonly endpoint: RealtimeEndpoint
  /** The connections that are open. */
  connections(): Iterable<C>
}

export interface Realtime {
  /** Creates the sockets of one endpoint. They are checked and closed by the HTTP service. */
  createServer<C>(options: RealtimeServerOptions<C>): RealtimeServer<C>
}
