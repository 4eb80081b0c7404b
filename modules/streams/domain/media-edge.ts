/** The interface of a media server, as the module uses it. Types only. */

/** A connection in lists of the edge: what publishes or plays a path. */
export interface EdgeConnection {
  readonly type: string
  readonly id: string
}
export interface EdgePath {
  readonly name: string
  /** Whether a publisher sends media. */
  readonly available: boolean
  readonly source: EdgeConnection | null
  readonly readers: readonly EdgeConnection[]
}

export interface Playback {
  readonly whep_url: string
  readonly hls_url: string
}
/** Addresses for publishers, with `TOKEN` in the place of the token. */
export interface Ingest {
  readonly rtmp_url?: string
  readonly rtsp_url?: string
  readonly srt_url?: string
}
export interface EdgeCapabilities {
  readonly whip: boolean
  readonly whep: boolean
  readonly hls: boolean
  readonly ll_hls: boolean
}
/** A media server that ingests and plays streams. */
export interface MediaEdge {
  readonly provider: string
  /** False without a secret: the edge would refuse everyone. */
  readonly enabled: boolean
  /** Origins that pages connect to. */
  readonly origins: readonly string[]
  /** `live/ses_…`. */
  streamPath(streamId: string): string
  /** The stream id in a path; undefined for other paths. */
  parsePath(path: string): string | undefined
  whipUrl(streamId: string): string
  playback(streamId: string): Playback
  ingest(streamId: string): Ingest
  /** Whether the secret of a hook is one of the configured ones. */
  verifySecret(secret: string | undefined): boolean
  /** What the configuration of the running edge allows. Remembered for a minute. */
  capabilities(): Promise<EdgeCapabilities>
  /** All paths with their connections. Throws `EdgeError`. */
  paths(signal: AbortSignal): Promise<EdgePath[]>
  /** Closes all connections of a stream and returns their number. Throws `EdgeError`. */
  kickAll(streamId: string, signal: AbortSignal): Promise<number>
  /** Closes these connections. Throws `EdgeError`. */
  kick(connections: readonly AdmittedConnection[], signal: AbortSignal): Promise<void>
  /** What is wrong with the running edge, in whole sentences. */
  examine(signal: AbortSignal): Promise<string[]>
}
/** A connection that the edge asked permission for. */
export interface AdmittedConnection {
  readonly id: string
  readonly protocol: string
}

/** A request of the edge for permission to publish or play. */
export interface EdgeRequest {
  readonly action: string
  readonly path: string
  readonly protocol?: string
  /** Id of the connection at the edge. Absent for requests that open none. */
  readonly id?: string
  readonly ip?: string
  readonly token?: string
  readonly password?: string
  readonly query?: string
}
